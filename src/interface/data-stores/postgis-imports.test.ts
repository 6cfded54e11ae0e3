import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { answered } from '../../../test/support/dry-run.ts';
import { openGeopackage, pointAttribute, valueAttribute } from '../../../test/support/geopackages.ts';
import { shapefileBytes } from '../../../test/support/shapefile-bytes.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';
import {
  featureTypes,
  pointShapefile,
  polygonShapefile,
  putZip,
  readResource,
  snapshot,
  UTM33_PRJ,
  zipOf,
} from '../../../test/support/vector-samples.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const stores = '/workspaces/acme/datastores';
const never = new AbortController().signal;

describeWithPostgis('upload into a PostGIS store', (postgis) => {
  const server = useTestServer();
  const folder = useTemporaryFolder('imports');
  const upload = (query: string, body: Buffer, format = 'shp') =>
    putZip(server, `${stores}/db/file.${format}?${query}`, body, format === 'shp' ? 'application/zip' : 'x/y');
  const count = async (table: string) => (await postgis.query(`SELECT count(*)::int AS n FROM ${table}`))[0]?.['n'];

  const storeJson = () => {
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password, schema: 'imports' };
    return JSON.stringify({ dataStore: { name: 'db', connectionParameters } });
  };

  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  });

  beforeEach(async () => {
    await server.delete(`${stores}/db?recurse=true`);
    await postgis.query('DROP SCHEMA IF EXISTS imports CASCADE; CREATE SCHEMA imports');
    expect((await server.post(stores, storeJson())).status).toBe(201);
  });

  it('creates a table with the right columns, fills it, and publishes it', async () => {
    const reply = await upload('configure=all', zipOf({ places: pointShapefile(), areas: polygonShapefile() }));

    expect(reply.status, reply.text).toBe(201);
    expect(
      await postgis.query(
        `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
         WHERE attrelid = 'imports.places'::regclass AND attnum > 0 ORDER BY attnum`,
      ),
    ).toEqual([
      { name: 'fid', type: 'bigint' },
      { name: 'the_geom', type: 'geometry(Point,4326)' },
      { name: 'name', type: 'character varying(20)' },
      { name: 'rank', type: 'integer' },
      { name: 'seen', type: 'date' },
    ]);
    expect(
      await postgis.query('SELECT name, rank, seen::text, ST_AsEWKT(the_geom) AS g FROM imports.places ORDER BY fid'),
    ).toEqual(
      [0, 1, 2].map((rank) => ({
        name: `place ${rank}`,
        rank,
        seen: '2026-01-02',
        g: `SRID=4326;POINT(${10 + rank} ${50 + rank})`,
      })),
    );
    expect(await count('imports.areas')).toBe(1);
    expect(await featureTypes(server, 'acme/db')).toEqual(['areas', 'places']);
    expect(await readResource(server, `${stores}/db/featuretypes/places`)).toMatchObject({
      srs: 'EPSG:4326',
      nativeBoundingBox: { minx: 10, maxx: 12, miny: 50, maxy: 52 },
    });
    const files = Object.keys(await snapshot(server.dataDir));
    expect(files.filter((name) => name.startsWith('data/') || name.startsWith('staging/'))).toEqual([]);
  });

  it('appends without update, and replaces with update=overwrite', async () => {
    await upload('', zipOf({ places: pointShapefile(3, [0, 0]) }));
    await upload('update=append', zipOf({ places: pointShapefile(3, [10, 10]) }));
    expect(await count('imports.places')).toBe(6);
    expect(await readResource(server, `${stores}/db/featuretypes/places`)).toMatchObject({
      nativeBoundingBox: { minx: 0, maxx: 12, miny: 0, maxy: 12 },
    });

    await upload('update=overwrite', zipOf({ places: pointShapefile(2, [20, 20]) }));

    expect(await count('imports.places')).toBe(2);
    expect(await featureTypes(server, 'acme/db')).toEqual(['places']);
    expect(await readResource(server, `${stores}/db/featuretypes/places`)).toMatchObject({
      nativeBoundingBox: { minx: 20, maxx: 21, miny: 20, maxy: 21 },
    });
  });

  it.each([
    ['append', 7],
    ['overwrite', 4],
  ])('answers a dry run of update=%s like the real upload and changes nothing', async (mode, rows) => {
    await upload('', zipOf({ places: pointShapefile(3, [0, 0]) }));
    const body = zipOf({ places: pointShapefile(4, [20, 20]), areas: polygonShapefile() });
    const state = async () => ({
      rows: await count('imports.places'),
      tables: await postgis.query("SELECT tablename FROM pg_tables WHERE schemaname = 'imports'"),
      type: (await server.get(`${stores}/db/featuretypes/places.json`)).text,
    });
    const before = await state();

    const dry = await upload(`update=${mode}&configure=all&dryRun=true`, body);

    expect([dry.status, dry.headers['graticule-dry-run']]).toEqual([201, 'true']);
    expect(await state()).toEqual(before);
    expect(answered(await upload(`update=${mode}&configure=all`, body))).toEqual(answered(dry));
    expect(await count('imports.places')).toBe(rows);
    expect(await featureTypes(server, 'acme/db')).toEqual(['areas', 'places']);
  });

  it('writes into existing tables with names in any case, other geometry names, multi-part geometries and defaults', async () => {
    await postgis.query(
      `CREATE TABLE imports.places (id serial PRIMARY KEY, "NAME" text, rank bigint, seen timestamptz,
       added text DEFAULT 'by default', geom geometry(MultiPoint, 4326))`,
    );

    const reply = await upload('configure=none', zipOf({ places: pointShapefile(1) }));

    expect(reply.status, reply.text).toBe(201);
    expect(
      await postgis.query(
        'SELECT "NAME", rank::int, seen::date::text, added, ST_AsText(geom) AS g FROM imports.places',
      ),
    ).toEqual([
      {
        NAME: 'place 0',
        rank: 0,
        seen: '2026-01-02',
        added: 'by default',
        g: expect.stringMatching(/^MULTIPOINT\(\(?10 50\)?\)$/),
      },
    ]);
    expect(await featureTypes(server, 'acme/db')).toEqual([]);
  });

  it.each([
    ['a missing value', 'name text, rank int, seen date, more text NOT NULL', {}, "column 'more'"],
    ['a text over the length limit', 'name varchar(3), rank int, seen date', {}, 'longer than its column'],
    [
      'a constraint of the table',
      'name text, rank int CHECK (rank < 1), seen date',
      {},
      'violate a constraint of the table',
    ],
    ['a deferred constraint', 'name text, rank int, seen date UNIQUE DEFERRABLE INITIALLY DEFERRED', {}, 'unique'],
    ['a column of another type', 'name int, rank int, seen date', {}, "'name' has the type string"],
    ['an attribute without a column', 'name text, seen date', {}, "no column for 'rank'"],
    ['another CRS', 'name text, rank int, seen date', { prj: UTM33_PRJ }, 'data is not reprojected'],
    ['a trigger', 'name text, rank int, seen date', { trigger: true }, 'a trigger of the database'],
  ])(
    'is rejected for %s, and changes nothing',
    async (_what, columns, { prj, trigger = false }: { prj?: string; trigger?: boolean }, message) => {
      await postgis.query(
        `CREATE TABLE imports.places (id serial PRIMARY KEY, ${columns}, geom geometry(Point, 4326))`,
      );
      await postgis.query(
        'CREATE TABLE imports.areas (fid serial PRIMARY KEY, id int); INSERT INTO imports.areas (id) VALUES (7)',
      );
      await postgis.query('ALTER TABLE imports.areas ADD the_geom geometry(MultiPolygon, 4326)');
      if (trigger) {
        await postgis.query(
          `CREATE FUNCTION imports.no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'secret words'; END $$;
         CREATE TRIGGER no BEFORE INSERT ON imports.places FOR EACH ROW EXECUTE FUNCTION imports.no()`,
        );
      }
      const before = await snapshot(server.dataDir);
      const position = await server.server.storage.position();

      const reply = await upload(
        'update=overwrite&configure=all',
        zipOf({ aaa: pointShapefile(), areas: polygonShapefile(), places: pointShapefile(3, [10, 50], prj) }),
      );

      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
      expect(reply.text).not.toContain('secret');
      expect(await postgis.query('SELECT id FROM imports.areas')).toEqual([{ id: 7 }]);
      expect(await postgis.query("SELECT to_regclass('imports.aaa') AS made")).toEqual([{ made: null }]);
      expect(await server.server.storage.position()).toBe(position);
      expect(await snapshot(server.dataDir)).toEqual(before);
    },
  );

  it('names the feature that violates the table definition', async () => {
    await postgis.query('CREATE TABLE imports.wide (id serial PRIMARY KEY, big int, the_geom geometry(Point, 4326))');
    const table = {
      fields: [{ name: 'big', type: 'N', width: 12 }],
      rows: ['1', '9000000000'].map((text) => ({ values: [text.padStart(12)] })),
    };
    const { shp = Buffer.alloc(0), shx = Buffer.alloc(0), prj = Buffer.alloc(0) } = pointShapefile(2);
    const { dbf = Buffer.alloc(0) } = shapefileBytes({ type: 1, records: [], table });

    const reply = await upload('', zipOf({ wide: { shp, shx, prj, dbf } }));

    expect([reply.status, reply.text]).toEqual([
      400,
      expect.stringMatching(/the feature 'wide\.2': 9000000000 is outside the range/),
    ]);
  });

  it('loses no row when many uploads run concurrently', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => upload('', zipOf({ many: pointShapefile(5) }))));

    expect(replies.filter(({ status }) => status !== 201)).toEqual([]);
    expect(await count('imports.many')).toBe(40);
    expect(await featureTypes(server, 'acme/db')).toEqual(['many']);
  });

  it('accepts a GeoPackage with all its values', async () => {
    const path = join(server.dataDir, 'source.gpkg');
    const source = await openGeopackage(path);
    const attributes = [
      pointAttribute,
      valueAttribute('text', 'string'),
      valueAttribute('flag', 'boolean'),
      valueAttribute('huge', 'long'),
      valueAttribute('part', 'double'),
      valueAttribute('when', 'timestamp'),
      valueAttribute('blob', 'bytes'),
    ];
    const geometry = {
      type: 'Point',
      dimension: 'XY',
      ordinates: Float64Array.of(650_000, 6_860_000),
      ends: [],
      parts: [],
    } as const;
    const values = [
      geometry,
      `q"u'o\\te {,} é漢 NULL`,
      true,
      9_007_199_254_740_993n,
      0.1,
      new Date('1969-07-20T20:17:40.123Z'),
      Buffer.from([0, 255]),
    ];
    const session = await source.startWriting?.(never);
    async function* batches() {
      yield [
        { id: 'a', values },
        { id: 'b', values: attributes.map(() => null) },
      ];
    }
    await session?.write({ name: 'Source Table', attributes, batches: batches() }, 'append');
    await session?.commit();

    const reply = await upload('configure=all', await readFile(path), 'gpkg');

    expect(reply.status, reply.text).toBe(201);
    expect(
      await postgis.query(
        `SELECT ST_AsEWKT(geom) AS geom, text, flag, huge::text, part, "when"::text, encode(blob, 'hex') AS blob
         FROM imports."Source Table" ORDER BY fid`,
      ),
    ).toEqual([
      {
        geom: 'SRID=2154;POINT(650000 6860000)',
        text: values[1],
        flag: true,
        huge: '9007199254740993',
        part: 0.1,
        when: '1969-07-20 20:17:40.123',
        blob: '00ff',
      },
      { geom: null, text: null, flag: null, huge: null, part: null, when: null, blob: null },
    ]);
    expect(await featureTypes(server, 'acme/db')).toEqual(['Source Table']);
  });

  it('times out while another session holds a lock on the table', async () => {
    const dataDir = join(folder, 'hasty');
    const patient = await startTestServer({ dataDir });
    await patient.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await patient.post(stores, storeJson());
    expect((await putZip(patient, `${stores}/db/file.shp`, zipOf({ held: pointShapefile(2) }))).status).toBe(201);
    await patient.close();
    const hasty = await startTestServer({ dataDir, flags: ['--store-timeout-ms', '700'] });
    onTestFinished(() => hasty.close());
    await postgis.query('BEGIN; LOCK TABLE imports.held IN ACCESS EXCLUSIVE MODE');

    const reply = await putZip(hasty, `${stores}/db/file.shp?update=overwrite`, zipOf({ held: pointShapefile(5) }));
    await postgis.query('ROLLBACK');

    expect([reply.status, reply.text]).toEqual([502, expect.stringContaining("the store 'db' is unavailable")]);
    expect(await count('imports.held')).toBe(2);
    expect(await readdir(join(hasty.dataDir, 'staging'))).toEqual([]);
  });
});
