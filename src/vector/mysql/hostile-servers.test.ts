/** Servers that do not answer, violate the protocol, or try to obtain files and passwords. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openMysql } from '../../../test/support/mysql-sources.ts';
import { type FakeMysql, okPacket, startFakeMysql } from '../../../test/support/services/fake-mysql.ts';
import { describeWithMariadb } from '../../../test/support/with-mariadb.ts';
import type { Feature, VectorSource } from '../port/port.ts';
import { createTableColumn } from './table/columns.ts';

const never = new AbortController().signal;
const PASSWORD = 'sésame ouvre-toi';

async function start(...options: Parameters<typeof startFakeMysql>): Promise<FakeMysql> {
  const server = await startFakeMysql(...options);
  onTestFinished(() => server.close());
  return server;
}

function open(port: number): Promise<VectorSource> {
  const connection = { host: '127.0.0.1', port, user: 'u', password: PASSWORD, database: 'd' };
  return openMysql(connection, { 'Connection timeout': '1' });
}

async function listAt(port: number): Promise<unknown> {
  const source = await open(port);
  try {
    return await source.listTypes(never);
  } finally {
    await source.close();
  }
}

const hugePart = Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 1]), Buffer.alloc(0xff_ffff)]);

describe('a MySQL store at a hostile server', () => {
  test.each([
    ['says nothing', null, 'the host does not respond'],
    ['speaks HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'unavailable'],
    ['sends random bytes', Buffer.from([3, 0, 0, 0, 0x0a, 0xff, 0xfe]), 'unavailable'],
    ['sends an empty message', Buffer.from([0, 0, 0, 0]), 'unavailable'],
  ])('that %s is reported', async (_, greeting, message) => {
    const server = await start(() => undefined, greeting);

    await expect(listAt(server.port)).rejects.toMatchObject({
      code: 'store-unreachable',
      message: expect.stringContaining(message),
    });
    await expect.poll(server.connections).toBe(0);
  });

  test('that sends an endless message is disconnected before it fills the memory', async () => {
    const server = await start(({ socket, send }, _, index) => {
      if (index < 4) send(okPacket, index === 0 ? 2 : 1);
      else for (let part = 0; part < 8; part += 1) socket.write(hugePart);
    });

    await expect(listAt(server.port)).rejects.toThrow('the database sent a row that is too large');
    await expect.poll(server.connections).toBe(0);
  });

  test.each([
    ['a short reply to a prepared statement', Buffer.from([0])],
    ['a result with columns that it lacks', Buffer.from([0xfc, 0xff, 0xff])],
    ['an unknown reply', Buffer.from([0x42, 1, 2, 3])],
    ['an error without a number', Buffer.from([0xff])],
  ])('that sends %s ends only its own request', async (_, payload) => {
    const server = await start(({ socket, send }, _packet, index) => {
      if (index < 4) send(okPacket, index === 0 ? 2 : 1);
      else {
        send(payload);
        send(payload, 2);
        socket.end();
      }
    });

    await expect(listAt(server.port)).rejects.toMatchObject({ code: expect.stringMatching(/^store-/) });
  });

  test('that requests a local file gets nothing', async () => {
    const server = await start(({ send }, _packet, index) => {
      if (index === 0) send(okPacket, 2);
      else if (index === 1) send(Buffer.from('\xfb/etc/passwd', 'latin1'));
      else send(okPacket, 3);
    });

    await expect(listAt(server.port)).rejects.toMatchObject({ code: expect.stringMatching(/^store-/) });
    expect(server.received().toString('latin1')).not.toContain('root:');
  });

  test('that requests the password in clear text does not get it', async () => {
    const server = await start(({ send }, _packet, index) => {
      if (index === 0) send(Buffer.from('\xfemysql_clear_password\0', 'latin1'), 2);
    });

    await expect(listAt(server.port)).rejects.toMatchObject({ code: 'store-unreachable' });
    expect(server.received().includes(PASSWORD)).toBe(false);
  });

  test('that sends an invalid geometry is named as the cause', () => {
    const column = createTableColumn('mariadb', {
      ...{ name: 'geom', type: 'geometry', fullType: 'geometry', isRequired: false, isGenerated: false },
      ...{ maxLength: undefined, charset: undefined, srid: 4326, isGeographic: false, keyPosition: undefined },
    });

    expect(() => column.readValue(Buffer.from('00ff', 'hex'))).toThrow('a geometry is invalid');
    expect(() => column.readValue('POINT(1 2)')).toThrow('a geometry is invalid: it is not binary');
  });
});

describeWithMariadb('a store of MariaDB', (mariadb) => {
  test('ends the statement in the database when its caller has gone', async () => {
    await mariadb.query(`CREATE OR REPLACE VIEW slow AS SELECT seq AS n, SLEEP(0.5) AS s FROM seq_1_to_1000`);
    const source = await openMysql(mariadb.connection);
    const running = async () =>
      (
        await mariadb.query(
          "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE '%`slow`%' AND INFO NOT LIKE '%PROCESSLIST%'",
        )
      ).length;
    const controller = new AbortController();
    const reading = source.read('slow', {}, controller.signal)[Symbol.asyncIterator]().next();
    await expect.poll(running).toBe(1);

    controller.abort(new Error('enough'));

    await expect(reading).rejects.toThrow('enough');
    await expect.poll(running).toBe(0);
    expect(source.connections?.()).toMatchObject({ open: 0, waiting: 0 });
    await source.close();
  });

  test('reports that all connections are in use, and serves waiting callers in turn', async () => {
    await mariadb.query('CREATE OR REPLACE TABLE one (id int PRIMARY KEY); INSERT INTO one VALUES (1)');
    const source = await openMysql(mariadb.connection, { 'max connections': '1', 'Connection timeout': '1' });
    const session = await source.startWriting?.(never);

    await expect(source.listTypes(never)).rejects.toThrow('all its connections are in use');
    const waiting = source.describe('one', never);
    expect(source.connections?.()).toEqual({ open: 1, idle: 0, waiting: 1 });
    await session?.rollback();

    expect(await waiting).toMatchObject({ name: 'one' });
    expect(source.connections?.()).toEqual({ open: 1, idle: 1, waiting: 0 });
    await source.close();
  });

  test('connects again when the database closed idle connections', async () => {
    await mariadb.query('CREATE OR REPLACE TABLE one (id int PRIMARY KEY); INSERT INTO one VALUES (1)');
    const source = await openMysql(mariadb.connection);
    await source.describe('one', never);
    const idle = await mariadb.query(
      'SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()',
    );
    for (const { ID } of idle) await mariadb.query(`KILL ${Number(ID)}`);

    const features: Feature[] = [];
    for await (const batch of source.read('one', {}, never)) features.push(...batch);

    expect(idle.length).toBeGreaterThan(0);
    expect(features.map(({ id }) => id)).toEqual(['one.1']);
    await source.close();
  });

  test('encrypts connections, and checks the certificate if the parameters require it', async () => {
    await mariadb.query(`CREATE OR REPLACE USER 'secure'@'%' IDENTIFIED BY 'x' REQUIRE SSL;
      GRANT ALL ON ${mariadb.connection.database}.* TO 'secure'@'%'`);
    const list = async (sslMode: string) => {
      const source = await openMysql(mariadb.connection, { user: 'secure', passwd: 'x', 'SSL mode': sslMode });
      return source.listTypes(never).finally(() => source.close());
    };

    expect(await list('REQUIRED')).toBeInstanceOf(Array);
    await expect(list('DISABLED')).rejects.toThrow('the database rejected the user or the password');
    await expect(list('VERIFY_CA')).rejects.toThrow('an encrypted connection is not possible');
    await expect(list('VERIFY_IDENTITY')).rejects.toThrow('an encrypted connection is not possible');
  });
});
