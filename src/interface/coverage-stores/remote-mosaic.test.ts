/** Mosaics of files of other servers, from lists of URLs and from STAC item collections. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RangeServer, startRangeServer } from '../../../test/support/range-server.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

const stores = '/workspaces/acme/coveragestores';
const TIFF = 'image/tiff; application=geotiff; profile=cloud-optimized';

interface GranuleList {
  readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}

describe('mosaic of remote files', () => {
  let remote: RangeServer;
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  const urlOf = (path: string) => `http://data.example.test:${remote.port}${path}`;
  const harvest = (store: string, body: string, query = '') =>
    server.request('POST', `${stores}/${store}/remote.imagemosaic${query}`, { type: 'text/plain', body });
  const granules = async (store: string) => {
    const reply = await server.get(`${stores}/${store}/coverages/${store}/index/granules.json`);
    return (reply.json() as GranuleList).features.map(({ properties }) => properties);
  };
  const define = (store: string, indexer: readonly string[]) =>
    server.request('PUT', `${stores}/${store}/file.imagemosaic?configure=none`, {
      type: 'application/zip',
      body: zipOfFiles({ 'indexer.properties': Buffer.from(['CanBeEmpty=true', ...indexer].join('\n')) }),
    });
  const item = (id: string, datetime: string, assets: Readonly<Record<string, unknown>>, cloud = 5) => ({
    ...{ type: 'Feature', stac_version: '1.0.0', id, geometry: null, assets, links: [] },
    properties: { datetime, cloud },
  });
  const collection = (...features: readonly unknown[]) => ({ type: 'FeatureCollection', features });
  /** The value of the mosaic at a position, or an empty text. */
  const sample = async (store: string, x: number, y: number, time = '') => {
    const { text } = await server.get(
      `//geoserver/wcs?service=WCS&version=1.0.0&request=GetCoverage&coverage=acme:${store}&format=GML&crs=EPSG:4326&width=1&height=1&bbox=${x},${y},${x + 1},${y + 1}${time === '' ? '' : `&time=${time}`}`,
    );
    return /tupleList[^>]*>(\S*)/.exec(text)?.[1] ?? text;
  };

  beforeAll(async () => {
    const granule = (left: number, value: number) =>
      granuleBytes({ left, top: 4, pixel: 1, epsg: 4326, value: () => value });
    remote = await startRangeServer({
      '/west.tif': { bytes: granule(0, 11), etag: '"w"' },
      '/east.tif': { bytes: granule(4, 22), etag: '"e"' },
      '/west-later.tif': { bytes: granule(0, 33), etag: '"l"' },
      '/broken.tif': { bytes: Buffer.alloc(50, 'no tiff'), etag: '"b"' },
    });
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const check = { name: 'data', regex: `^http://data\\.example\\.test:${remote.port}/.*$`, enabled: true };
    await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: check }));
  });
  afterAll(() => remote.close());

  it('is harvested from a list of URLs, and drawn without local files', async () => {
    await define('plain', []);

    const reply = await harvest(
      'plain',
      `# a comment\n${urlOf('/west.tif')}\n\n${urlOf('/east.tif')}?sig=x\n${urlOf('/broken.tif')}\n${urlOf('/none.tif')}\nhttp://elsewhere.example.test/a.tif\n`,
    );
    const published = await server.post(`${stores}/plain/coverages`, '<coverage><name>plain</name></coverage>');

    expect([reply.status, published.status], reply.text + published.text).toEqual([201, 201]);
    expect(reply.text).toContain('Harvested 2 granules from 5 files');
    expect(reply.text).toContain("Skipped none.tif: The URL 'http://data.example.test");
    expect(reply.text).toContain('Skipped a.tif: The URL ');
    expect(reply.text).toContain('Skipped broken.tif: its TIFF signature is missing.');
    expect(await granules('plain')).toEqual([
      expect.objectContaining({ location: urlOf('/west.tif') }),
      expect.objectContaining({ location: `${urlOf('/east.tif')}?sig=x` }),
    ]);
    expect([await sample('plain', 1, 1), await sample('plain', 5, 1)]).toEqual(['11', '22']);
  });

  it('has the times and properties of STAC items, of a body and of a URL', async () => {
    await define('dated', [
      'Schema=*the_geom:Polygon,location:String,day:java.util.Date,cloud:Integer',
      'TimeAttribute=day',
    ]);
    const first = collection(
      item('w', '2026-01-01T00:00:00Z', {
        visual: { href: urlOf('/west.tif'), type: TIFF },
        thumbnail: { href: urlOf('/west.png'), type: 'image/png' },
      }),
      item('none', '2026-01-01T00:00:00Z', { thumbnail: { href: urlOf('/west.png'), type: 'image/png' } }),
    );
    const bands = { red: { href: './east.tif', type: TIFF }, nir: { href: './west-later.tif', type: TIFF } };
    const served = collection(item('later', '2026-02-01T00:00:00Z', bands, 70));
    remote.files.set('/items', {
      bytes: Buffer.alloc(0),
      answer: (_, response) => {
        response
          .setHeader('content-type', 'application/geo+json')
          .end(JSON.stringify({ ...served, links: [{ rel: 'next' }] }));
        return true;
      },
    });

    const sent = await harvest('dated', JSON.stringify(first));
    const ambiguous = await harvest('dated', urlOf('/items'));
    const named = await harvest('dated', urlOf('/items'), '?asset=nir');
    await server.post(
      `${stores}/dated/coverages`,
      '<coverage><name>dated</name><metadata><entry key="time"><dimensionInfo><enabled>true</enabled><presentation>LIST</presentation><units>ISO8601</units></dimensionInfo></entry></metadata></coverage>',
    );

    expect(sent.text).toContain('Skipped none: it has no GeoTIFF asset.');
    expect(ambiguous.text).toContain(
      "Skipped later: it has several GeoTIFF assets ('red', 'nir'); select one with the parameter asset.",
    );
    expect(named.text).toContain('The item collection has further pages, which were not read.');
    expect(await granules('dated')).toEqual([
      expect.objectContaining({ location: urlOf('/west.tif'), day: expect.stringContaining('2026-01-01'), cloud: 5 }),
      expect.objectContaining({
        location: urlOf('/west-later.tif'),
        day: expect.stringContaining('2026-02-01'),
        cloud: 70,
      }),
    ]);
    expect([
      await sample('dated', 1, 1, '2026-01-01T00:00:00Z'),
      await sample('dated', 1, 1, '2026-02-01T00:00:00Z'),
    ]).toEqual(['11', '33']);
  });

  it.each([
    ['{"type":"FeatureCollection"}', 'it is not a STAC item or item collection'],
    ['{"type":', 'it is not valid JSON'],
    ['file:///etc/passwd', "'file:///etc/passwd' is not an http, https or s3 URL"],
    ['# nothing', 'it contains no URL'],
  ])('is not harvested from %s', async (body, reason) => {
    await define('invalid', []);

    const reply = await harvest('invalid', body);

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(`The list of remote granules is not valid: ${reason}.`);
  });

  it('is unchanged by a dry run, and restored when a harvest is undone', async () => {
    await define('tried', []);
    await harvest('tried', urlOf('/west.tif'));
    await server.post(`${stores}/tried/coverages`, '<coverage><name>tried</name></coverage>');

    const dry = await harvest('tried', urlOf('/east.tif'), '?dryRun=true');
    const afterDry = await granules('tried');
    const real = await harvest('tried', urlOf('/east.tif'));
    const afterReal = await granules('tried');
    const undone = await server.post(`/history/${real.headers['graticule-change']}/undo`, '');

    expect([dry.status, real.status, undone.status]).toEqual([201, 201, 200]);
    expect([afterDry.length, afterReal.length, (await granules('tried')).length]).toEqual([1, 2, 1]);
  });
});
