import { once } from 'node:events';
import { statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { askForService } from './services/ask-for-service.ts';
import { freePort } from './services/free-port.ts';
import { startPostgis } from './services/postgis.ts';
import { createTestDatabase } from './services/test-database.ts';
import { tools } from './tools.ts';
import { describeWithPostgis } from './with-postgis.ts';
import { describeWithTool } from './with-tool.ts';

describeWithPostgis('private PostGIS of a test run', (postgis) => {
  test('reports its version', async () => {
    const rows = await postgis.query('SELECT postgis_lib_version() AS version');

    expect(rows).toEqual([{ version: expect.stringMatching(/^3\.\d+/) }]);
  });

  test('stores a geometry with its SRID and returns it unchanged', async () => {
    await postgis.query('CREATE TABLE city (name text PRIMARY KEY, place geometry(Point, 4326))');
    await postgis.query("INSERT INTO city VALUES ($1, ST_GeomFromText('POINT(7.5 47.25)', 4326))", ['Solothurn']);

    const rows = await postgis.query('SELECT name, ST_AsText(place) AS text, ST_SRID(place) AS srid FROM city');

    expect(rows).toEqual([{ name: 'Solothurn', text: 'POINT(7.5 47.25)', srid: 4326 }]);
  });

  test('reports the SRID and the type of a geometry column', async () => {
    await postgis.query('CREATE TABLE road (id int PRIMARY KEY, course geometry(LineStringZ, 2056))');

    const rows = await postgis.query(
      "SELECT type, srid, coord_dimension FROM geometry_columns WHERE f_table_name = 'road'",
    );

    expect(rows).toEqual([{ type: 'LINESTRING', srid: 2056, coord_dimension: 3 }]);
  });

  test('creates a separate database for every group of tests', async () => {
    const other = await createTestDatabase(await askForService('postgis'));
    try {
      await other.query('CREATE TABLE only_there (id int)');

      const [there] = await other.query("SELECT to_regclass('only_there')::text AS found");
      const [here] = await postgis.query("SELECT to_regclass('only_there')::text AS found");

      expect(there).toEqual({ found: 'only_there' });
      expect(here).toEqual({ found: null });
    } finally {
      await other.drop();
    }
  });

  test('drops the database when a group of tests ends', async () => {
    const other = await createTestDatabase(await askForService('postgis'));
    const forgotten = new Client(other.connection);
    forgotten.on('error', () => undefined);
    await forgotten.connect();

    await other.drop();

    const names = await postgis.query('SELECT 1 FROM pg_database WHERE datname = $1', [other.connection.database]);
    expect(names).toEqual([]);
  });

  test('rejects a wrong password, over the network and over the socket', async () => {
    const [{ folder } = {}] = await postgis.query("SELECT current_setting('unix_socket_directories') AS folder");

    for (const host of [postgis.connection.host, String(folder)]) {
      const intruder = new Client({ ...postgis.connection, host, password: 'guess' });
      await expect(intruder.connect()).rejects.toThrow('password authentication failed');
    }
  });

  test('listens on the local machine only', async () => {
    expect(await postgis.query('SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  });

  test('runs as an ordinary user, even when the tests run as root', async () => {
    const [{ folder } = {}] = await postgis.query("SELECT current_setting('data_directory') AS folder");
    const writtenByTheServer = join(String(folder), 'postmaster.pid');

    expect(statSync(writtenByTheServer).uid).not.toBe(0);
  });
});

describeWithTool('postgis', 'start of a private PostGIS', () => {
  test('uses another port when the first one is taken', async () => {
    const neighbour = createServer().listen(0, '127.0.0.1');
    await once(neighbour, 'listening');
    const taken = (neighbour.address() as AddressInfo).port;
    const ports = [taken, await freePort('127.0.0.1')];

    const postgis = await startPostgis(tools.postgis.find() ?? '', async () => ports.shift() ?? 0);
    const database = await createTestDatabase(postgis.details);

    expect(postgis.details.connection.port).not.toBe(taken);
    expect(await database.query('SELECT ST_X(ST_MakePoint(1, 2)) AS x')).toEqual([{ x: 1 }]);
    await database.drop();
    await postgis.stop();
    neighbour.close();
  });
});
