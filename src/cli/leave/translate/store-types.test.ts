import { expect, it } from 'vitest';
import { findDataStoreType } from './store-types.ts';

it('names a store of FlatGeobuf files, which GeoServer reads with an extension', () => {
  expect(findDataStoreType({ dbtype: 'fgb', file: 'file:data/roads.fgb' })).toEqual({
    type: 'FlatGeobuf',
    secrets: [],
    needsExtension: true,
  });
});

it('names a store of GeoParquet files, which GeoServer reads with an extension', () => {
  expect(findDataStoreType({ dbtype: 'geoparquet', uri: 'file:data/roads.parquet' })).toEqual({
    type: 'GeoParquet',
    secrets: [],
    needsExtension: true,
  });
});

it.each([
  [{ dbtype: 'mbtiles', database: 'file:data/city.mbtiles' }, 'MBTiles with vector tiles'],
  [{ pmtiles: 'file:data/city.pmtiles' }, 'PMTiles'],
])('names a store of vector tiles, which GeoServer reads with an extension: %o', (parameters, type) => {
  expect(findDataStoreType(parameters)).toEqual({ type, secrets: [], needsExtension: true });
});

it.each([
  ['mysql', 'MySQL'],
  ['mariadb', 'MariaDB'],
])('names a store with dbtype %s, which GeoServer reads with an extension', (dbtype, type) => {
  expect(findDataStoreType({ dbtype, host: 'db.example', database: 'gis' })).toEqual({
    type,
    secrets: ['passwd'],
    needsExtension: true,
  });
});
