import { expect, onTestFinished, test } from 'vitest';
import { openPostgis } from '../../../test/support/postgis-sources.ts';
import { describeType, readAllFeatures } from '../../../test/support/vector-reading.ts';
import { createType } from '../../../test/support/vector-writing.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';
import type { ConnectionParameters } from '../port/driver.ts';
import type { VectorSource } from '../port/port.ts';
import { queryFeatures } from '../query/query-features.ts';

const never = new AbortController().signal;

describeWithPostgis('PostGIS store', (postgis) => {
  async function open(parameters: ConnectionParameters = {}): Promise<VectorSource> {
    const source = await openPostgis(postgis.connection, parameters);
    onTestFinished(() => source.close());
    return source;
  }

  test('lists every kind of relation and which of them have a geometry', async () => {
    await postgis.query(`
      CREATE SCHEMA relations;
      SET search_path = relations, public;
      CREATE DOMAIN place AS geometry(Point, 4326);
      CREATE DOMAIN known_place AS place NOT NULL;
      CREATE TABLE plain (name text);
      CREATE TABLE drawn (geom geometry);
      CREATE TABLE globe (geog geography);
      CREATE TABLE by_domain (at known_place);
      CREATE TABLE changed (geom text);
      ALTER TABLE changed ALTER COLUMN geom TYPE geometry USING NULL;
      CREATE TABLE added (name text);
      ALTER TABLE added ADD COLUMN geom geometry;
      CREATE TABLE dropped (name text, geom geometry);
      ALTER TABLE dropped DROP COLUMN geom;
      CREATE VIEW seen AS SELECT geom FROM drawn;
      CREATE VIEW made AS SELECT ST_MakePoint(1, 2) AS geom;
      CREATE VIEW unseen AS SELECT name FROM plain;
      CREATE MATERIALIZED VIEW kept AS SELECT geom FROM drawn;
      CREATE TABLE parts (year int, geom geometry) PARTITION BY LIST (year);
      CREATE TABLE parts_2024 PARTITION OF parts FOR VALUES IN (2024);
      CREATE TABLE heir () INHERITS (drawn);
      CREATE TYPE pair AS (geom geometry);
      RESET search_path`);

    const types = await (await open({ schema: 'relations' })).listTypes(never);

    const withGeometry = ['added', 'by_domain', 'changed', 'drawn', 'globe', 'heir', 'kept', 'made', 'parts'];
    const expected = [...withGeometry, 'parts_2024', 'seen'].map((name) => ({ name, hasGeometry: true }));
    const without = ['dropped', 'plain', 'unseen'].map((name) => ({ name, hasGeometry: false }));
    expect(types).toEqual([...expected, ...without].sort((a, b) => (a.name < b.name ? -1 : 1)));
  });

  test('describes a table with columns of all types, without its key', async () => {
    await postgis.query(`
      CREATE DOMAIN short_text AS varchar(7) NOT NULL;
      CREATE TABLE kinds (
        id serial PRIMARY KEY, text text, limited varchar(20), fixed char(3), domain short_text,
        small smallint NOT NULL, middle integer, large bigint, single real, precise double precision, exact numeric(9, 2),
        flag boolean, day date, hour time, moment timestamp, zoned timestamptz, raw bytea, unique_id uuid,
        list integer[], document jsonb, dropped int, geom geometry(MultiPolygonZ, 3857));
      ALTER TABLE kinds DROP COLUMN dropped`);

    const { attributes, defaultGeometry, bounds, count } = await describeType(await open(), 'kinds');

    expect(attributes.map(({ name, type, nillable }) => `${name} ${type}${nillable ? '' : ' required'}`)).toEqual([
      'text string',
      'limited string',
      'fixed string',
      'domain string required',
      'small short required',
      'middle integer',
      'large long',
      'single float',
      'precise double',
      'exact decimal',
      'flag boolean',
      'day date',
      'hour time',
      'moment timestamp',
      'zoned timestamp',
      'raw bytes',
      'unique_id uuid',
      'list string',
      'document string',
      'geom MultiPolygon',
    ]);
    expect(attributes.map((each) => (each.kind === 'value' ? each.maxLength : each.dimension)).filter(Boolean)).toEqual(
      [20, 3, 7, 'XYZ'],
    );
    expect(attributes.at(-1)).toMatchObject({ crs: { code: 'EPSG:3857' } });
    expect({ defaultGeometry, bounds, count }).toEqual({ defaultGeometry: 'geom', bounds: undefined, count: 0 });
  });

  test('reads values of all types', async () => {
    await postgis.query(`
      CREATE TABLE readings AS SELECT
        'ü'::text AS text, 9007199254740993::bigint AS large, 12::bigint AS small, 1.10::numeric AS exact, 0.1::real AS single,
        true AS flag, '2024-02-29'::date AS day, '0044-03-15 BC'::date AS ides, 'infinity'::timestamp AS forever,
        '12:30:00'::time AS hour, '2024-01-01 12:00:00.5'::timestamp AS moment,
        '2024-01-01 12:00:00+05:30'::timestamptz AS zoned, '\\x0102'::bytea AS raw, '{1,2}'::int[] AS list,
        NULL::int AS nothing, ST_GeomFromText('POINT ZM (1 2 3 4)', 4326) AS geom`);

    const [feature] = await readAllFeatures(await open(), 'readings');

    expect(feature).toEqual({
      id: 'readings.1',
      values: [
        'ü',
        9007199254740993n,
        12,
        '1.10',
        0.1,
        true,
        new Date('2024-02-29'),
        new Date('-000043-03-15'),
        null,
        '12:30:00',
        new Date('2024-01-01T12:00:00.500Z'),
        new Date('2024-01-01T06:30:00Z'),
        Buffer.of(1, 2),
        '{1,2}',
        null,
        { type: 'Point', dimension: 'XYZM', ordinates: Float64Array.of(1, 2, 3, 4), ends: [], parts: [] },
      ],
    });
  });

  test('identifies features by their key and exposes it on request', async () => {
    await postgis.query(`
      CREATE TABLE keyed (name text, b int, a text, PRIMARY KEY (a, b));
      INSERT INTO keyed VALUES ('x', 1, 'one'), ('y', 2, 'two')`);

    expect(await readAllFeatures(await open(), 'keyed')).toEqual([
      { id: 'keyed.one.1', values: ['x'] },
      { id: 'keyed.two.2', values: ['y'] },
    ]);
    expect(await readAllFeatures(await open({ 'Expose primary keys': 'true' }), 'keyed')).toEqual([
      { id: 'keyed.one.1', values: ['x', 1, 'one'] },
      { id: 'keyed.two.2', values: ['y', 2, 'two'] },
    ]);
  });

  test('reuses its connection for the next page', async () => {
    await postgis.query('CREATE TABLE paged AS SELECT n AS id FROM generate_series(1, 300) n');
    await postgis.query('ALTER TABLE paged ADD PRIMARY KEY (id)');
    const source = await open();
    const description = await describeType(source, 'paged');

    const answer = await queryFeatures({ source, description }, { limit: 100 }, never);
    let given = 0;
    for await (const batch of answer.batches) given += batch.length;

    expect(given).toBe(100);
    expect(answer.pages()).toEqual({ next: expect.any(String) });
    expect(source.connections?.()).toEqual({ open: 1, idle: 1, waiting: 0 });
  });

  test('counts the rows in a box while it reads a page', async () => {
    await postgis.query(`
      CREATE TABLE boxed AS SELECT n AS id, ST_SetSRID(ST_MakePoint(n / 100.0, 1), 4326)::geometry(Point, 4326) AS geom
        FROM generate_series(1, 15000) n;
      ALTER TABLE boxed ADD PRIMARY KEY (id);
      ANALYZE boxed`);
    const source = await open();
    const type = { source, description: await describeType(source, 'boxed') };
    const box = { minX: 0, minY: 0, maxX: 2, maxY: 2 };

    const answer = await queryFeatures(type, { box, limit: 10, offset: 5, isCounted: true }, never);
    const isCounted = await answer.isCounted();
    const ids: string[] = [];
    for await (const batch of answer.batches) ids.push(...batch.map(({ id }) => id));
    const uncounted = await queryFeatures(type, { limit: 10, isCounted: true }, never);

    expect([isCounted, answer.getMatched()]).toEqual([true, 200]);
    expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => `boxed.${index + 6}`));
    expect(await uncounted.isCounted()).toBe(false);
    for await (const _ of uncounted.batches) break;
  });

  test('finds the CRS and dimension of geometries that a view does not declare', async () => {
    await postgis.query(`
      CREATE VIEW untyped AS SELECT ST_SetSRID(ST_MakePoint(3, 4, 5), 27700) AS place;
      CREATE VIEW empty_untyped AS SELECT ST_MakePoint(3, 4) AS place WHERE false;
      CREATE MATERIALIZED VIEW kept AS SELECT ST_GeogFromText('POINT (3 4)') AS place;
      CREATE TABLE constrained (g geometry, CHECK (ST_SRID(g) = 2154), CHECK (geometrytype(g) = 'POINT'), CHECK (ST_NDims(g) = 2))`);
    const source = await open();

    expect((await describeType(source, 'untyped')).attributes).toMatchObject([
      { type: 'Geometry', dimension: 'XYZ', crs: { code: 'EPSG:27700' } },
    ]);
    expect((await describeType(source, 'empty_untyped')).attributes).toMatchObject([{ type: 'Geometry', crs: {} }]);
    expect(await describeType(source, 'kept')).toMatchObject({
      attributes: [{ type: 'Geometry', dimension: 'XY', crs: { code: 'EPSG:4326' } }],
      bounds: { minX: 3, minY: 4, maxX: 3, maxY: 4 },
      count: 1,
    });
    expect((await describeType(source, 'constrained')).attributes).toMatchObject([
      { type: 'Point', crs: { code: 'EPSG:2154' } },
    ]);
  });

  test('reads curves as lines and polygons', async () => {
    await postgis.query(`
      CREATE TABLE curves AS SELECT ST_GeomFromText(t) AS g FROM unnest(ARRAY[
        'CIRCULARSTRING(0 0, 1 1, 2 0)', 'CURVEPOLYGON(CIRCULARSTRING(0 0, 2 0, 0 0))',
        'MULTISURFACE(CURVEPOLYGON(CIRCULARSTRING(0 0, 2 0, 0 0)))', 'TIN(((0 0 0, 0 1 0, 1 1 0, 0 0 0)))']) AS t`);

    const features = await readAllFeatures(await open(), 'curves');

    const types = features.map(({ values: [value] }) =>
      value !== null && typeof value === 'object' && 'type' in (value ?? {}) ? Reflect.get(value, 'type') : value,
    );
    expect(types).toEqual(['LineString', 'Polygon', 'MultiPolygon', 'MultiPolygon']);
  });

  test('estimates bounds from statistics if the store enables it', async () => {
    await postgis.query(`
      CREATE TABLE analysed AS SELECT ST_SetSRID(ST_MakePoint(x, x), 4326)::geometry(Point, 4326) AS g FROM generate_series(1, 100) x;
      ANALYZE analysed;
      INSERT INTO analysed SELECT ST_SetSRID(ST_MakePoint(1000, 1000), 4326)`);

    const exact = await describeType(await open(), 'analysed');
    const estimated = await describeType(await open({ 'Estimated extends': 'true' }), 'analysed');

    expect([exact.count, exact.bounds?.maxX]).toEqual([101, 1000]);
    expect(estimated.count).toBe(100);
    expect(estimated.bounds?.maxX).toBeLessThan(110);
  });

  test('lists only relations that its user can read, without those of PostGIS', async () => {
    await postgis.query(`
      CREATE SCHEMA seen; CREATE TABLE seen.open (a int, b int, g geometry(Point)); CREATE TABLE seen.closed (a int);
      DROP ROLE IF EXISTS visitor; CREATE ROLE visitor LOGIN PASSWORD 'visitor';
      GRANT USAGE ON SCHEMA seen TO visitor; GRANT SELECT (a, g) ON seen.open TO visitor`);
    onTestFinished(async () => void (await postgis.query('DROP OWNED BY visitor; DROP ROLE visitor')));
    const source = await open({ schema: 'seen', user: 'visitor', passwd: 'visitor' });

    expect(await source.listTypes(never)).toEqual([{ name: 'open', hasGeometry: true }]);
    expect((await describeType(source, 'open')).attributes.map((each) => each.name)).toEqual(['a', 'g']);
    expect(await source.describe('closed', never)).toBeUndefined();
    expect((await (await open()).listTypes(never)).map((each) => each.name)).not.toContain('spatial_ref_sys');
  });

  test('distinguishes a missing schema from an empty one', async () => {
    await postgis.query('CREATE SCHEMA bare');

    expect(await (await open({ schema: 'bare' })).listTypes(never)).toEqual([]);
    await expect((await open({ schema: 'bear' })).listTypes(never)).rejects.toMatchObject({ code: 'store-refuses' });
  });

  test('limits the time to inspect the rows of a view', async () => {
    await postgis.query(
      "CREATE VIEW patient AS SELECT ST_MakePoint(1, 2, 3) AS at WHERE current_setting('statement_timeout') = '10s'",
    );

    expect(await describeType(await open(), 'patient')).toMatchObject({ attributes: [{ dimension: 'XYZ' }], count: 1 });
  });

  test('runs statements without compiling them first', async () => {
    await postgis.query("CREATE VIEW plain AS SELECT ST_MakePoint(1, 2, 3) AS at WHERE current_setting('jit') = 'off'");

    expect(await describeType(await open(), 'plain')).toMatchObject({ count: 1 });
  });

  test('resolves domains to their base types', async () => {
    await postgis.query(`
      CREATE DOMAIN place AS geometry(Point, 27700); CREATE DOMAIN landmark AS place;
      CREATE DOMAIN label AS varchar(12) NOT NULL; CREATE DOMAIN title AS label;
      CREATE TABLE landmarks (at landmark, title title)`);
    const source = await open();

    const { attributes } = await describeType(source, 'landmarks');

    expect(attributes).toEqual([
      { name: 'at', nillable: true, kind: 'geometry', type: 'Point', dimension: 'XY', crs: { code: 'EPSG:27700' } },
      { name: 'title', nillable: false, kind: 'value', type: 'string', maxLength: 12 },
    ]);
    expect(await source.listTypes(never)).toContainEqual({ name: 'landmarks', hasGeometry: true });
    const view = { name: 'v', sql: 'SELECT * FROM landmarks', keyColumns: [], geometries: [] };
    expect(await source.describeView?.(view, never)).toMatchObject({
      attributes: [{ type: 'Point' }, { type: 'string', maxLength: 12 }],
    });
  });

  test('numbers the features of a view within a response and rejects selection by these ids', async () => {
    await postgis.query(`
      CREATE TABLE numbered (id int PRIMARY KEY, name text);
      INSERT INTO numbered VALUES (7, 'a'), (8, 'b');
      CREATE VIEW unnumbered AS SELECT name FROM numbered ORDER BY id`);
    const source = await open();
    const [table, view] = [await describeType(source, 'numbered'), await describeType(source, 'unnumbered')];
    const filter = { kind: 'identifiers', identifiers: ['unnumbered.1'] } as const;

    expect([table.isKeyless, view.isKeyless]).toEqual([undefined, true]);
    expect((await readAllFeatures(source, 'unnumbered')).map(({ id }) => id)).toEqual(['unnumbered.1', 'unnumbered.2']);
    await expect(queryFeatures({ source, description: view }, { filter }, never)).rejects.toMatchObject({
      code: 'features-without-key',
      status: 400,
    });
  });

  test('prevents a view from changing data', async () => {
    await postgis.query(`
      CREATE TABLE victims (a int);
      CREATE FUNCTION strike() RETURNS int LANGUAGE plpgsql AS 'BEGIN INSERT INTO victims VALUES (1); RETURN 1; END';
      CREATE VIEW striking AS SELECT strike() AS a`);

    await expect(readAllFeatures(await open(), 'striking')).rejects.toMatchObject({ code: 'store-refuses' });
    expect(await postgis.query('SELECT * FROM victims')).toEqual([]);
  });

  test.each([
    ['a quote', 'a"; DROP TABLE kept_safe; --'],
    ['a single quote', "a'b"],
    ['dots and upper case', 'Some.Table.Name'],
    ['a backslash and a dollar', 'a\\b$1$$'],
    ['other letters', 'Straßen 道路'],
  ])('accepts a name with %s', async (_title, name) => {
    await postgis.query('CREATE TABLE IF NOT EXISTS kept_safe (a int)');
    const source = await open();
    const geometry = {
      nillable: true,
      kind: 'geometry',
      type: 'Point',
      dimension: 'XY',
      crs: { code: 'EPSG:4326' },
    } as const;
    await createType(source, {
      name,
      attributes: [
        { name: `${name}!`, nillable: true, kind: 'value', type: 'string' },
        { name: `${name}?`, ...geometry },
      ],
    });
    const quoted = name.replaceAll('"', '""');
    await postgis.query(
      `INSERT INTO "${quoted}" ("${quoted}!", "${quoted}?") VALUES ('x', ST_SetSRID(ST_MakePoint(1, 2), 4326))`,
    );

    expect((await describeType(source, name)).bounds).toEqual({ minX: 1, minY: 2, maxX: 1, maxY: 2 });
    expect((await readAllFeatures(source, name))[0]).toMatchObject({
      id: `${name}.1`,
      values: ['x', { type: 'Point' }],
    });
    expect(await source.describe('kept_safe', never)).toBeDefined();
  });

  test('finds no table for names that are too long, empty or unusual', async () => {
    await postgis.query(`CREATE TABLE "${'x'.repeat(63)}" (a int)`);
    const source = await open();

    for (const name of ['x'.repeat(64), '', 'a\0b', '\ud800']) {
      expect(await source.describe(name, never)).toBeUndefined();
    }
  });
});
