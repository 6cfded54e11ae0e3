/** Stores over files of other servers, read by range requests. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { encodeFlatgeobuf } from '../../../test/support/flatgeobuf-files.ts';
import { encodeGeoparquet } from '../../../test/support/geoparquet-files.ts';
import { type RangeServer, startRangeServer } from '../../../test/support/range-server.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import type { Geometry } from '../../geometry/geometry.ts';

const stores = '/workspaces/acme/datastores';
const fixture = new URL('../../../test/fixtures/geoparquet/areas-zstd.parquet', import.meta.url).pathname;

/** A grid of points with long texts. */
const SIDE = 150;
const text = 'x'.repeat(400);
const points = Array.from(
  { length: SIDE * SIDE },
  (_, index): Geometry => wkt(`POINT (${index % SIDE} ${Math.floor(index / SIDE)})`),
);

function encodeGrid(note: string): Promise<Buffer> {
  return encodeFlatgeobuf({
    attributes: [geometryColumn('Point', 'EPSG:25832'), column('number', 'integer'), column('note', 'string')],
    rows: points.map((point, index) => [point, index, `${note} ${text}`]),
  });
}

describe('files of other servers', () => {
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  let remote: RangeServer;
  let first: Buffer;
  let second: Buffer;
  beforeAll(async () => {
    first = await encodeGrid('first');
    second = await encodeGrid('second');
    const grid = encodeGeoparquet({
      columns: [
        { name: 'number', data: points.map((_, index) => index), type: 'INT32' },
        { name: 'note', data: points.map((_, index) => `${index} ${text}`), type: 'STRING' },
      ],
      geometry: { name: 'geometry', values: points },
      hasCovering: true,
      rowGroupSize: SIDE * 10,
    });
    remote = await startRangeServer({
      '/grid.fgb': { bytes: first, etag: '"1"' },
      '/changing.fgb': { bytes: first, etag: '"1"' },
      '/grid.parquet': { bytes: grid, etag: '"1"' },
      '/areas.parquet': { bytes: await readFile(fixture), etag: '"1"' },
      '/broken.fgb': { bytes: Buffer.from('not a FlatGeobuf file'), etag: '"1"' },
    });
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    const regex = `^http://data[.]example[.]test:${remote.port}/[a-z]+[.](fgb|parquet)$`;
    await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: 'data', regex, enabled: true } }));
  });
  afterAll(() => remote.close());

  const createStore = (name: string, parameters: Readonly<Record<string, string>>, query = '') => {
    const entry = Object.entries(parameters).map(([key, value]) => ({ '@key': key, $: value }));
    return server.post(`${stores}${query}`, JSON.stringify({ dataStore: { name, connectionParameters: { entry } } }));
  };
  const addressOf = (file: string) => `http://data.example.test:${remote.port}/${file}`;
  const publish = async (store: string, type: string) =>
    server.post(`${stores}/${store}/featuretypes`, JSON.stringify({ featureType: { name: type, nativeName: type } }));
  const wfs = (type: string, query: string) =>
    server.get(
      `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:${type}&outputFormat=application/json&${query}`,
    );
  const numbersOf = (reply: { json(): unknown }) =>
    (reply.json() as { readonly features: readonly { readonly properties: { readonly number: number } }[] }).features
      .map(({ properties }) => properties.number)
      .sort((one, other) => one - other);

  it.each([
    ['fgb', { dbtype: 'fgb', file: 'grid.fgb' }, 'file', 'geom'],
    ['parquet', { dbtype: 'geoparquet', uri: 'grid.parquet' }, 'uri', 'geometry'],
  ] as const)(
    'of the format %s are published, and a box reads only a part of them',
    async (store, sent, name, geometry) => {
      const file = 'file' in sent ? sent.file : sent.uri;
      const made = await createStore(store, { dbtype: sent.dbtype, [name]: addressOf(file) }, '?validate=connect');
      const published = await publish(store, 'grid');
      const [before, asked] = [remote.countSentBytes(), remote.asked.length];

      const found = await wfs('grid', `cql_filter=BBOX(${geometry},70.5,70.5,72.5,72.5)&propertyName=number`);

      expect([made.status, published.status], `${made.text} ${published.text}`).toEqual([201, 201]);
      expect(numbersOf(found)).toEqual([71 * SIDE + 71, 71 * SIDE + 72, 72 * SIDE + 71, 72 * SIDE + 72]);
      expect(remote.countSentBytes() - before).toBeLessThan((remote.files.get(`/${file}`)?.bytes.length ?? 0) / 4);
      expect(remote.asked.length - asked).toBeLessThanOrEqual(3);
      const again = remote.asked.length;
      await wfs('grid', `cql_filter=BBOX(${geometry},70.5,70.5,72.5,72.5)&propertyName=number`);
      expect(remote.asked.length).toBe(again);
      await server.delete(`${stores}/${store}?recurse=true`);
    },
  );

  it('are described like local ones', async () => {
    await createStore('areas', { dbtype: 'geoparquet', uri: addressOf('areas.parquet') });
    const published = await publish('areas', 'areas');

    expect(published.status, published.text).toBe(201);
    expect((await server.get(`${stores}/areas/featuretypes/areas.json`)).json()).toMatchObject({
      featureType: { srs: 'EPSG:25832', nativeBoundingBox: { minx: 0, maxx: 21, miny: 0, maxy: 21 } },
    });
  });

  it('that change are read again, and versions are never mixed', async () => {
    await createStore('changing', { dbtype: 'fgb', file: addressOf('changing.fgb') });
    await publish('changing', 'changing');
    await wfs('changing', 'cql_filter=BBOX(geom,0,0,1,1)');
    remote.files.set('/changing.fgb', { bytes: second, etag: '"2"' });

    const reply = await wfs('changing', 'cql_filter=BBOX(geom,100,100,103,103)');

    const notes = (reply.json() as { features: { properties: { note: string } }[] }).features.map(
      ({ properties }) => properties.note.split(' ')[0],
    );
    expect([reply.status, notes.length, new Set(notes)]).toEqual([200, 16, new Set(['second'])]);
  });

  it.each([
    ['fgb', 'is replaced by other content', 'has invalid content', () => Buffer.from('no features at all, only text')],
    ['fgb', 'has damaged features', 'is truncated', (bytes: Buffer) => bytes.fill(0xff, 1_500_000)],
    ['fgb', 'loses its end', 'has invalid content', (bytes: Buffer) => bytes.subarray(0, bytes.length / 5)],
    [
      'parquet',
      'has damaged row groups',
      'has invalid content',
      (bytes: Buffer) => bytes.fill(0xff, 4, bytes.length - 100_000),
    ],
    ['parquet', 'loses its end', 'has invalid content', (bytes: Buffer) => bytes.subarray(0, bytes.length / 5)],
  ] as const)(
    'that are damaged are reported to clients without their name: %s, %s',
    async (format, how, fault, damage) => {
      const name = `${format}${how.replaceAll(/\W/g, '')}`;
      const { bytes = first } = remote.files.get(`/grid.${format}`) ?? {};
      remote.files.set(`/${name}.${format}`, { bytes, etag: '"1"' });
      const [dbtype, parameter] = format === 'fgb' ? ['fgb', 'file'] : ['geoparquet', 'uri'];
      await createStore(name, { dbtype, [parameter]: addressOf(`${name}.${format}`) });
      const published = await publish(name, name);
      remote.files.set(`/${name}.${format}`, { bytes: damage(Buffer.from(bytes)), etag: '"2"' });

      const geometry = format === 'fgb' ? 'geom' : 'geometry';
      const system = format === 'fgb' ? '&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/25832' : '';
      const box = `cql_filter=BBOX(${geometry},60,60,63,63)`;
      const reply = await wfs(name, box);
      const items = await server.get(
        `//geoserver/ogc/features/v1/collections/acme:${name}/items?f=json&bbox=60,60,63,63${system}`,
      );

      expect(published.status, published.text).toBe(201);
      expect([reply.status, items.status]).toEqual([503, 503]);
      const message = `The data of this layer is unavailable: its file ${fault}.`;
      expect(reply.text).toContain(message);
      expect(items.json()).toMatchObject({ code: 'feature-data-damaged', detail: expect.stringContaining(message) });
      expect(reply.text + items.text).not.toContain(`${name}.${format}`);
      expect(server.log.join('')).toMatch(/"reason":"The file '…' (?:is truncated|is not valid at byte \d+): /);
      await server.delete(`${stores}/${name}?recurse=true`);
    },
  );

  it('are read again after a failure of their server and after a broken connection', async () => {
    let failures = 0;
    remote.files.set('/shaky.fgb', {
      bytes: first,
      etag: '"1"',
      answer(_, response) {
        failures += 1;
        if (failures === 1) response.writeHead(503).end();
        else if (failures === 2) {
          response.writeHead(206, { 'content-range': `bytes 0-65535/${first.length}`, 'content-length': '65536' });
          response.write(first.subarray(0, 1_000), () => response.destroy());
        }
        return failures <= 2;
      },
    });

    const made = await createStore('shaky', { dbtype: 'fgb', file: addressOf('shaky.fgb') }, '?validate=connect');

    expect([made.status, failures], made.text).toEqual([201, 3]);
  });

  it('are refused if no URL check allows them, or if the URL names no file', async () => {
    const asked = remote.asked.length;
    const refused = await createStore('other', { dbtype: 'fgb', file: addressOf('grid.csv') });
    const unnamed = await createStore('other', { dbtype: 'fgb', file: `http://data.example.test:${remote.port}/` });
    const unknown = await createStore('other', { dbtype: 'geoparquet', uri: 'ftp://data.example/grid.parquet' });

    expect([refused.status, unnamed.status, unknown.status]).toEqual([403, 400, 400]);
    expect(unnamed.text).toContain('its URL must end with the name of a file');
    expect(unknown.text).toContain('it must be a path, a file: URL or an https: URL');
    expect(remote.asked.length).toBe(asked);
  });

  it('that are invalid or missing are reported, and nothing is created', async () => {
    const broken = await createStore('broken', { dbtype: 'fgb', file: addressOf('broken.fgb') }, '?validate=connect');
    const missing = await createStore('broken', { dbtype: 'fgb', file: addressOf('missing.fgb') }, '?validate=connect');

    expect([broken.status, broken.text]).toEqual([400, expect.stringContaining("The file 'broken.fgb' is not valid")]);
    expect([missing.status, missing.text]).toEqual([502, expect.stringContaining('404')]);
    expect((await server.get(`${stores}/broken`)).status).toBe(404);
  });
});
