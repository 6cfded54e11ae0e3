import { Client } from 'pg';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { readResource } from '../../../test/support/vector-samples.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const stores = '/workspaces/acme/datastores';
const types = `${stores}/nyc/featuretypes`;

/** A feature type whose rows come from a query. */
function typeOfQuery(name: string, sql: string): string {
  const metadata = { entry: [{ '@key': 'JDBC_VIRTUAL_TABLE', virtualTable: { name, sql } }] };
  return JSON.stringify({ featureType: { name, metadata } });
}

describeWithPostgis('a PostGIS database with problems', (postgis) => {
  const server = useTestServer({ flags: ['--store-timeout-ms', '600000'] });
  /** For statements that never end. */
  const hasty = useTestServer({ flags: ['--store-timeout-ms', '5000'] });
  beforeAll(async () => {
    await postgis.query(`
      CREATE TABLE roads (id int PRIMARY KEY, geom geometry(Point, 25832));
      INSERT INTO roads VALUES (1, ST_SetSRID(ST_MakePoint(500000, 5500000), 25832));
      CREATE FUNCTION fail() RETURNS geometry LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION $$no$$; END';
      CREATE VIEW failing AS SELECT id, fail() AS geom FROM roads`);
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    const dataStore = { name: 'nyc', disableOnConnFailure: true, connectionParameters };
    for (const each of [server, hasty]) {
      await each.post('/workspaces', '<workspace><name>acme</name></workspace>');
      expect((await each.post(stores, JSON.stringify({ dataStore }))).status).toBe(201);
    }
  });

  it.each([
    ['a query that never ends', typeOfQuery('slow', 'SELECT geom, pg_sleep(60)::text AS slept FROM roads')],
    ['a query with a protocol parameter', typeOfQuery('wired', 'SELECT geom, $1::int AS n FROM roads')],
    ['a view that fails', '{"featureType":{"name":"failing"}}'],
  ])('stays enabled after %s', async (_title, body) => {
    const reply = await hasty.post(types, body);

    expect(reply.status).toBe(400);
    expect(await readResource(hasty, `${stores}/nyc`)).toMatchObject({ enabled: true });
  });

  it('returns the database error for an invalid query or view', async () => {
    const wired = await server.post(types, typeOfQuery('wired', 'SELECT $1::int AS n'));
    const failing = await server.post(types, '{"featureType":{"name":"failing"}}');

    expect(wired.text).toContain("rejects the query of the virtual table 'wired'");
    expect(failing.text).toContain("The database of the store 'nyc' rejected the request");
  });

  it('publishes one table while another is locked', async () => {
    await postgis.query('CREATE TABLE locked (geom geometry(Point, 4326)); CREATE TABLE free (n int)');
    const locker = new Client(postgis.connection);
    await locker.connect();
    onTestFinished(() => locker.end());
    await locker.query('BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE');

    const waiting = server.post(types, '{"featureType":{"name":"locked"}}');
    const free = await server.post(types, '{"featureType":{"name":"free"}}');
    await locker.query('ROLLBACK');

    expect([free.status, (await waiting).status]).toEqual([201, 201]);
  });

  /** A session that creates a table and delays the commit. */
  async function otherMaker(table: string) {
    const maker = new Client(postgis.connection);
    await maker.connect();
    onTestFinished(() => maker.end());
    await maker.query(`BEGIN; CREATE TABLE ${table} (n int)`);
    return maker;
  }

  const newTable = (name: string) =>
    `{"featureType":{"name":"${name}","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}`;

  const waiting = () =>
    postgis.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'graticule'
       AND wait_event_type = 'Lock'`,
    );

  it.each([
    ['COMMIT', 409],
    ['ROLLBACK', 201],
  ])('waits for another session that creates the same table until %s, and answers %d', async (end, status) => {
    const table = `contested_${end.toLowerCase()}`;
    const maker = await otherMaker(table);

    const replying = server.post(types, newTable(table));
    await expect.poll(waiting).toHaveLength(1);
    await maker.query(end);

    const reply = await replying;
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(status === 201 ? table : `'${table}'`);
  });

  it('creates the table in the current location of the store', async () => {
    await postgis.query('CREATE SCHEMA elsewhere');
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    await server.post(stores, JSON.stringify({ dataStore: { name: 'moving', connectionParameters } }));
    const maker = await otherMaker('followed');

    const replying = server.post(`${stores}/moving/featuretypes`, newTable('followed'));
    await expect.poll(waiting).toHaveLength(1);
    const moved = { dataStore: { connectionParameters: { ...connectionParameters, schema: 'elsewhere' } } };
    expect((await server.put(`${stores}/moving`, JSON.stringify(moved))).status).toBe(200);
    await maker.query('ROLLBACK');

    expect((await replying).status).toBe(201);
    expect(await postgis.query("SELECT schemaname AS schema FROM pg_tables WHERE tablename = 'followed'")).toEqual([
      { schema: 'elsewhere' },
    ]);
  });

  it('drops a table that was created too late', async () => {
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    await hasty.post(stores, JSON.stringify({ dataStore: { name: 'late', connectionParameters } }));
    const maker = await otherMaker('late');

    const reply = await hasty.post(`${stores}/late/featuretypes`, newTable('late'));
    await maker.query('ROLLBACK');

    expect([reply.status, reply.text]).toEqual([502, expect.stringContaining("the store 'late' is unavailable")]);
    await expect.poll(waiting).toEqual([]);
    expect(await postgis.query("SELECT to_regclass('late') AS made")).toEqual([{ made: null }]);
  });

  it('creates no column that every table already has', async () => {
    const attributes = { attribute: [{ name: 'ctid', binding: 'java.lang.String' }] };

    const reply = await server.post(types, JSON.stringify({ featureType: { name: 'doubled', attributes } }));

    expect([reply.status, reply.text]).toEqual([
      400,
      expect.stringContaining('an attribute has the name of a system column'),
    ]);
  });

  it('uses the new CRS of a table after a change', async () => {
    await postgis.query('CREATE TABLE moved AS SELECT * FROM roads');
    await server.post(types, '{"featureType":{"name":"moved"}}');
    await postgis.query('ALTER TABLE moved ALTER geom TYPE geometry(Point, 3857) USING ST_Transform(geom, 3857)');

    await server.put(`${types}/moved?recalculate=nativebbox,latlonbbox`, '<featureType/>');

    const moved = await readResource(server, `${types}/moved`);
    expect(moved).toMatchObject({ srs: 'EPSG:3857', nativeBoundingBox: { crs: { $: 'EPSG:3857' } } });
    const { minx } = moved['latLonBoundingBox'] as { minx: number };
    expect(minx).toBeCloseTo(9, 5);
  });

  it('keeps the CRS of a table that has lost its last row', async () => {
    await postgis.query('CREATE TABLE emptied (geom geometry)');
    await postgis.query('INSERT INTO emptied SELECT geom FROM roads');
    await server.post(types, '{"featureType":{"name":"emptied"}}');
    await postgis.query('TRUNCATE emptied');

    await server.put(`${types}/emptied?recalculate=nativebbox`, '<featureType/>');

    expect(await readResource(server, `${types}/emptied`)).toMatchObject({ srs: 'EPSG:25832' });
  });

  it.each(['json', 'xml'])('accepts the document of a type with a custom CRS in %s', async (format) => {
    const wkt = `PROJCS["Ours",GEOGCS["Our base",DATUM["Our datum",SPHEROID["Ours",6378000,297]],PRIMEM["Greenwich",0],
      UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",1],
      PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9],PARAMETER["false_easting",7],
      PARAMETER["false_northing",8],UNIT["metre",1]]`;
    const srid = format === 'json' ? 990_001 : 990_002;
    await postgis.query('INSERT INTO spatial_ref_sys (srid, auth_name, auth_srid, srtext) VALUES ($1, $2, 12, $3)', [
      srid,
      format === 'json' ? 'OURS' : 'EPSG',
      format === 'json' ? wkt : 'no text at all',
    ]);
    await postgis.query(`CREATE TABLE own_${format} AS SELECT ST_SetSRID(ST_MakePoint(7, 8), ${srid}) AS geom`);
    await server.post(types, `{"featureType":{"name":"own_${format}"}}`);
    const before = await server.get(`${types}/own_${format}.${format}`);

    const reply = await server.put(`${types}/own_${format}`, before.text, { type: format });

    expect([reply.status, reply.text]).toEqual([200, '']);
    expect((await server.get(`${types}/own_${format}.${format}`)).text).toBe(before.text);
    expect(before.text.includes('latLonBoundingBox')).toBe(format === 'json');
  });
});
