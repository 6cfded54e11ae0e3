import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoint } from '../../../../test/support/code-points.ts';
import { checkParameters } from '../../port/parameters.ts';
import { postgisDriver } from '../driver.ts';
import { readPostgisSettings } from './parameters.ts';

const good = {
  dbtype: 'postgis',
  host: 'db.example.org',
  port: '5432',
  database: 'maps',
  user: 'me',
  passwd: 'p&?=@ /s',
};

describe('PostGIS connection parameters', () => {
  test('accept the parameters that clients of other servers send', () => {
    const many = {
      ...good,
      namespace: 'http://example.org',
      schema: 'public',
      'Expose primary keys': 'true',
      'min connections': '1',
      'max connections': '20',
      'fetch size': '1000',
      'Connection timeout': '20',
      'validate connections': 'true',
      'Loose bbox': 'true',
      preparedStatements: 'false',
      'SSL mode': 'DISABLE',
      'Estimated extends': 'false',
      'encode functions': 'true',
      'Max open prepared statements': '50',
      'Evictor run periodicity': '300',
      'Max connection idle time': '300',
      'Evictor tests per run': '3',
      'Test while idle': 'true',
      'Support on the fly geometry simplification': 'true',
      'Batch insert size': '1',
      'create database': 'false',
      'Method used to simplify geometries': 'PRESERVETOPOLOGY',
    };

    expect(checkParameters(postgisDriver, many, { isStrict: true })).toEqual([]);
    expect(readPostgisSettings(many)).toMatchObject({
      maxConnections: 20,
      connectTimeoutMs: 20_000,
      exposesPrimaryKeys: true,
    });
  });

  test.each(['localhost', '10.0.0.1', '::1', '[2001:db8::1]', 'my_db', 'a.b-c.example.'])(
    'accept the host %s',
    (host) => {
      expect(postgisDriver.validate({ ...good, host })).toBeUndefined();
    },
  );

  test.each([
    ['host', '/var/run/postgresql'],
    ['host', 'db?socketFactory=x'],
    ['host', 'db:5432/other?loggerFile=x'],
    ['host', 'user@db'],
    ['host', 'a,b'],
    ['host', 'a b'],
    ['host', '-h'],
    ['host', '..'],
    ['port', '0'],
    ['port', '65536'],
    ['port', '5432/x'],
    ['port', '0x10'],
    ['port', '1e3'],
    ['database', ''],
    ['database', 'maps?ssl=false'],
    ['database', 'postgres://other/maps'],
    ['database', 'dbname=other'],
    ['database', 'a\nb'],
    ['schema', 'public;x'],
    ['user', 'me=you'],
    ['max connections', '1000000'],
    ['Expose primary keys', 'perhaps'],
    ['SSL mode', 'sometimes'],
    ['Session startup SQL', 'SELECT 1'],
    ['jndiReferenceName', 'java:comp/env'],
  ])('reject %s = %j', (parameter, value) => {
    expect(() => checkParameters(postgisDriver, { ...good, [parameter]: value }, { isStrict: false })).toThrow(
      expect.objectContaining({ code: 'store-parameter-invalid', details: expect.objectContaining({ parameter }) }),
    );
  });

  test.each([
    ['password', "did you mean 'passwd'?"],
    ['maxConnections', "did you mean 'max connections'?"],
    ['exposePrimaryKeys', "did you mean 'Expose primary keys'?"],
    ['charset', 'but has no effect.'],
  ])('accept %s with a warning that it has no effect', (parameter, hint) => {
    const parameters = { ...good, [parameter]: 'x' };

    expect(checkParameters(postgisDriver, parameters, { isStrict: false })).toEqual([
      expect.stringMatching(new RegExp(`Unknown connection parameter '${parameter}'.*${hint.replace('?', '\\?')}$`)),
    ]);
    expect(() => checkParameters(postgisDriver, parameters, { isStrict: true })).toThrow(
      expect.objectContaining({ code: 'store-parameter-invalid', details: expect.objectContaining({ parameter }) }),
    );
  });

  test('accept nothing but a host name or address as host', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 40 }), (host) => {
        const objection = postgisDriver.validate({ ...good, host });
        if (objection === undefined) expect(host.trim()).toMatch(/^[a-z0-9._:[\]%-]*$/i);
      }),
    );
  });
});
