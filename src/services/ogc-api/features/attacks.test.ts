/** Hostile and slow clients. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { codePoint } from '../../../../test/support/code-points.ts';
import { ask, FEATURES, metres, places, publishShapefiles, towns } from '../../../../test/support/features.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';
import { pointShapefile } from '../../../../test/support/vector-samples.ts';
import { itemsNames } from './collections/items-parameters.ts';

/** Use at least 2,000 runs before a release. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 500);

describe('OGC API Features under attack', () => {
  const server = useTestServer();
  beforeAll(() => publishShapefiles(server, 'acme', { places, towns, metres }));
  const items = (query: string) => ask(server, `/collections/acme:places/items?${query}`);

  it('escapes markup in names and values', async () => {
    const script = '<script>alert(1)</script>';
    const reply = await items(`f=html&filter=${encodeURIComponent(`name = '${script}'`)}`);
    const refused = await items(`f=html&${encodeURIComponent(script)}=1`);

    expect(reply.text).not.toContain(script);
    expect(refused.headers['content-type']).toContain('text/html');
    expect(refused.text).not.toContain(script);
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
    expect(reply.headers['content-security-policy']).toContain("script-src 'self'");
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['a filter of ten thousand terms', Array.from({ length: 10_000 }, (_, index) => `rank = ${index}`).join(' OR ')],
    ['deep nesting', `${'('.repeat(5_000)}rank = 1${')'.repeat(5_000)}`],
    ['many negations', `${'NOT '.repeat(5_000)}rank = 1`],
    ['a pattern with exponential backtracking', `name LIKE '${'%a'.repeat(500)}%b'`],
    [
      'a long polygon',
      `S_INTERSECTS(the_geom, POLYGON((${Array.from({ length: 4_000 }, (_, i) => `${i % 90} ${i % 80}`).join(',')},0 0)))`,
    ],
    ['numbers out of range', 'rank = 1e999 AND rank < -1e308'],
    ['code instead of names', 'exec(java.lang.Runtime.getRuntime()) = 1'],
    ['a path', '"//rank[1]" = 1'],
    ['a prototype', '__proto__ = 1 AND constructor = 2'],
  ])(
    'survives %s',
    async (_what, filter) => {
      const started = performance.now();
      const reply = await items(`filter=${encodeURIComponent(filter).slice(0, 60_000)}`);

      expect([200, 400]).toContain(reply.status);
      expect(performance.now() - started).toBeLessThan(20_000);
    },
    60_000,
  );

  it('accepts request lines of 64 KB', async () => {
    const { app } = server.server;
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const list = Array.from({ length: 9_000 }, (_, index) => index).join(',');
    const address = `http://127.0.0.1:${port}${FEATURES.slice(1)}/collections/acme:places/items`;

    const reply = await fetch(`${address}?filter=rank%20IN%20(${list})&limit=1`);

    expect(list.length).toBeGreaterThan(40_000);
    expect([200, 400]).toContain(reply.status);
  });

  it.each([
    '__proto__',
    'constructor',
    'acme:',
    ':places',
    'acme:places:x',
    '..',
    '%00',
    'acme:place%C2%A0s',
    'x'.repeat(3_000),
  ])('returns 404 for the collection %s', async (name) => {
    const reply = await ask(server, `/collections/${name}/items`);

    expect([400, 404]).toContain(reply.status);
  });

  it('serves no files except its assets', async () => {
    const asset = async (name: string) => (await server.get(`//geoserver/ogc/assets/${name}`, { as: null })).status;

    expect(await asset('map.js')).toBe(200);
    expect(await asset('ol.js')).toBe(200);
    for (const name of ['..%2f..%2fpackage.json', 'package.json', 'map.js%00', '__proto__', 'ol.js.map']) {
      expect(await asset(name), name).toBeGreaterThanOrEqual(400);
    }
  });

  it(`never fails, whatever is asked (${RUNS} times)`, async () => {
    const word = fc.oneof(
      fc.constantFrom(
        'name',
        'rank',
        'seen',
        'the_geom',
        'acme:places',
        '1',
        '-1',
        '',
        '*',
        ',',
        "'",
        '"',
        '(',
        'true',
        'null',
      ),
      fc.string({ unit: codePoint, maxLength: 12 }),
      fc.double().map(String),
      fc.constantFrom(
        'rank > 3',
        "name = 'x'",
        'S_INTERSECTS(the_geom,POINT(1 2))',
        'BBOX(1,2,3,4)',
        '{"op":"=","args":[1,2]}',
      ),
      fc.constantFrom(
        '2026-01-02',
        '../2026-01-02',
        'http://www.opengis.net/def/crs/EPSG/0/4326',
        'cql2-json',
        'cql2-text',
        'html',
        'json',
        'csv',
        'gml',
        'kml',
      ),
    );
    const name = fc.oneof(fc.constantFrom(...itemsNames, 'rank', 'name', 'seen'), fc.string({ maxLength: 6 }));
    const value = fc
      .array(word, { minLength: 1, maxLength: 4 })
      .map((words) => words.join(fc.sample(fc.constantFrom(',', ' ', '', '/'), 1)[0] ?? ''));
    const query = fc.array(fc.tuple(name, value), { maxLength: 4 });
    const path = fc.constantFrom(
      '',
      '/conformance',
      '/api',
      '/collections',
      '/collections/acme:places',
      '/collections/acme:places/queryables',
      '/collections/acme:places/items',
      '/collections/acme:places/items',
      '/collections/acme:metres/items',
      '/collections/acme:towns/items',
      '/collections/acme:places/items/places.1',
    );
    await fc.assert(
      fc.asyncProperty(path, query, async (at, pairs) => {
        const text = pairs
          .map(([key, each]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(each.toWellFormed())}`)
          .join('&');
        const { status, text: said } = await ask(server, `${at}?${text}`);
        expect(status, `${at}?${text}: ${said.slice(0, 300)}`).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
  }, 600_000);
});

describe('client that stops reading', () => {
  const server = useTestServer();
  beforeAll(() => publishShapefiles(server, 'acme', { many: pointShapefile(40_000, [0, 0], undefined) }));

  it('holds only its connection, and releases the data when it disconnects', async () => {
    const { app } = server.server;
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.write(`GET ${FEATURES.slice(1)}/collections/acme:many/items?limit=10000 HTTP/1.1\r\nhost: a\r\n\r\n`);
    await once(client, 'data');
    client.pause();

    client.destroy();

    // The store can be deleted with its data once the response has ended.
    expect((await server.delete('/workspaces/acme?recurse=true')).status).toBe(200);
    await expect.poll(() => server.log.join('')).toContain('the client disconnected');
  });
});
