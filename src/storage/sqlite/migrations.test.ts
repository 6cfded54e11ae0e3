import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { migrate, migrations } from './migrations.ts';

function state(database: DatabaseSync): unknown {
  const version = database.prepare('PRAGMA user_version', { returnArrays: true }).get()?.[0];
  const tables = database.prepare('SELECT name FROM sqlite_schema ORDER BY name', { returnArrays: true }).all();
  return { version, tables: tables.flat() };
}

describe('database migration', () => {
  test('an empty database gets every step, and a second start none', () => {
    const database = new DatabaseSync(':memory:');
    const steps = ['CREATE TABLE one (a)', 'ALTER TABLE one RENAME TO two'];

    migrate(database, steps);
    migrate(database, steps);

    expect(state(database)).toEqual({ version: 2, tables: ['two'] });
  });

  test('an older database gets the missing steps', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, ['CREATE TABLE one (a)']);

    migrate(database, ['CREATE TABLE one (a)', 'CREATE TABLE two (a)', 'CREATE TABLE three (a)']);

    expect(state(database)).toEqual({ version: 3, tables: ['one', 'three', 'two'] });
  });

  test('a failing step leaves the database at the previous version', () => {
    const database = new DatabaseSync(':memory:');
    const steps = ['CREATE TABLE one (a)', 'CREATE TABLE two (a); CREATE TABLE one (a)', 'CREATE TABLE three (a)'];

    expect(() => migrate(database, steps)).toThrow('schema version 2');

    expect(state(database)).toEqual({ version: 1, tables: ['one'] });
    expect(database.isTransaction).toBe(false);
  });

  test('a database from a newer version is rejected and left unchanged', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, ['CREATE TABLE one (a)', 'CREATE TABLE two (a)']);

    expect(() => migrate(database, ['CREATE TABLE one (a)'])).toThrow('newer version');

    expect(state(database)).toEqual({ version: 2, tables: ['one', 'two'] });
  });

  test('every table is strict', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database);

    const lax = database.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0").all();
    expect(lax.map((row) => Object.values(row)[0])).toEqual(['sqlite_schema']);
    expect(migrations.length).toBeGreaterThan(0);
  });
});
