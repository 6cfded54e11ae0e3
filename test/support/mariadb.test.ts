import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { expect, test } from 'vitest';
import { describeWithMariadb } from './with-mariadb.ts';

describeWithMariadb('private MariaDB of a test run', (mariadb) => {
  test('reports its version', async () => {
    const rows = await mariadb.query('SELECT VERSION() AS version');

    expect(rows).toEqual([{ version: expect.stringContaining('MariaDB') }]);
  });

  test('rejects a wrong password', async () => {
    await expect(createConnection({ ...mariadb.connection, password: 'guess' })).rejects.toThrow('Access denied');
  });

  test('listens on the local machine only', async () => {
    expect(await mariadb.query('SELECT @@bind_address AS address')).toEqual([{ address: '127.0.0.1' }]);
  });

  test('runs as an ordinary user, even when the tests run as root', async () => {
    const [{ folder } = {}] = await mariadb.query('SELECT @@datadir AS folder');

    expect(statSync(dirname(String(folder))).uid).not.toBe(0);
  });
});
