import { expect, it } from 'vitest';
import { findDataStoreType } from './store-types.ts';

it.each(['mysql', 'MySQL', 'mariadb'])('a store with dbtype %s is imported with its password as a secret', (dbtype) => {
  expect(findDataStoreType(new Map([['dbtype', dbtype]]))).toEqual({ secrets: ['passwd'] });
});

it('a store of an unsupported database is not imported', () => {
  expect(findDataStoreType(new Map([['dbtype', 'oracle']]))).toBeUndefined();
});

it('a store of a PMTiles file is imported with its file, or with the URL of another server', () => {
  const find = (pmtiles: string) => findDataStoreType(new Map([['pmtiles', pmtiles]]));
  const names = new Set(['pmtiles', 'dbtype']);

  expect(find('file:data/city.pmtiles')).toEqual({ pathParameter: 'pmtiles', data: 'tiles', secrets: [], names });
  expect(find('/data/city.pmtiles')).toMatchObject({ pathParameter: 'pmtiles' });
  expect(find('https://data.example/city.pmtiles')).toEqual({ urlParameter: 'pmtiles', secrets: [], names });
  expect(find('s3://bucket/city.pmtiles')).toBeUndefined();
});
