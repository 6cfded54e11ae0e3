import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshGeopackagePath, makeRoads, openGeopackage } from '../../../test/support/geopackages.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { describeType, readAllFeatures } from '../../../test/support/vector-reading.ts';
import { createType } from '../../../test/support/vector-writing.ts';
import { Problem } from '../../lib/problems/problem.ts';

const folder = useTemporaryFolder('hostile-geopackage');
const never = new AbortController().signal;

describe('hostile GeoPackage files', () => {
  const listed = (name: string) =>
    `INSERT INTO gpkg_contents (table_name, data_type) VALUES ('${name}', 'attributes');`;

  test.each([
    [
      'runs forever',
      'CREATE VIEW evil AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n;',
    ],
    ['joins without a condition', 'CREATE VIEW evil AS SELECT a.name FROM roads a, roads b, roads c;'],
    [
      'runs a subquery for each row',
      'CREATE VIEW evil AS SELECT (SELECT max(b.name) FROM roads b WHERE b.name > a.name) AS m FROM roads a;',
    ],
    [
      'uses nested views',
      `CREATE VIEW a0 AS SELECT name FROM roads; ${Array.from({ length: 40 }, (_, n) => `CREATE VIEW a${n + 1} AS SELECT * FROM a${n} UNION ALL SELECT * FROM a${n};`).join('')} CREATE VIEW evil AS SELECT * FROM a40;`,
    ],
    [
      'uses nested common table expressions',
      `CREATE VIEW evil AS WITH a0 AS (SELECT name FROM roads) ${Array.from({ length: 40 }, (_, n) => `, a${n + 1} AS (SELECT * FROM a${n} UNION ALL SELECT * FROM a${n})`).join('')} SELECT * FROM a40;`,
    ],
    ['exhausts memory', 'CREATE VIEW evil AS SELECT zeroblob(1000000000) AS z FROM roads;'],
    ['loads code', "CREATE VIEW evil AS SELECT load_extension('/tmp/x.so') AS z;"],
    [
      'repeats texts',
      "CREATE VIEW evil AS SELECT replace(hex(zeroblob(9999)), '0', hex(zeroblob(9999))) AS z FROM roads;",
    ],
  ])('a view that %s is rejected', async (_title, view) => {
    const { source } = await makeRoads(folder, `${view} ${listed('evil')}`);

    await expect(source.describe('evil', never)).rejects.toMatchObject({ status: 400 });
    await expect(readAllFeatures(source, 'evil')).rejects.toMatchObject({ status: 400 });
    expect(await readAllFeatures(source, 'roads')).toHaveLength(1);
  });

  test('harmless views are read', async () => {
    const { source } = await makeRoads(
      folder,
      `
      CREATE VIEW seen AS SELECT r.fid AS id, upper(r.name) AS name, o.name AS other, r.geom FROM roads r LEFT JOIN roads o ON o.fid = r.fid;
      INSERT INTO gpkg_contents (table_name, data_type) VALUES ('seen', 'features');
      INSERT INTO gpkg_geometry_columns VALUES ('seen', 'geom', 'POINT', 2154, 0, 0)`,
    );

    expect(await describeType(source, 'seen')).toMatchObject({ defaultGeometry: 'geom', bounds: { minX: 1 } });
    expect((await readAllFeatures(source, 'seen'))[0]).toMatchObject({
      id: 'seen.1',
      values: [1, 'FIRST', 'first', { type: 'Point' }],
    });
  });

  test('computed columns and virtual tables are not executed', async () => {
    const { source } = await makeRoads(
      folder,
      `
      CREATE TABLE computed (id INTEGER PRIMARY KEY, a TEXT, big AS (zeroblob(1000000000)));
      INSERT INTO computed (a) VALUES ('x'); ${listed('computed')}
      CREATE VIRTUAL TABLE searched USING fts5(text); ${listed('searched')}`,
    );

    expect(await readAllFeatures(source, 'computed')).toEqual([{ id: 'computed.1', values: ['x'] }]);
    expect(await source.describe('searched', never)).toBeUndefined();
  });

  test('a file with triggers on the catalogue is not written', async () => {
    const { source, path } = await makeRoads(
      folder,
      'CREATE TRIGGER evil AFTER INSERT ON gpkg_contents BEGIN DELETE FROM roads; END',
    );

    await expect(createType(source, { name: 'more', attributes: [] })).rejects.toMatchObject({
      code: 'table-refused',
    });
    expect(await readAllFeatures(await openGeopackage(path), 'roads')).toHaveLength(1);
  });

  test.each([
    ['is not a database', async (path: string) => writeFile(path, 'x'.repeat(4096)), 'it is not a GeoPackage'],
    ['is too short', async (path: string) => writeFile(path, 'SQLite format 3\0'), 'it is not a GeoPackage'],
    [
      'is another database',
      async (path: string) => {
        const database = new DatabaseSync(path);
        database.exec('CREATE TABLE a (b)');
        database.close();
      },
      'it is not a GeoPackage: it has no table gpkg_contents',
    ],
  ])('a file that %s is rejected with the reason', async (_title, make, reason) => {
    const path = freshGeopackagePath(folder);
    await make(path);
    const source = await openGeopackage(path);

    await expect(source.listTypes(never)).rejects.toMatchObject({
      code: 'vector-file-unreadable',
      details: { reason },
    });
    await expect(source.describe('a', never)).rejects.toMatchObject({ status: 400 });
    await expect(createType(source, { name: 'x', attributes: [] })).rejects.toMatchObject({ status: 400 });
  });

  test('a file with invalid geometries is rejected with the reason', async () => {
    const { source } = await makeRoads(
      folder,
      "INSERT INTO roads (name) VALUES ('x'); DROP TRIGGER rtree_roads_geom_update1; DROP TRIGGER rtree_roads_geom_update2; DROP TRIGGER rtree_roads_geom_update3; DROP TRIGGER rtree_roads_geom_update4; UPDATE roads SET geom = x'475000' WHERE fid = 2",
    );

    await expect(source.describe('roads', never)).rejects.toMatchObject({ code: 'vector-file-unreadable' });
    await expect(readAllFeatures(source, 'roads')).rejects.toMatchObject({ code: 'vector-file-unreadable' });
  });

  test('a file with damage at any position returns features or a problem', async () => {
    const { path } = await makeRoads(folder);
    const bytes = await readFile(path);
    const changes = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 });

    await fc.assert(
      fc.asyncProperty(changes, fc.option(fc.nat(bytes.length)), async (list, cut) => {
        const damaged = Buffer.from(bytes);
        for (const [at, byte] of list) damaged[at] = byte;
        const target = join(folder, 'damaged.gpkg');
        await writeFile(target, cut === null ? damaged : damaged.subarray(0, cut));
        const source = await openGeopackage(target);
        for (const ask of [
          () => source.listTypes(never),
          () => source.describe('roads', never),
          () => readAllFeatures(source, 'roads'),
        ]) {
          await ask().catch((error: unknown) => expect(error).toBeInstanceOf(Problem));
        }
      }),
      { numRuns: 300 },
    );
  });
});
