/** Compares vector tiles of the database with those of the built-in encoder. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgis } from '../../../../test/support/postgis-sources.ts';
import { describeType } from '../../../../test/support/vector-reading.ts';
import { featuresOfTile, type ReadTileFeature, readVectorTile } from '../../../../test/support/vector-tiles.ts';
import { describeWithPostgis } from '../../../../test/support/with-postgis.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import { findDefaultSet } from '../../../tiles/default-sets.ts';
import { computeTileBounds, TILE_PIXELS, type TileAddress } from '../../../tiles/tile-matrix-set.ts';
import { addTileBuffer, BUFFER, EXTENT } from '../../../tiles/vector/tile-geometry.ts';
import { VectorTileLayer } from '../../../tiles/vector/vector-tile.ts';
import type { FeatureTypeDescription, SourceTile, VectorSource } from '../../port/port.ts';
import { queryFeatures } from '../../query/query-features.ts';

const never = new AbortController().signal;
const PROPERTY_RUNS = Number(process.env['TILE_PROPERTY_RUNS'] ?? 25);

const mercator = findDefaultSet('WebMercatorQuad');
if (mercator === undefined) throw new Error('The grid does not exist.');
const { crs } = mercator;

function epsgOf(code: string | undefined): number {
  return Number((code ?? '').replace('EPSG:', ''));
}

async function frameOf(description: FeatureTypeDescription, address: TileAddress) {
  if (mercator === undefined) throw new Error('The grid does not exist.');
  const drawn = description.attributes.find(({ name }) => name === description.defaultGeometry);
  const own = drawn?.kind === 'geometry' ? drawn.crs : {};
  const bounds = computeTileBounds(mercator, address);
  const toData = await createReprojection(crs, own);
  const box = toData === undefined ? addTileBuffer(bounds) : toData.reprojectBounds(addTileBuffer(bounds));
  return { bounds, box: box as Bounds, epsg: epsgOf(own.code) };
}

async function byTheDatabase(
  source: VectorSource,
  name: string,
  address: TileAddress,
  changes: Partial<SourceTile> = {},
): Promise<Uint8Array | undefined> {
  const description = await describeType(source, name);
  const { bounds, box, epsg } = await frameOf(description, address);
  const tile: SourceTile = {
    layer: name,
    geometry: { name: description.defaultGeometry ?? '', epsg },
    attributes: description.attributes
      .filter(({ kind }) => kind === 'value')
      .map((each) => ({ ...each, as: each.name })),
    frame: { epsg: epsgOf(crs.code), bounds, extent: EXTENT, buffer: BUFFER, pixels: TILE_PIXELS },
    box,
    limit: 50_000,
    maxBytes: 500_000,
    ...changes,
  };
  return source.tile?.(name, tile, never);
}

async function byUs(source: VectorSource, name: string, address: TileAddress, maxBytes = 500_000): Promise<Uint8Array> {
  const description = await describeType(source, name);
  const { bounds, box } = await frameOf(description, address);
  const answer = await queryFeatures({ source, description }, { box, crs }, never);
  const { attributes } = answer.description;
  const { isKeyless, defaultGeometry: geometry = '' } = description;
  const layer = new VectorTileLayer({ name, bounds, attributes, geometry, limit: 50_000, maxBytes, isKeyless });
  for await (const batch of answer.batches) for (const feature of batch) layer.add(feature);
  return layer.finish();
}

/** Returns features and values without coordinates, which both round differently. */
function shown(bytes: Uint8Array | undefined) {
  const seen = featuresOfTile(bytes ?? new Uint8Array(0)).map(({ id, type, properties }) =>
    JSON.stringify([id ?? null, type, Object.entries(properties).sort()]),
  );
  return [...new Set(seen)].sort();
}

