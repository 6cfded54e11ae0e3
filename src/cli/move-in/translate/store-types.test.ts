import { expect, it } from 'vitest';
import { findDataStoreType } from './store-types.ts';

it.each(['mysql', 'MySQL', 'mariadb'])('a store with dbtype %s is imported with its password as a secret', (dbtype) => {
  expect(findDataStoreType(new Map([['dbtype', dbtype]]))).toEqual({ secrets: ['passwd'] });
});

it('a store of an unsupported database is not imported', () => {
  expect(findDataStoreType(new Map([['dbtype', 'oracle']]))).toBeUndefined();
});
