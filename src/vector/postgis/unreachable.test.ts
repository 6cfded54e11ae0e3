import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgis, postgisParameters } from '../../../test/support/postgis-sources.ts';
import { readAllFeatures } from '../../../test/support/vector-reading.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';
import type { ConnectionParameters } from '../port/driver.ts';
import type { VectorSource } from '../port/port.ts';
import { openVectorSources } from '../sources.ts';
import { postgisDriver } from './driver.ts';

const never = new AbortController().signal;

async function opened(parameters: ConnectionParameters): Promise<VectorSource> {
  const source = await postgisDriver.open(parameters, { resolvePath: async (named) => named });
  onTestFinished(() => source.close());
  return source;
}

/** Starts a server with the given connection handler and returns its port. */
async function portOf(handle: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

const parameters = { dbtype: 'postgis', host: '127.0.0.1', database: 'maps', user: 'me', passwd: 'hunter2' };

describe('PostGIS store without a responding database', () => {
  test('reports a refused connection immediately', async () => {
    const source = await opened({ ...parameters, port: '1' });

    await expect(source.listTypes(never)).rejects.toMatchObject({
      code: 'store-unreachable',
      message: "The data of the store 'maps' is unavailable: the connection to its host and port was refused.",
    });
  });

  test.each([
    ['closes the connection', (socket: Socket) => void socket.destroy(), 'the connection was lost'],
    [
      'speaks another protocol',
      (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      expect.any(String),
    ],
    ['sends nothing', () => undefined, 'the host does not respond'],
  ])('gives up on a server that %s', async (_title, handle, reason) => {
    const source = await opened({ ...parameters, port: String(await portOf(handle)), 'Connection timeout': '3' });

    await expect(source.listTypes(never)).rejects.toMatchObject({ code: 'store-unreachable', details: { reason } });
  });

  test('stops waiting on abort', async () => {
    const source = await opened({
      ...parameters,
      port: String(await portOf(() => undefined)),
      'Connection timeout': '1',
    });
    const controller = new AbortController();
    const listing = source.listTypes(controller.signal);

    controller.abort(new Error('enough'));

    await expect(listing).rejects.toThrow('enough');
  });

  test('uses no default user', async () => {
    const { user: _user, ...anonymous } = parameters;

    await expect(opened(anonymous)).rejects.toMatchObject({ code: 'store-unreachable' });
  });
});

describeWithPostgis('PostGIS store with failures', (postgis) => {
  async function open(extra: ConnectionParameters = {}): Promise<VectorSource> {
    return opened({ ...postgisParameters(postgis.connection), ...extra });
  }
  const backends = (source: string) =>
    postgis.query(
      `SELECT pid, state FROM pg_stat_activity WHERE application_name = 'graticule' AND datname = current_database() AND query LIKE $1`,
      [`%${source}%`],
    );

  test.each([
    ['a wrong password', { passwd: 'wrong' }, 'the database rejected the user or the password'],
    ['no password', { passwd: '' }, 'the database rejected the user or the password'],
    ['an unknown user', { user: 'nobody_here' }, 'the database rejected the user or the password'],
    ['an unknown database', { database: 'nowhere' }, 'the database does not exist'],
    ['encryption that is not offered', { 'SSL mode': 'REQUIRE' }, 'an encrypted connection is not possible'],
  ])('reports %s without the password', async (_title, extra, reason) => {
    const source = await open(extra);

    await expect(source.listTypes(never)).rejects.toMatchObject({ code: 'store-unreachable', details: { reason } });
  });

  test('stops a slow view at the deadline, also in the database', async () => {
    await postgis.query('CREATE VIEW slow AS SELECT ST_MakePoint(1, 1) AS g FROM pg_sleep(60)');
    const source = await open();

    await expect(source.describe('slow', AbortSignal.timeout(300))).rejects.toThrow();
    await expect(readAllFeaturesWithin(source, 'slow', 300)).rejects.toThrow();

    await expect.poll(async () => (await backends('slow')).filter((each) => each['state'] === 'active')).toEqual([]);
    expect(await source.listTypes(never)).toContainEqual({ name: 'slow', hasGeometry: true });
  });

  test('returns a problem with the store name at the deadline', async () => {
    await postgis.query('CREATE VIEW slower AS SELECT ST_MakePoint(1, 1) AS g FROM pg_sleep(60)');
    const sources = openVectorSources({
      drivers: [postgisDriver],
      context: { resolvePath: async (named) => named },
      deadlineMs: 300,
      maxOpen: 2,
    });
    onTestFinished(() => sources.close());
    const store = { id: '1', version: 1, name: 'roads', parameters: postgisParameters(postgis.connection) };

    await expect(sources.use(store, (source, signal) => source.describe('slower', signal))).rejects.toMatchObject({
      message: expect.stringContaining("The data of the store 'roads' is unavailable: it did not answer"),
    });
    await expect(
      sources.use({ ...store, id: '2', parameters: { ...store.parameters, passwd: 'x' } }, (source, signal) =>
        source.listTypes(signal),
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining("'roads'") });
  });

  test('reconnects after its connections are killed', async () => {
    const source = await open();
    await source.listTypes(never);
    await postgis.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'graticule' AND datname = current_database()`,
    );

    expect(await source.listTypes(never)).toBeDefined();
  });

  test('reports a connection that is killed while reading', async () => {
    await postgis.query(`CREATE TABLE long_read AS SELECT repeat('x', 1000) AS text FROM generate_series(1, 20000)`);
    const source = await open();
    const iterator = source.read('long_read', {}, never)[Symbol.asyncIterator]();
    await iterator.next();
    await postgis.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'graticule' AND datname = current_database()`,
    );

    const rest = async () => {
      while (!(await iterator.next()).done);
    };

    await expect(rest()).rejects.toMatchObject({ code: 'store-unreachable' });
    expect(await readAllFeatures(source, 'long_read')).toHaveLength(20_000);
  });

  test('reports that all connections are in use, and recovers afterwards', async () => {
    const source = await openPostgis(postgis.connection, { 'max connections': '1', 'Connection timeout': '3' });
    onTestFinished(() => source.close());
    await postgis.query('CREATE TABLE IF NOT EXISTS many AS SELECT x FROM generate_series(1, 5000) AS x');
    const iterator = source.read('many', {}, never)[Symbol.asyncIterator]();
    await iterator.next();

    await expect(source.listTypes(never)).rejects.toMatchObject({
      details: { reason: 'all its connections are in use' },
    });
    await iterator.return?.();

    expect(await source.listTypes(never)).toBeDefined();
  });
});

async function readAllFeaturesWithin(source: VectorSource, name: string, ms: number): Promise<void> {
  for await (const _batch of source.read(name, {}, AbortSignal.timeout(ms)));
}