describeWithPostgis('vector tile of a PostGIS table', (postgis) => {
  async function open(): Promise<VectorSource> {
    const source = await openPostgis(postgis.connection);
    onTestFinished(() => source.close());
    return source;
  }

  test('has the same values of all types as the built-in encoder', async () => {
    await postgis.query(`
      CREATE TABLE tile_kinds (id bigint PRIMARY KEY, text text, small smallint, large bigint, single real,
        precise double precision, exact numeric, flag boolean, day date, moment timestamp, zoned timestamptz, raw bytea,
        "Odd ""name""" text, list int[], document jsonb, id_ text, geometry text, nothing int, shape geometry(Point, 4326));
      INSERT INTO tile_kinds VALUES (7, 'ü', -3, 12, 0.1, 2.5, 1.10, true, '2024-02-29', '2024-01-01 12:00:00.5',
        '2024-01-01 12:00:00.123456+05:30', '\\x01', 'odd', '{1,2}', '{"a": 1}', 'x', 'y', NULL,
        ST_SetSRID(ST_MakePoint(7.4, 46.9), 4326))`);
    const source = await open();
    const address = { level: 0, row: 0, column: 0 };

    const made = await byTheDatabase(source, 'tile_kinds', address);

    expect(shown(made)).toEqual(shown(await byUs(source, 'tile_kinds', address)));
    expect(readVectorTile(made ?? Buffer.of())).toMatchObject([{ name: 'tile_kinds', extent: 4_096 }]);
    expect(featuresOfTile(made ?? Buffer.of())[0]?.properties).toMatchObject({
      single: 0.1,
      day: '2024-02-29',
      zoned: '2024-01-01T06:30:00.123456Z',
    });
  });

  test('is left to the built-in encoder if a shape jumps over the antimeridian, whatever the columns are called', async () => {
    await postgis.query(`
      CREATE TABLE tile_jumps (id serial PRIMARY KEY, path text, part text, geom geometry(Polygon, 4326));
      INSERT INTO tile_jumps (geom) VALUES (ST_MakeEnvelope(10, 10, 20, 20, 4326))`);
    const source = await open();
    const address = { level: 0, row: 0, column: 0 };
    const jumps = { west: -180, east: 180, minWidth: 180 };

    const plain = await byTheDatabase(source, 'tile_jumps', address, { jumps });
    await postgis.query(`INSERT INTO tile_jumps (geom) VALUES (ST_MakeEnvelope(-180, 10, 180, 20, 4326))`);
    const withJump = await byTheDatabase(await open(), 'tile_jumps', address, { jumps });

    expect([featuresOfTile(plain ?? Buffer.of()).length, withJump]).toEqual([1, undefined]);
  });

  test('has the same features as the built-in encoder for any geometry', async () => {
    await postgis.query('CREATE TABLE tile_shapes (id serial PRIMARY KEY, name text, shape geometry(Geometry, 4326))');
    const source = await open();
    const place = fc.tuple(
      fc.double({ min: -170, max: 170, noNaN: true }),
      fc.double({ min: -70, max: 70, noNaN: true }),
    );
    // Shapes that are visible on the tested levels.
    const shape = fc.tuple(place, fc.constantFrom('point', 'line', 'box', 'both')).map(([[x, y], kind]) => {
      const line = `LINESTRING (${x} ${y}, ${x + 6} ${y + 5}, ${x + 9} ${y})`;
      if (kind === 'point') return `POINT (${x} ${y})`;
      if (kind === 'line') return line;
      return kind === 'box'
        ? `POLYGON ((${x} ${y}, ${x + 8} ${y}, ${x + 8} ${y + 6}, ${x} ${y + 6}, ${x} ${y}))`
        : `GEOMETRYCOLLECTION (POINT (${x} ${y}), ${line})`;
    });
    const address = fc.integer({ min: 0, max: 4 }).chain((level) =>
      fc.record({
        level: fc.constant(level),
        row: fc.integer({ min: 0, max: 2 ** level - 1 }),
        column: fc.integer({ min: 0, max: 2 ** level - 1 }),
      }),
    );

    await fc.assert(
      fc.asyncProperty(fc.array(shape, { maxLength: 12 }), address, async (shapes, at) => {
        await postgis.query('TRUNCATE tile_shapes');
        for (const [index, text] of shapes.entries()) {
          await postgis.query('INSERT INTO tile_shapes (name, shape) VALUES ($1, ST_GeomFromText($2, 4326))', [
            `shape ${index}`,
            text,
          ]);
        }

        expect(shown(await byTheDatabase(source, 'tile_shapes', at))).toEqual(
          shown(await byUs(source, 'tile_shapes', at)),
        );
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  test('has the same positions as the built-in encoder in other CRSs', async () => {
    await postgis.query(`CREATE TABLE tile_tracks AS SELECT 'path' AS name,
      ST_GeomFromText('LINESTRING (2600000 1200000, 2600400 1200000, 2600400 1200300)', 2056) AS shape`);
    const source = await open();
    const address = { level: 12, row: 1_441, column: 2_132 };
    const [theirs, ours] = [
      await byTheDatabase(source, 'tile_tracks', address),
      await byUs(source, 'tile_tracks', address),
    ];
    const placesOf = (features: readonly ReadTileFeature[]) => features.flatMap(({ places }) => places).sort();

    const [own = [], other = []] = [ours, theirs ?? Buffer.of()].map((bytes) => placesOf(featuresOfTile(bytes)));

    expect(other.length).toBe(own.length);
    for (const [index, [x, y]] of own.entries()) {
      expect(Math.abs(x - (other[index]?.[0] ?? 0)) + Math.abs(y - (other[index]?.[1] ?? 0))).toBeLessThanOrEqual(2);
    }
  });

  test('is empty if no features match', async () => {
    await postgis.query('CREATE TABLE tile_nothing (id int PRIMARY KEY, shape geometry(Point, 4326))');

    expect(await byTheDatabase(await open(), 'tile_nothing', { level: 0, row: 0, column: 0 })).toHaveLength(0);
  });

  test('contains large features and an even sample of the rest if there are too many', async () => {
    await postgis.query(`
      CREATE TABLE tile_crowd AS SELECT id, CASE WHEN id % 1000 = 0 THEN 'large' ELSE 'small' END AS size,
        ST_Buffer(ST_SetSRID(ST_MakePoint((id % 100) * 3 - 150, (id / 100) - 50), 4326),
          CASE WHEN id % 1000 = 0 THEN 10 ELSE 0.3 END, 1)::geometry(Polygon, 4326) AS shape FROM generate_series(1, 10000) AS id;
      ALTER TABLE tile_crowd ADD PRIMARY KEY (id);
      CREATE INDEX ON tile_crowd USING gist (shape);
      ANALYZE tile_crowd`);
    const source = await open();

    const bytes = await byTheDatabase(source, 'tile_crowd', { level: 0, row: 0, column: 0 }, { limit: 1_000 });
    const again = await byTheDatabase(source, 'tile_crowd', { level: 0, row: 0, column: 0 }, { limit: 1_000 });
    const wide = { minX: -100_000, minY: -100_000, maxX: 100_000, maxY: 100_000 };
    const hinted = await byTheDatabase(
      source,
      'tile_crowd',
      { level: 0, row: 0, column: 0 },
      { limit: 1_000, extent: wide },
    );

    const features = featuresOfTile(bytes ?? Buffer.of());
    expect(features.filter(({ properties }) => properties['size'] === 'large')).toHaveLength(10);
    expect(features.length).toBeGreaterThan(500);
    expect(features.length).toBeLessThanOrEqual(1_000);
    expect(features.filter(({ id }) => (id ?? 0) <= 5_000).length / features.length).toBeCloseTo(0.5, 1);
    expect(again).toEqual(bytes);
    // A wrong extent is detected and does not change the result.
    expect(hinted).toEqual(bytes);
  });

  test.each([
    ['Point', 'ST_SetSRID(ST_MakePoint(x, y), 4326)'],
    ['Polygon', 'ST_Buffer(ST_SetSRID(ST_MakePoint(x, y), 4326), 0.5, 16)'],
    ['Geometry', 'ST_Buffer(ST_SetSRID(ST_MakePoint(x, y), 4326), 0.5, 16)'],
  ])('fits into the limit for bytes and keeps isolated features: %s', async (type, shape) => {
    const name = `tile_bytes_${type.toLowerCase()}`;
    // A town, and one feature on the other side of the Earth.
    await postgis.query(`
      CREATE TABLE ${name} AS SELECT id, 'feature number ' || id AS name, (${shape})::geometry(${type}, 4326) AS shape
        FROM (SELECT id, CASE WHEN id = 77 THEN -150 ELSE (id % 50) * 0.1 END AS x,
          CASE WHEN id = 77 THEN -50 ELSE (id / 50) * 0.1 END AS y FROM generate_series(1, 3000) AS id) AS places;
      ALTER TABLE ${name} ADD PRIMARY KEY (id);
      ANALYZE ${name}`);
    const source = await open();
    const address = { level: 0, row: 0, column: 0 };
    const maxBytes = 20_000;

    const bytes = (await byTheDatabase(source, name, address, { maxBytes })) ?? Buffer.of();
    const ours = await byUs(source, name, address, maxBytes);

    for (const each of [bytes, ours]) {
      expect(each.length).toBeLessThanOrEqual(maxBytes);
      const features = featuresOfTile(each);
      expect(features.length).toBeGreaterThan(50);
      expect(features.map(({ id }) => id)).toContain(77);
      expect(features.every(({ properties }) => 'name' in properties)).toBe(true);
    }
    expect(await byTheDatabase(source, name, address, { maxBytes })).toEqual(bytes);
  });

  test('removes features in the buffer before features in the tile', async () => {
    await postgis.query(`
      CREATE TABLE tile_buffer AS SELECT id, 'feature number ' || id AS name,
        ST_SetSRID(CASE WHEN id <= 200 THEN ST_MakePoint(-id * 0.8, 40) ELSE ST_MakePoint(1 + id % 50 * 0.1, id * 0.02) END,
          4326)::geometry(Point, 4326) AS shape FROM generate_series(1, 3000) AS id;
      ALTER TABLE tile_buffer ADD PRIMARY KEY (id);
      ANALYZE tile_buffer`);
    const source = await open();
    const address = { level: 1, row: 0, column: 0 };
    const maxBytes = 20_000;

    const bytes = (await byTheDatabase(source, 'tile_buffer', address, { maxBytes })) ?? Buffer.of();
    const ours = await byUs(source, 'tile_buffer', address, maxBytes);

    for (const each of [bytes, ours]) {
      const ids = featuresOfTile(each).map(({ id }) => id ?? 0);
      expect(ids.filter((id) => id <= 200)).toHaveLength(200);
      expect(ids.length).toBeGreaterThan(300);
    }
  });

  test('fits into the limit for bytes without a key', async () => {
    await postgis.query(`
      CREATE TABLE tile_bytes_keyless AS SELECT 'feature number ' || id AS name,
        ST_SetSRID(ST_MakePoint(id % 100, id / 100), 4326)::geometry(Point, 4326) AS shape FROM generate_series(1, 3000) AS id`);

    const bytes = await byTheDatabase(
      await open(),
      'tile_bytes_keyless',
      { level: 0, row: 0, column: 0 },
      { maxBytes: 20_000 },
    );

    expect(bytes?.length).toBeLessThanOrEqual(20_000);
    expect(featuresOfTile(bytes ?? Buffer.of()).length).toBeGreaterThan(100);
  });

  test('reflects the current table after a column was dropped', async () => {
    await postgis.query(`
      CREATE TABLE tile_columns (id int PRIMARY KEY, stays text, goes text, shape geometry(Point, 4326));
      INSERT INTO tile_columns VALUES (1, 'here', 'there', ST_SetSRID(ST_MakePoint(1, 2), 4326))`);
    const source = await open();
    const attributes = ['stays', 'goes'].map((name) => ({ name, as: name }));
    const address = { level: 0, row: 0, column: 0 };
    const before = await byTheDatabase(source, 'tile_columns', address, { attributes });

    await postgis.query('ALTER TABLE tile_columns DROP COLUMN goes');
    const after = await byTheDatabase(source, 'tile_columns', address, { attributes });

    const valuesIn = (bytes: Uint8Array | undefined) =>
      featuresOfTile(bytes ?? Buffer.of()).map((each) => each.properties);
    expect(valuesIn(before)).toEqual([{ stays: 'here', goes: 'there' }]);
    expect(valuesIn(after)).toEqual([{ stays: 'here' }]);
  });

  test('falls back to the built-in encoder if the database cannot transform the geometries', async () => {
    await postgis.query(`
      CREATE TABLE tile_poles (id int PRIMARY KEY, shape geometry(Polygon, 4326));
      INSERT INTO tile_poles VALUES (1, ST_MakeEnvelope(-180, -90, 180, 90, 4326));
      CREATE TABLE tile_globe (id int PRIMARY KEY, shape geography(Point))`);
    const source = await open();
    const address = { level: 0, row: 0, column: 0 };

    const made = await byTheDatabase(source, 'tile_poles', address);

    expect(made === undefined || made.length > 0).toBe(true);
    expect(shown(await byUs(source, 'tile_poles', address))).toHaveLength(1);
    expect(await byTheDatabase(source, 'tile_globe', address)).toBeUndefined();
    expect(
      await byTheDatabase(source, 'tile_poles', address, { geometry: { name: 'shape', epsg: 999_999 } }),
    ).toBeUndefined();
  });
});
