import { describe, expect, it } from 'vitest';
import { mysqlDriver } from '../driver.ts';
import { readMysqlSettings, validateMysqlParameters } from './parameters.ts';

const minimal = { dbtype: 'mysql', database: 'gis', user: 'reader', passwd: 's3cret' };

describe('connection parameters of MySQL', () => {
  it('have defaults', () => {
    expect(readMysqlSettings(minimal)).toEqual({
      host: 'localhost',
      port: 3306,
      database: 'gis',
      user: 'reader',
      password: 's3cret',
      maxConnections: 10,
      connectTimeoutMs: 5_000,
      idleTimeoutMs: 60_000,
      sslMode: 'DISABLED',
      exposesPrimaryKeys: false,
    });
  });

  it('are read in the forms that clients send', () => {
    const settings = readMysqlSettings({
      ...minimal,
      host: ' [::1] ',
      port: '3307',
      'SSL mode': 'verify-identity',
      'Expose primary keys': 'TRUE',
    });

    expect(settings).toMatchObject({ host: '::1', port: 3307, sslMode: 'VERIFY_IDENTITY', exposesPrimaryKeys: true });
  });

  it.each([
    ['database', ''],
    ['database', 'gis?allowLoadLocalInfile=true'],
    ['database', 'gis;x'],
    ['database', 'g\u0000is'],
    ['user', 'a@b/c'],
    ['host', '/var/run/mysqld/mysqld.sock'],
    ['host', 'db.example:3306'],
    ['host', 'user@db.example'],
    ['port', '0'],
    ['port', '65536'],
    ['port', '3306x'],
    ['max connections', '1000'],
    ['SSL mode', 'yes'],
    ['Expose primary keys', 'perhaps'],
  ])('are rejected with the name of the parameter: %s=%s', (parameter, value) => {
    expect(validateMysqlParameters({ ...minimal, [parameter]: value })).toMatchObject({ parameter });
  });

  it.each(['mysql', 'MySQL', ' mariadb '])('belong to the driver with dbtype "%s"', (dbtype) => {
    expect(mysqlDriver.accepts({ ...minimal, dbtype })).toBe(true);
  });

  it('name the host that operators allow, without case and trailing dot', () => {
    expect(mysqlDriver.getHost?.({ ...minimal, host: 'DB.Example.' })).toBe('db.example');
  });
});
