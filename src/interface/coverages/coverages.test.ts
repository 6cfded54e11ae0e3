import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bareTiff, putRasterZip, putTiff, worldImageZip } from '../../../test/support/raster-samples.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { geotiffBytes } from '../../../test/support/tiff-bytes.ts';
import { pointShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/coveragestores';
const host = { headers: { host: 'h' } };

async function publish(server: TestServer, name: string, body = geotiffBytes(30, 20)): Promise<string> {
  await putTiff(server, `${stores}/${name}/file.geotiff`, body);
  return `${stores}/${name}/coverages/${name}`;
}

describe('coverages', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it('are published by name alone, with all other fields from the data', async () => {
    await putTiff(server, `${stores}/relief/file.geotiff?configure=none`);

    const created = await server.post(`${stores}/relief/coverages`, '<coverage><name>relief</name></coverage>', host);

    expect(created.status).toBe(201);
    expect(created.text).toBe('relief');
    const href = 'http://h/geoserver/rest/workspaces/acme/coveragestores/relief';
    expect(created.headers['location']).toBe(`${href}/coverages/relief`);
    expect((await server.get(`${stores}/relief/coverages/relief.json`, host)).json()).toEqual({
      coverage: {
        name: 'relief',
        nativeName: 'relief',
        namespace: { name: 'acme', href: 'http://h/geoserver/rest/namespaces/acme.json' },
        title: 'relief',
        description: 'Generated from GeoTIFF',
        keywords: { string: ['relief', 'WCS', 'GeoTIFF'] },
        nativeCRS: { '@class': 'projected', $: expect.stringMatching(/^PROJCS\["WGS 84 \/ UTM zone 33N"/) },
        srs: 'EPSG:32633',
        nativeBoundingBox: {
          minx: 500_000,
          maxx: 500_300,
          miny: 4_999_800,
          maxy: 5_000_000,
          crs: { '@class': 'projected', $: 'EPSG:32633' },
        },
        latLonBoundingBox: {
          minx: expect.closeTo(15, 6),
          maxx: expect.closeTo(15.003_817, 6),
          miny: expect.closeTo(45.151_677, 6),
          maxy: expect.closeTo(45.153_477, 6),
          crs: 'EPSG:4326',
        },
        projectionPolicy: 'REPROJECT_TO_DECLARED',
        enabled: true,
        advertised: true,
        store: { '@class': 'coverageStore', name: 'acme:relief', href: `${href}.json` },
        serviceConfiguration: false,
        simpleConversionEnabled: false,
        nativeFormat: 'GeoTIFF',
        grid: {
          '@dimension': '2',
          range: { low: '0 0', high: '30 20' },
          // To the centre of a sample.
          transform: { scaleX: 10, scaleY: -10, shearX: 0, shearY: 0, translateX: 500_005, translateY: 4_999_995 },
          crs: 'EPSG:32633',
        },
        supportedFormats: { string: ['GeoTIFF', 'GIF', 'PNG', 'JPEG', 'TIFF'] },
        interpolationMethods: { string: ['nearest neighbor', 'bilinear', 'bicubic'] },
        defaultInterpolationMethod: 'nearest neighbor',
        dimensions: {
          coverageDimension: [
            {
              name: 'GRAY_INDEX',
              description: 'gray',
              range: { min: '-inf', max: 'inf' },
              dimensionType: { name: 'UNSIGNED_8BITS' },
            },
          ],
        },
        requestSRS: { string: ['EPSG:32633'] },
        responseSRS: { string: ['EPSG:32633'] },
        parameters: {
          entry: [{ string: ['InputTransparentColor', ''] }, { string: ['SUGGESTED_TILE_SIZE', '512,512'] }],
        },
        nativeCoverageName: 'relief',
      },
    });
  });

  it('are written in XML in the documented order', async () => {
    const path = await publish(server, 'ordered');

    const { text } = await server.get(`${path}.xml`);

    expect(text).toContain(`  <grid dimension="2">
    <range>
      <low>0 0</low>
      <high>30 20</high>
    </range>
    <transform>
      <scaleX>10</scaleX>
      <scaleY>-10</scaleY>
      <shearX>0</shearX>
      <shearY>0</shearY>
      <translateX>500005</translateX>
      <translateY>4999995</translateY>
    </transform>
    <crs>EPSG:32633</crs>
  </grid>
`);
    expect(text).toContain(`  <parameters>
    <entry>
      <string>InputTransparentColor</string>
      <string></string>
    </entry>
`);
    const names = [...text.matchAll(/^ {2}<(\w+)/gm)].map(([, name]) => name);
    expect(names.slice(names.indexOf('nativeFormat'))).toEqual([
      'nativeFormat',
      'grid',
      'supportedFormats',
      'interpolationMethods',
      'defaultInterpolationMethod',
      'dimensions',
      'requestSRS',
      'responseSRS',
      'parameters',
      'nativeCoverageName',
    ]);
  });

  it('are published under other names with the metadata of the client', async () => {
    await publish(server, 'many');

    const created = await server.post(
      `${stores}/many/coverages`,
      `<coverage><name>hills</name><nativeCoverageName>many</nativeCoverageName><title>Hills</title><srs>EPSG:4326</srs>
      <enabled>false</enabled><requestSRS><string>EPSG:3857</string></requestSRS>
      <parameters><entry><string>Bands</string><string>1</string></entry></parameters></coverage>`,
    );

    expect(created.status).toBe(201);
    expect(await readResource(server, `${stores}/many/coverages/hills`)).toMatchObject({
      title: 'Hills',
      srs: 'EPSG:4326',
      enabled: false,
      nativeName: 'many',
      requestSRS: { string: ['EPSG:3857'] },
      parameters: { entry: [{ string: ['Bands', '1'] }] },
      // The native data keeps its own CRS, independent of the declared one.
      nativeBoundingBox: { minx: 500_000 },
    });
  });

  it('warn about parameters without effect, on creation and on change', async () => {
    const path = await publish(server, 'odd');
    const entries = (parameters: Readonly<Record<string, string>>) => ({
      parameters: { entry: Object.entries(parameters).map((string) => ({ string })) },
    });
    const change = async (parameters: Readonly<Record<string, string>>) => {
      const reply = await server.put(path, JSON.stringify({ coverage: entries(parameters) }));
      expect(reply.status, reply.text).toBe(200);
      return reply.headers['warning'];
    };
    const understood = {
      SORTING: 'day D,id',
      MergeBehavior: 'max',
      FootprintBehavior: 'cut',
      BackgroundValues: '0, 255',
      USE_JAI_IMAGEREAD: 'no',
    };

    expect(
      await change({ ...understood, InputTransparentColor: '#a0B1c2', OutputTransparentColor: '' }),
    ).toBeUndefined();
    expect(await change({ FootprintBehavior: 'Fold' })).toContain("expected 'None', 'Cut' or 'Transparent'");
    expect(await change({ InputTransparentColor: 'red' })).toContain("found 'red'");
    expect(await change({ BackgroundValues: '0,none' })).toContain("found '0,none'");
    expect(await change({ SORTING: 'day sideways' })).toContain("found 'day sideways'");
    expect(await change({ MergeBehavior: 'STACK' })).toContain("expected 'FLAT', 'MIN' or 'MAX', found 'STACK'");
    expect(await change({ Stacking: 'on' })).toContain("The parameter 'Stacking' of a coverage has no effect");
    const coverage = { name: 'odder', nativeCoverageName: 'odd', ...entries({ SORTING: 'day and night' }) };
    const created = await server.post(`${stores}/odd/coverages`, JSON.stringify({ coverage }));
    expect(created.headers['warning']).toContain("found 'day and night'");
  });

  it('are listed under their store and under the workspace, or as names of the data', async () => {
    await server.post('/workspaces', '<workspace><name>lists</name></workspace>');
    const own = '/workspaces/lists/coveragestores';
    await putTiff(server, `${own}/b/file.geotiff`);
    await putTiff(server, `${own}/a/file.geotiff?configure=none`);

    const listed = async (path: string) => (await server.get(path, host)).json();

    const rest = 'http://h/geoserver/rest/workspaces/lists';
    expect(await listed(`${own}/b/coverages.json`)).toEqual({
      coverages: { coverage: [{ name: 'b', href: `${rest}/coveragestores/b/coverages/b.json` }] },
    });
    expect(await listed('/workspaces/lists/coverages.json')).toEqual({
      coverages: { coverage: [{ name: 'b', href: `${rest}/coverages/b.json` }] },
    });
    expect(await listed(`${own}/a/coverages.json?list=available`)).toEqual({ list: { string: ['a'] } });
    expect(await listed(`${own}/b/coverages.json?list=available`)).toEqual({ list: { string: [] } });
    expect(await listed('/workspaces/lists/coverages.json?list=all')).toEqual({ list: { string: ['a', 'b'] } });
    expect((await server.get('/workspaces/lists/coverages.xml?list=all')).text).toBe(
      '<list>\n  <coverageName>a</coverageName>\n  <coverageName>b</coverageName>\n</list>\n',
    );
    expect((await server.get('/workspaces/lists/coverages?list=some')).status).toBe(400);
  });

  it('of readable stores are listed with a warning that names an unreadable store', async () => {
    await server.post('/workspaces', '<workspace><name>partly</name></workspace>');
    const own = '/workspaces/partly/coveragestores';
    await putTiff(server, `${own}/whole/file.geotiff?configure=none`);
    await mkdir(join(server.dataDir, 'data'), { recursive: true });
    await writeFile(join(server.dataDir, 'data', 'torn.tif'), geotiffBytes(30, 20).subarray(0, 60));
    const broken = '{"coverageStore":{"name":"torn","type":"GeoTIFF","url":"file:data/torn.tif"}}';
    await server.post(own, broken);

    const all = await server.get('/workspaces/partly/coverages.json?list=all');
    const alone = await server.get(`${own}/torn/coverages.json?list=all`);

    expect(all.status).toBe(200);
    expect(all.json()).toEqual({ list: { string: ['whole'] } });
    expect(all.headers['warning']).toContain("The store 'torn' is omitted: The raster file 'torn.tif'");
    expect(alone.status).toBe(400);
  });

  it('are created and read without their store in the path if the document names it', async () => {
    await putTiff(server, `${stores}/direct/file.geotiff?configure=none`);
    const all = '/workspaces/acme/coverages';

    const without = await server.post(all, '{"coverage":{"name":"direct"}}');
    const created = await server.post(all, '{"coverage":{"name":"direct","store":{"name":"acme:direct"}}}', host);

    expect(without.status).toBe(400);
    expect(without.text).toContain('does not name the store');
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe(
      'http://h/geoserver/rest/workspaces/acme/coveragestores/direct/coverages/direct',
    );
    expect((await server.get(`${all}/direct.xml`)).status).toBe(200);
    expect((await server.request('DELETE', `${all}/direct`)).status).toBe(405);
  });

  it.each([
    ['an unknown name of the data', '{"coverage":{"name":"a","nativeCoverageName":"b"}}', 400, "It has 'full'"],
    ['a name in use', '{"coverage":{"name":"full"}}', 409, "'full'"],
    ['an invalid name', '{"coverage":{"name":"a:b"}}', 400, 'the character :'],
    ['another workspace', '{"coverage":{"name":"a","namespace":{"name":"b"}}}', 403, "'b'"],
    ['another store', '{"coverage":{"name":"a","store":{"name":"acme:b"}}}', 403, "'acme:b'"],
    ['an unknown CRS', '{"coverage":{"name":"a","srs":"EPSG:0"}}', 400, 'EPSG:0'],
    ['too many bands', '{"coverage":{"name":"a","dimensions":{"coverageDimension":[{},{}]}}}', 400, 'has 1'],
    [
      'an invalid range',
      '{"coverage":{"name":"a","dimensions":{"coverageDimension":[{"range":{"min":"x","max":1}}]}}}',
      400,
      'band 1',
    ],
    [
      'a reversed range',
      '{"coverage":{"name":"a","dimensions":{"coverageDimension":[{"range":{"min":2,"max":1}}]}}}',
      400,
      'exceeds the maximum',
    ],
    [
      'a null value that is not a number',
      '{"coverage":{"name":"a","dimensions":{"coverageDimension":[{"nullValues":{"double":["none"]}}]}}}',
      400,
      "'none'",
    ],
    [
      'an invalid dimension',
      '{"coverage":{"name":"a","metadata":{"entry":{"@key":"time","dimensionInfo":{"presentation":"SOME"}}}}}',
      400,
      "'SOME'",
    ],
    ['another document type', '{"featureType":{"name":"a"}}', 400, 'coverage'],
  ])('are rejected with %s', async (_what, body, status, said) => {
    await publish(server, 'full');

    const reply = await server.post(`${stores}/full/coverages`, body);

    expect(reply.text).toContain(said);
    expect(reply.status).toBe(status);
    expect((await server.get('/workspaces/acme/coverages/a')).status).toBe(404);
  });

  it('share their names with feature types, because each is a layer', async () => {
    await publish(server, 'shared');
    await putZip(server, '/workspaces/acme/datastores/shapes/file.shp', zipOf({ lines: pointShapefile() }));

    const vector = await server.post(
      '/workspaces/acme/datastores/shapes/featuretypes',
      '{"featureType":{"name":"shared","nativeName":"lines"}}',
    );
    const raster = await server.post(
      `${stores}/shared/coverages`,
      '{"coverage":{"name":"lines","nativeCoverageName":"shared"}}',
    );

    expect([vector.status, raster.status]).toEqual([409, 409]);
  });

  it('return 404 if any part of the path is unknown', async () => {
    await publish(server, 'there');

    for (const path of [
      `${stores}/there/coverages/none`,
      `${stores}/none/coverages/there`,
      '/workspaces/none/coverages/there',
      '/workspaces/acme/coverages/none',
    ]) {
      expect((await server.get(path)).status).toBe(404);
    }
  });

  it.each(['json', 'xml'])('are unchanged by their own document in %s', async (format) => {
    const path = await publish(server, `back-${format}`, bareTiff());
    const before = await server.get(`${path}.${format}`);

    const reply = await server.put(path, before.text);

    expect(reply.status).toBe(200);
    expect(reply.headers['warning']).toBeUndefined();
    const after = await server.get(`${path}.${format}`);
    expect(after.text).toBe(before.text);
    expect(after.headers['etag']).toBe(before.headers['etag']);
  });

  it('are renamed with their layer and keep omitted fields', async () => {
    const path = await publish(server, 'plain');

    const reply = await server.put(path, '<coverage><name>fancy</name><abstract>High.</abstract></coverage>');

    expect(reply.status).toBe(200);
    expect((await server.get(path)).status).toBe(404);
    expect((await server.get('/layers/acme:fancy')).status).toBe(200);
    expect(await readResource(server, '/workspaces/acme/coverages/fancy')).toMatchObject({
      abstract: 'High.',
      title: 'plain',
      nativeName: 'plain',
    });
  });

  it('keep edited band metadata until it is recomputed', async () => {
    const path = await publish(server, 'bands', bareTiff());
    const reported = `<coverage><dimensions>
      <coverageDimension><name>height</name><description>Metres above the sea</description>
        <range><min>-10</min><max>inf</max></range><nullValues><double>NaN</double><double>0</double></nullValues><unit>m</unit></coverageDimension>
      <coverageDimension/>
      <coverageDimension><name>quality</name></coverageDimension>
    </dimensions></coverage>`;

    const reply = await server.put(path, reported);
    const changed = await readResource(server, path);
    await putTiff(server, `${stores}/bands/file.geotiff`, bareTiff());
    const uploaded = await readResource(server, path);
    await server.put(`${path}?calculate=dimensions`, '<coverage/>');
    const anew = await readResource(server, path);

    expect(reply.status).toBe(200);
    const said = {
      dimensions: {
        coverageDimension: [
          {
            name: 'height',
            description: 'Metres above the sea',
            range: { min: -10, max: 'inf' },
            nullValues: { double: ['NaN', 0] },
            unit: 'm',
          },
          { name: 'depth', unit: 'm' },
          { name: 'quality' },
        ],
      },
    };
    expect(changed).toMatchObject(said);
    expect(uploaded).toMatchObject(said);
    expect(anew).toMatchObject({
      dimensions: { coverageDimension: [{ name: 'GRAY_INDEX' }, { name: 'depth' }, { name: 'Band3' }] },
    });
  });

  it('accept boxes, and recompute them on request', async () => {
    const path = await publish(server, 'boxes');
    const native = (await readResource(server, path))['nativeBoundingBox'];

    await server.put(
      path,
      '{"coverage":{"nativeBoundingBox":{"minx":500000,"maxx":500010,"miny":4999990,"maxy":5000000}}}',
    );
    const reported = await readResource(server, path);
    const wrong = await server.put(`${path}?calculate=everything`, '{"coverage":{}}');
    await server.put(`${path}?calculate=nativebbox,latlonbbox`, '{"coverage":{}}');
    const anew = await readResource(server, path);

    expect(reported).toMatchObject({ nativeBoundingBox: { maxx: 500_010 } });
    expect(reported['latLonBoundingBox']).not.toEqual(anew['latLonBoundingBox']);
    expect(wrong.status).toBe(400);
    expect(anew['nativeBoundingBox']).toEqual(native);
  });

  it('are declared in another CRS, which services use until a client changes it', async () => {
    const path = await publish(server, 'declared');

    await server.put(path, '{"coverage":{"srs":"EPSG:3857"}}');

    expect(await readResource(server, path)).toMatchObject({
      srs: 'EPSG:3857',
      requestSRS: { string: ['EPSG:3857'] },
      responseSRS: { string: ['EPSG:3857'] },
    });
  });

  it('get a lat/lon box as soon as their CRS is declared', async () => {
    await putRasterZip(server, `${stores}/late/file.worldimage`, worldImageZip('late', ['png', 'pgw']));

    await server.put(`${stores}/late/coverages/late`, '<coverage><srs>EPSG:4326</srs></coverage>');

    expect(await readResource(server, '/workspaces/acme/coverages/late')).toMatchObject({
      srs: 'EPSG:4326',
      latLonBoundingBox: { minx: 10, maxx: 20, miny: 45, maxy: 50 },
    });
  });

  it('are deleted with their layer only with recurse, and can be published again', async () => {
    const path = await publish(server, 'gone');

    const refused = await server.delete(path);
    const deleted = await server.delete(`${path}?recurse=true`);
    const again = await server.post(`${stores}/gone/coverages`, '{"coverage":{"name":"gone"}}');

    expect(refused.status).toBe(403);
    expect(refused.text).toContain("layer 'gone'");
    expect(deleted.status).toBe(200);
    expect(again.status).toBe(201);
  });

  it('check the conditional headers', async () => {
    const path = await publish(server, 'seen');
    const outdated = { headers: { 'if-match': '"0"' } };

    expect((await server.put(path, '{"coverage":{"title":"a"}}', outdated)).status).toBe(412);
    expect((await server.delete(`${path}?recurse=true`, outdated)).status).toBe(412);
  });

  it('report problems with their data', async () => {
    await writeFile(join(server.dataDir, 'data', 'lost.tif'), geotiffBytes(5, 5));
    await server.post(stores, '{"coverageStore":{"name":"lost","url":"file:data/lost.tif"}}');
    await server.post(`${stores}/lost/coverages`, '{"coverage":{"name":"lost"}}');
    await writeFile(join(server.dataDir, 'data', 'lost.tif'), 'nothing of value');

    const read = await server.get(`${stores}/lost/coverages/lost`);
    const computed = await server.put(`${stores}/lost/coverages/lost?calculate=nativebbox`, '{"coverage":{}}');

    expect(read.status).toBe(200);
    expect(computed.status).toBe(400);
    expect(computed.text).toContain('lost.tif');
  });

  it('show their extent, their bands and a link to their layer on the page', async () => {
    const path = await publish(server, 'page');

    const page = await server.get(`${path}.html`);
    const layer = await server.get('/workspaces/acme/layers/page.html');

    expect(page.text).toContain('<svg class="extent"');
    expect(page.text).toContain('30 columns and 20 rows');
    expect(page.text).toContain('<th scope="row">GRAY_INDEX</th>');
    expect(layer.text).toContain('class="swatch"');
    expect(layer.text).toContain('<svg class="extent"');
    expect(layer.text).toContain('/coveragestores/page/coverages/page.html');
  });

  it('are hidden from users who cannot read their layers', async () => {
    await publish(server, 'hidden');
    await publish(server, 'open');
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    await server.post('/security/acl/layers', '{"acme.hidden.r":"ROLE_OTHERS","other.*.a":"ROLE_ANN"}');

    const listed = await server.get('/layers.json', { as: ann });

    expect(listed.text).toContain('acme:open');
    expect(listed.text).not.toContain('acme:hidden');
    expect((await server.get('/layers/acme:hidden', { as: ann })).status).toBe(404);
    expect((await server.get(`${stores}/open/coverages/open`, { as: ann })).status).toBeGreaterThanOrEqual(403);
  });
});

describe('coverages in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it('are always enabled on creation', async () => {
    await putTiff(server, `${stores}/relief/file.geotiff?configure=none`);

    const created = await server.post(
      `${stores}/relief/coverages`,
      '<coverage><name>relief</name><enabled>false</enabled></coverage>',
    );

    expect(created.status).toBe(201);
    expect(created.text).toBe('relief');
    expect(await readResource(server, '/workspaces/acme/coverages/relief')).toMatchObject({ enabled: true });
  });

  it('write single-item lists as the item and accept that form', async () => {
    const path = await publish(server, 'single');
    const before = await server.get(`${path}.json`);

    const reply = await server.put(path, before.text);

    expect(before.json()).toMatchObject({
      coverage: {
        dimensions: { coverageDimension: { name: 'GRAY_INDEX' } },
        requestSRS: { string: 'EPSG:32633' },
      },
    });
    expect(reply.status).toBe(200);
    expect((await server.get(`${path}.json`)).text).toBe(before.text);
  });

  it('are not deleted while a layer uses them', async () => {
    const path = await publish(server, 'used');

    expect((await server.delete(path)).status).toBe(403);
  });
});
