/** Vector tiles of data that takes too long to read. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { featuresOfTile } from '../../../test/support/vector-tiles.ts';

const points = (count: number) =>
  Array.from({ length: count }, (_, index) => [wkt(`POINT (${index % 100} ${index % 50})`), `p${index}`]);

const tables = [
  // Several batches of the reader, and one.
  { name: 'many', attributes: [geometryColumn('Point'), column('name', 'string')], rows: points(500) },
  { name: 'few', attributes: [geometryColumn('Point'), column('name', 'string')], rows: points(5) },
];

describe('incomplete vector tiles', () => {
  const server = useTestServer({ tileReadingMs: 0 });
  beforeAll(() => publishTables(server, 'acme', tables));

  const readTile = (layer: string) =>
    server.get(`//geoserver/gwc/service/xyz/acme:${layer}@EPSG:900913@pbf/0/0/0.pbf`, { as: null });

  it('have a warning and are not cached', async () => {
    const replies = [await readTile('many'), await readTile('many')];

    for (const { status, headers, bytes } of replies) {
      expect([status, headers['cache-control'], headers['geowebcache-cache-result']]).toEqual([
        200,
        'no-store',
        'MISS',
      ]);
      expect(headers['warning']).toContain('The tile is incomplete');
      expect(featuresOfTile(bytes).length).toBeLessThan(500);
      expect(featuresOfTile(bytes).length).toBeGreaterThan(0);
    }
  });

  it('have the same headers in GetMap', async () => {
    const frame = 'srs=EPSG:4326&bbox=-180,-90,180,90&width=256&height=256';
    const format = 'format=application/vnd.mapbox-vector-tile';
    const path = `//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:many&styles=&${frame}&${format}`;
    const { headers } = await server.get(path, { as: null });

    expect(headers['cache-control']).toBe('no-store');
    expect(headers['warning']).toContain('The tile is incomplete');
  });

  it('are not stored by a seed job, which logs them', async () => {
    const body = '{"seedRequest":{"zoomStart":0,"zoomStop":0,"format":"pbf","type":"reseed"}}';
    const { status } = await server.post('//geoserver/gwc/rest/seed/acme:many.json', body, { type: 'json' });
    await expect
      .poll(() => server.log.join(''), { timeout: 30_000 })
      .toContain('an incomplete tile was not cached by a seed job');

    expect(status).toBe(200);
    expect((await readTile('many')).headers['geowebcache-cache-result']).toBe('MISS');
  });

  it('do not include tiles whose last batch is late', async () => {
    const first = await readTile('few');
    const second = await readTile('few');

    expect(first.headers['warning']).toBeUndefined();
    expect(featuresOfTile(first.bytes)).toHaveLength(5);
    expect(second.headers['geowebcache-cache-result']).toBe('HIT');
  });
});
