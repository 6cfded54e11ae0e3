import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { rawZip } from '../../../test/support/raw-zip.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { findFileSet, uploadedFiles } from '../../../test/support/uploaded-files.ts';
import {
  createZipEntries,
  featureTypes,
  pointShapefile,
  polygonShapefile,
  putZip,
  readResource,
  UTM33_PRJ,
  zipOf,
} from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

describe('upload of a zipped shapefile', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  it('creates the store, a feature type named after the file, and its layer', async () => {
    const reply = await putZip(server, `${stores}/roads/file.shp`, zipOf({ places: pointShapefile() }));

    expect(reply).toMatchObject({ status: 201, text: 'Published acme:places (EPSG:4326).\n' });
    expect(reply.headers['location']).toMatch(/\/rest\/workspaces\/acme\/datastores\/roads$/);
    expect(await readResource(server, `${stores}/roads`)).toMatchObject({
      name: 'roads',
      type: 'Shapefile',
      enabled: true,
      connectionParameters: {
        entry: [
          { '@key': 'namespace', $: 'http://acme' },
          { '@key': 'url', $: expect.stringMatching(/^file:data\/acme\/roads\/\d+\/$/) },
        ],
      },
    });
    expect(await readResource(server, `${stores}/roads/featuretypes/places`)).toMatchObject({
      name: 'places',
      nativeName: 'places',
      title: 'places',
      srs: 'EPSG:4326',
      nativeBoundingBox: { minx: 10, maxx: 12, miny: 50, maxy: 52, crs: 'EPSG:4326' },
      latLonBoundingBox: { minx: 10, maxx: 12, miny: 50, maxy: 52, crs: 'EPSG:4326' },
      enabled: true,
      attributes: {
        attribute: [
          { name: 'the_geom', binding: 'org.locationtech.jts.geom.Point' },
          { name: 'name', binding: 'java.lang.String', length: 20 },
          { name: 'rank', binding: 'java.lang.Integer', length: 9 },
          { name: 'seen', binding: 'java.util.Date', length: 8 },
        ],
      },
    });
    expect(await readResource(server, '/layers/acme:places')).toMatchObject({ defaultStyle: { name: 'point' } });
  });

  it.each(['application/x-zip-compressed', 'multipart/x-zip', 'application/octet-stream', 'text/xml'])(
    'accepts it as %s as well',
    async (type) => {
      const name = type.replaceAll(/\W/g, '');

      const reply = await putZip(server, `${stores}/${name}/file.shp`, zipOf({ [name]: pointShapefile() }), type);

      expect(reply.status).toBe(201);
      expect(await featureTypes(server, `acme/${name}`)).toEqual([name]);
    },
  );

  it('accepts it without a Content-Type', async () => {
    const reply = await server.request('PUT', `${stores}/untyped/file.shp`, { body: zipOf({ u: pointShapefile() }) });

    expect(reply.status).toBe(201);
  });

  it('finds the shapefile in a folder of the archive and ignores macOS metadata files', async () => {
    const shadow = createZipEntries({ '._deep': { shp: Buffer.from('Mac OS X') } }, '__MACOSX/some/');

    const reply = await putZip(
      server,
      `${stores}/deep/file.shp`,
      rawZip([...createZipEntries({ deep: pointShapefile() }, 'some/folder/'), ...shadow]),
    );

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/deep')).toEqual(['deep']);
  });

  it.each([
    ['first', ['a-first']],
    ['all', ['a-all', 'b-all']],
    ['none', []],
    ['ALL', ['a-ALL', 'b-ALL']],
    ['whatever', ['a-whatever']],
  ])('publishes by configure=%s', async (configure, expected) => {
    const shapefiles = { [`b-${configure}`]: pointShapefile(), [`a-${configure}`]: polygonShapefile() };

    const path = `${stores}/by-${configure}/file.shp?configure=${configure}`;
    const reply = await putZip(server, path, zipOf(shapefiles));

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, `acme/by-${configure}`)).toEqual(expected);
  });

  it('appends a number to a name in use', async () => {
    for (const store of ['one', 'two', 'three']) {
      await putZip(server, `${stores}/${store}/file.shp`, zipOf({ same: pointShapefile() }));
    }

    expect(await featureTypes(server, 'acme/one')).toEqual(['same']);
    expect(await featureTypes(server, 'acme/two')).toEqual(['same1']);
    expect(await featureTypes(server, 'acme/three')).toEqual(['same2']);
    expect(await readResource(server, `${stores}/two/featuretypes/same1`)).toMatchObject({
      nativeName: 'same',
      title: 'same1',
    });
  });

  it('replaces data of the same name, refreshes the type, and deletes the old files', async () => {
    await putZip(server, `${stores}/again/file.shp`, zipOf({ moved: pointShapefile(3, [10, 50]) }));
    const change = '<featureType><title>Said by people</title></featureType>';
    await server.put(`${stores}/again/featuretypes/moved`, change);

    const reply = await putZip(server, `${stores}/again/file.shp`, zipOf({ moved: pointShapefile(2, [20, 40]) }));

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/again')).toEqual(['moved']);
    expect(await readResource(server, `${stores}/again/featuretypes/moved`)).toMatchObject({
      title: 'Said by people',
      nativeBoundingBox: { minx: 20, maxx: 21, miny: 40, maxy: 41 },
    });
    expect(await readdir(await uploadedFiles(server, 'acme/again'))).toEqual([
      'moved.dbf',
      'moved.prj',
      'moved.shp',
      'moved.shx',
    ]);
  });

  it('keeps a projected CRS with its class', async () => {
    const body = zipOf({ utm: pointShapefile(2, [500_000, 5_500_000], UTM33_PRJ) });

    await putZip(server, `${stores}/utm/file.shp`, body);

    const type = await readResource(server, `${stores}/utm/featuretypes/utm`);
    expect(type).toMatchObject({
      srs: 'EPSG:32633',
      nativeCRS: { '@class': 'projected', $: expect.stringMatching(/^PROJCS\[/) },
      nativeBoundingBox: { minx: 500_000, crs: { '@class': 'projected', $: 'EPSG:32633' } },
    });
    expect((type['latLonBoundingBox'] as { minx: number; miny: number }).minx).toBeCloseTo(15, 3);
    const xml = await server.get(`${stores}/utm/featuretypes/utm.xml`);
    expect(xml.text).toContain('<nativeCRS class="projected">PROJCS[');
    expect(xml.text).toContain('<crs class="projected">EPSG:32633</crs>');
  });

  it.each(['é'.repeat(99), '日本?'.repeat(28), 'CON'])(
    'accepts a store named %s, which is not a portable file name',
    async (name) => {
      const store = `${stores}/${encodeURIComponent(name)}`;
      const { shp = Buffer.alloc(0) } = pointShapefile(1);

      const single = await putZip(server, `${store}/file.shp`, Buffer.from(shp), 'x/y');
      await server.request('DELETE', `${store}?recurse=true`);
      const imported = await putZip(server, `${store}/file.shp?target=gpkg`, zipOf({ named: pointShapefile(1) }));

      expect([single.status, imported.status]).toEqual([201, 201]);
      expect(await readResource(server, store)).toMatchObject({ name, type: 'GeoPackage' });
    },
  );

  it('accepts a single .shp file under the given name', async () => {
    const { shp } = pointShapefile();

    const reply = await putZip(server, `${stores}/alone/file.shp?filename=lonely.shp`, shp ?? Buffer.alloc(0), 'x/y');

    expect(reply.status).toBe(201);
    expect(await featureTypes(server, 'acme/alone')).toEqual(['lonely']);
  });

  it('survives renaming the workspace and the store, until the workspace is deleted', async () => {
    await server.post('/workspaces', '<workspace><name>before</name></workspace>');
    await putZip(server, '/workspaces/before/datastores/s/file.shp', zipOf({ kept: pointShapefile() }));
    await server.put('/workspaces/before', '<workspace><name>after</name></workspace>');
    await server.put('/workspaces/after/datastores/s', '<dataStore><name>t</name></dataStore>');

    const all = await server.get('/workspaces/after/datastores/t/featuretypes.json?list=all');
    expect(all.json()).toEqual({ list: { string: ['kept'] } });
    expect((await server.delete('/workspaces/after?recurse=true')).status).toBe(200);
    expect((await server.get('/workspaces/after/datastores/t/featuretypes.json?list=all')).status).toBe(404);
  });

  it('is deleted with the store, and a new store of the same name starts empty', async () => {
    await putZip(server, `${stores}/gone/file.shp`, zipOf({ gone: pointShapefile() }));
    const document = await server.get(`${stores}/gone.xml`);

    expect((await server.delete(`${stores}/gone`)).status).toBe(403);
    expect((await server.delete(`${stores}/gone?recurse=true`)).status).toBe(200);

    expect((await server.post(stores, document.text)).status).toBe(201);
    expect(await findFileSet(server, 'acme/gone')).toBeNull();
    expect((await server.get(`${stores}/gone/featuretypes.json?list=all`)).status).toBe(400);
  });

  it('reads texts in the given charset and keeps it', async () => {
    await putZip(server, `${stores}/encoded/file.shp?charset=ISO-8859-15`, zipOf({ encoded: pointShapefile() }));

    expect(JSON.stringify(await readResource(server, `${stores}/encoded`))).toContain(
      '{"@key":"charset","$":"ISO-8859-15"}',
    );
  });
});
