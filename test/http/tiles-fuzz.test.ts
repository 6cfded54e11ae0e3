/** Random tile addresses: every request is answered without a server error. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishTables } from '../support/published-features.ts';
import { useTestServer } from '../support/test-server.ts';

const RUNS = Number(process.env['TILE_FUZZ_RUNS'] ?? 120);

const oddText = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '99999999999999999999',
    'NaN',
    '..',
    '../../../etc/passwd',
    '%2e%2e%2f',
    '..%5c..%5c',
    '.',
    '%00',
    '\u0000',
    "'; DROP TABLE x; --",
    '<script>',
    '{z}',
    'EPSG:900913',
    'EPSG:900913:0',
    'EPSG:4326',
    'WebMercatorQuad',
    'topo:open',
    'topo:open@EPSG:900913@png',
    '0.png',
    '1.pbf',
    '0.png.pbf',
    'image/png',
    'pbf',
    'default',
    '@@@',
    'x'.repeat(3_000),
    '🗺️',
  ),
  fc.string({ maxLength: 12 }),
  fc.integer().map(String),
);

const places = [
  ['gwc', 'service', 'wmts', 'rest'],
  ['gwc', 'service', 'tms', '1.0.0'],
  ['gwc', 'service', 'xyz'],
  ['ogc', 'tiles', 'v1', 'collections', 'topo:open', 'tiles'],
  ['ogc', 'tiles', 'v1', 'collections', 'topo:open', 'map', 'tiles'],
  ['topo', 'gwc', 'service', 'wmts', 'rest'],
];

const names = [
  ...['service', 'request', 'layer', 'layers', 'style', 'styles', 'format', 'tilematrixset', 'tilematrix', 'tilerow'],
  ...['tilecol', 'bbox', 'srs', 'zoom', 'x', 'y', 'i', 'j', 'infoformat', 'time', 'cql_filter', 'f', 'flipY'],
];
const known: Readonly<Record<string, string>> = {
  request: 'GetTile',
  layer: 'topo:open',
  layers: 'topo:open',
  format: 'image/png',
  tilematrixset: 'EPSG:900913',
  tilematrix: '0',
  tilerow: '0',
  tilecol: '0',
};

describe('Tile addresses', () => {
  const server = useTestServer();
  beforeAll(() =>
    publishTables(server, 'topo', [
      {
        name: 'open',
        attributes: [geometryColumn('Point'), column('word', 'string')],
        rows: [[wkt('POINT (1 2)'), 'x']],
      },
    ]),
  );

  async function expectAnswer(path: string): Promise<void> {
    const { status, text } = await server.get(path, { as: null });

    expect([path, status < 500]).toEqual([path, true]);
    expect(text).not.toContain('root:x:0');
  }

  it('answers addresses with invalid path parts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.array(oddText, { maxLength: 8 }), (place, parts) =>
        expectAnswer(`//geoserver/${[...place, ...parts.map(encodeURIComponent)].join('/')}`),
      ),
      { numRuns: RUNS },
    );
  });

  it('answers addresses with invalid key-value pairs', async () => {
    const pair = fc.constantFrom(...names).chain((name) => {
      const usual = known[name];
      return fc.tuple(fc.constant(name), usual === undefined ? oddText : fc.oneof(fc.constant(usual), oddText));
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('wmts', 'wms', 'gmaps'), fc.array(pair, { maxLength: 12 }), (service, pairs) =>
        expectAnswer(
          `//geoserver/gwc/service/${service}?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]))}`,
        ),
      ),
      { numRuns: RUNS },
    );
  });

  it.each([
    '/gwc/service/wmts/rest/..%2f..%2f/EPSG:900913/0/0/0?format=image/png',
    '/gwc/service/tms/1.0.0/..%2F..%2Fetc%2Fpasswd@EPSG:900913@png/0/0/0.png',
    '/gwc/service/tms/1.0.0/topo:open@..%2F@png/0/0/0.png',
    '/gwc/service/tms/1.0.0/topo:open@EPSG:900913@png/0/0/..%2F..%2F0.png',
    '/gwc/service/xyz/topo:open@EPSG:900913@pbf/99/0/0.pbf',
    '/gwc/service/xyz/topo:open@EPSG:900913@pbf/24/99999999999/0.pbf',
    '/ogc/tiles/v1/collections/topo:open/tiles/WebMercatorQuad/24/4294967296/0',
    '/ogc/tiles/v1/collections/topo:open/map/tiles/..%2F/0/0/0',
  ])('%s is not found', async (path) => {
    expect([400, 404]).toContain((await server.get(`//geoserver${path}`, { as: null })).status);
  });

  it.each(['', '0', '0,0', '0,0,1', '0,0,1,1,1', '0,,1,1', 'a,b,c,d'])('the box %j is rejected', async (box) => {
    const { status, text } = await server.get(`//geoserver/gwc/service/wms?layers=topo:open&bbox=${box}`, { as: null });

    expect(status).toBe(400);
    expect(text).toContain(`The box '${box}' is not aligned with a tile`);
  });
});
