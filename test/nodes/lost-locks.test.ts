/** Work on the tables of a store whose lock is lost before it ends. */
import { expect, onTestFinished, test } from 'vitest';
import { PostgresClaims } from '../../src/storage/postgres/nodes/claims.ts';
import { placeIn, postgresAddress } from '../support/postgres-places.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { featureTypes, pointShapefile, putZip, zipOf } from '../support/vector-samples.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const stores = '/workspaces/acme/datastores';
const tableJson = JSON.stringify({
  featureType: { name: 'roads', attributes: { attribute: { name: 'n', binding: 'java.lang.Integer' } } },
});

describeWithPostgis('work under a lost lock', (postgis) => {
  const tables = async (schema: string) =>
    (await postgis.query(`SELECT tablename FROM pg_tables WHERE schemaname = $1`, [schema])).map(
      ({ tablename }) => tablename,
    );

  /** A node with a store in a schema; `losing` runs once, right before the change of a request is tried. */
  async function startNode(schema: string, losing: () => Promise<void>): Promise<TestServer> {
    let isToLose = true;
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, `${schema}_storage`)],
      environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64') },
      betweenStorage(storage) {
        const rehearse: typeof storage.rehearse = async (author, work) => {
          if (isToLose) await losing();
          isToLose = false;
          return Reflect.apply(original, storage, [author, work]);
        };
        const original = storage.rehearse;
        return Object.assign(storage, { rehearse });
      },
    });
    onTestFinished(() => node.close());
    await postgis.query(`CREATE SCHEMA ${schema}`);
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password, schema };
    await node.post('/workspaces', '<workspace><name>acme</name></workspace>');
    expect((await node.post(stores, JSON.stringify({ dataStore: { name: 'db', connectionParameters } }))).status).toBe(
      201,
    );
    return node;
  }

  const endLocks = async () =>
    void (await postgis.query(
      `SELECT pg_terminate_backend(l.pid, 5000) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE l.locktype = 'advisory' AND d.datname = current_database()`,
    ));

  /** Simulates another node that works on the same store. */
  async function takeLocks(schema: string, key: (store: string) => string): Promise<void> {
    await endLocks();
    const [record] = await postgis.query(`SELECT id FROM ${schema}_storage.records WHERE kind = 'dataStore'`);
    const other = new PostgresClaims(placeIn(postgis, `${schema}_storage`), 'other');
    await other.runExclusive(key(String(record?.['id'])), async () => undefined);
    await other.close();
  }

  test.each([
    ['the store', (store: string) => store],
    ['the table', (store: string) => `${store}/roads`],
  ])('creates no table after another node acquired the lock of %s', async (_, key) => {
    const schema = `created_${key('s').length}`;
    const node = await startNode(schema, () => takeLocks(schema, key));

    const reply = await node.post(`${stores}/db/featuretypes`, tableJson);

    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5']);
    expect(await tables(schema)).toEqual([]);
    expect(await featureTypes(node, 'acme/db')).toEqual([]);
    expect((await node.post(`${stores}/db/featuretypes`, tableJson)).status).toBe(201);
    expect(await tables(schema)).toEqual(['roads']);
  });

  test('imports nothing after its session is lost', async () => {
    const node = await startNode('imported', endLocks);
    const upload = () => putZip(node, `${stores}/db/file.shp`, zipOf({ places: pointShapefile() }), 'application/zip');

    expect((await upload()).status).toBe(503);

    expect(await tables('imported')).toEqual([]);
    expect(await featureTypes(node, 'acme/db')).toEqual([]);
    expect((await upload()).status).toBe(201);
    expect(await featureTypes(node, 'acme/db')).toEqual(['places']);
  });
});
