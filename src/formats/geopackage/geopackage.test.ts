import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { encodingWorld } from '../../../test/support/encoding-world.ts';
import {
  column,
  createCollection,
  encodeBytes,
  geometryColumn,
  type MadeUpSet,
  wkt,
} from '../../../test/support/feature-collections.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createGeoPackageEncoder } from './geopackage.ts';

describe('GeoPackage output', () => {
  const scratch = useTemporaryFolder('geopackage-encoder');
  const folder = useTemporaryFolder('geopackages');
  const encoder = createGeoPackageEncoder(encodingWorld(scratch));

  async function databaseOf(name: string, sets: readonly MadeUpSet[]): Promise<DatabaseSync> {
    const path = join(folder, `${name}.gpkg`);
    await writeFile(path, await encodeBytes(encoder, createCollection(sets)));
    return new DatabaseSync(path, { readOnly: true });
  }

  test('contains a table with a spatial index per query, with valid names', async () => {
    const set: MadeUpSet = {
      name: 'gpkg_Towns',
      attributes: [
        geometryColumn('Point', 'EPSG:31467'),
        column('name', 'string'),
        column('NAME', 'string'),
        column('', 'long'),
      ],
      rows: [[wkt('POINT (3500000 5800000)'), 'a', 'b', 1]],
    };

    const database = await databaseOf('names', [set, { ...set, rows: [] }]);

    const tables = database.prepare('SELECT table_name, data_type, srs_id, min_x FROM gpkg_contents').all();
    expect(tables.map((row) => ({ ...row }))).toEqual([
      { table_name: '_gpkg_Towns', data_type: 'features', srs_id: 31467, min_x: 3_500_000 },
      { table_name: '_gpkg_Towns_2', data_type: 'features', srs_id: 31467, min_x: null },
    ]);
    const rows = database.prepare('SELECT name, NAME_2, "column" FROM "_gpkg_Towns"').all();
    expect(rows.map((row) => ({ ...row }))).toEqual([{ name: 'a', NAME_2: 'b', column: 1 }]);
    expect(database.prepare('SELECT count(*) AS count FROM "rtree__gpkg_Towns_the_geom"').get()).toEqual({ count: 1 });
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(await readdir(scratch)).toEqual([]);
    database.close();
  });

  test('keeps geometries unchanged if the column accepts any type', async () => {
    const rows = ['POINT (1 2)', 'POINT Z (1 2 3)', 'POINT M (1 2 4)'].map((each) => [wkt(each)]);

    const database = await databaseOf('any', [{ attributes: [geometryColumn('Geometry')], rows }]);

    expect(database.prepare('SELECT z, m FROM gpkg_geometry_columns').get()).toEqual({ z: 2, m: 2 });
    const found = database.prepare('SELECT length(the_geom) AS bytes FROM places').all();
    expect(found.map(({ bytes }) => bytes)).toEqual([29, 37, 37]);
    database.close();
  });

  test('writes geometries in the dimension of the column', async () => {
    const set: MadeUpSet = {
      attributes: [geometryColumn('Geometry', 'EPSG:4326', 'XYZ')],
      rows: [[wkt('POINT (1 2)')], [wkt('GEOMETRYCOLLECTION Z (POINT Z (1 2 3))')], [wkt('POINT ZM (1 2 3 4)')]],
    };

    const database = await databaseOf('dimensions', [set]);

    expect(database.prepare('SELECT z, m FROM gpkg_geometry_columns').get()).toEqual({ z: 1, m: 0 });
    expect(database.prepare('SELECT count(the_geom) AS count FROM places').get()).toEqual({ count: 3 });
    database.close();
  });
});
