import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  freshGeopackagePath,
  makeRoads,
  openAsWriter,
  openGeopackage,
  pointAttribute,
  pointBlob,
  valueAttribute,
} from '../../../test/support/geopackages.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { describeType, readAllFeatures } from '../../../test/support/vector-reading.ts';
import { createType } from '../../../test/support/vector-writing.ts';
import { checkParameters } from '../port/parameters.ts';
import type { Attribute } from '../port/port.ts';
import { createNearBoxFilter } from '../query/box-filter.ts';
import { countFeatures } from '../query/count-features.ts';
import { queryFeatures } from '../query/query-features.ts';
import { geopackageDriver } from './driver.ts';

const folder = useTemporaryFolder('geopackage');
const never = new AbortController().signal;

describe('GeoPackage store', () => {
  test('creates its file with the first table and describes the table as requested', async () => {
    const source = await openGeopackage(freshGeopackagePath(folder));
    const attributes = [
      { ...pointAttribute, type: 'MultiPolygon', dimension: 'XYZM', nillable: false } as const,
      valueAttribute('text', 'string'),
      valueAttribute('short', 'string', 12),
      ...(['boolean', 'short', 'integer', 'long', 'float', 'double', 'date', 'timestamp', 'bytes'] as const).map(
        (type) => valueAttribute(`a ${type}`, type),
      ),
    ];
    expect(await source.listTypes(never)).toEqual([]);
    expect(await source.describe('all', never)).toBeUndefined();

    await createType(source, { name: 'all', attributes });

    expect(await source.listTypes(never)).toEqual([{ name: 'all', hasGeometry: true }]);
    expect(await describeType(source, 'all')).toEqual({ name: 'all', attributes, defaultGeometry: 'geom', count: 0 });
  });

  test('rejects a table with too many columns', async () => {
    const source = await openGeopackage(freshGeopackagePath(folder));
    const columns = (count: number) =>
      Array.from({ length: count }, (_, index) => valueAttribute(`c${index}`, 'integer'));

    await createType(source, { name: 'wide', attributes: columns(1_999) });

    expect((await describeType(source, 'wide')).attributes).toHaveLength(1_999);
    await expect(createType(source, { name: 'wider', attributes: columns(2_000) })).rejects.toMatchObject({
      code: 'table-refused',
      details: { reason: expect.stringContaining('columns') },
    });
  });

  test.each([
    ['east', 'west'],
    ['west', 'east'],
  ] as const)('reads features in the order of the file if boxes in the %s and the %s select them', async (...sides) => {
    const { path, source } = await makeRoads(folder, 'DELETE FROM roads');
    const database = openAsWriter(path);
    const insert = database.prepare('INSERT INTO roads (fid, geom, name) VALUES (?, ?, ?)');
    for (const [index, x] of [-179, 179, -178, 178].entries()) insert.run(index + 1, pointBlob(x, 0), `road ${x}`);
    database.close();
    const boxes = { east: { minX: 170, maxX: 180 }, west: { minX: -180, maxX: -170 } };
    const filters = sides.map((side) => createNearBoxFilter('geom', { ...boxes[side], minY: -1, maxY: 1 }));
    const description = await describeType(source, 'roads');

    const { batches } = await queryFeatures({ source, description }, { filter: { kind: 'or', filters } }, never);
    const ids: string[] = [];
    for await (const batch of batches) ids.push(...batch.map(({ id }) => id));

    expect(ids).toEqual(['roads.1', 'roads.2', 'roads.3', 'roads.4']);
  });

  test('stores unsupported types as the nearest type', async () => {
    const source = await openGeopackage(freshGeopackagePath(folder));
    const attributes = (['decimal', 'time', 'uuid'] as const).map((type) => valueAttribute(type, type));

    await createType(source, { name: 'near', attributes });

    const { attributes: found } = await describeType(source, 'near');
    expect(found.map((each) => each.type)).toEqual(['double', 'string', 'string']);
  });

  test('reads its rows, and computes bounds that the catalogue lacks', async () => {
    const { source } = await makeRoads(folder);

    expect(await describeType(source, 'roads')).toMatchObject({
      bounds: { minX: 1, minY: 2, maxX: 1, maxY: 2 },
      count: 1,
    });
    expect(await readAllFeatures(source, 'roads')).toEqual([
      {
        id: 'roads.1',
        values: [{ type: 'Point', dimension: 'XY', ordinates: Float64Array.of(1, 2), ends: [], parts: [] }, 'first'],
      },
    ]);
  });

  test('exposes its key on request', async () => {
    const { path } = await makeRoads(folder);
    const source = await openGeopackage(path, { 'Expose primary keys': 'true', read_only: 'true' });

    expect((await readAllFeatures(source, 'roads'))[0]?.values[0]).toBe(1);
    expect(source.startWriting).toBeUndefined();
  });

  test('exposes its key in a write session', async () => {
    const { path } = await makeRoads(folder);
    const source = await openGeopackage(path, { 'Expose primary keys': 'true' });

    const session = await source.startWriting?.(never);
    const described = await session?.describe('roads');
    await session?.rollback();

    expect(described).toEqual(await source.describe('roads', never));
    expect(described?.attributes[0]?.name).toBe('fid');
  });

  test('accepts values that do not match the type of their column', async () => {
    const { source } = await makeRoads(
      folder,
      `
      CREATE TABLE odd (id INTEGER PRIMARY KEY, i INTEGER, d DOUBLE, t TEXT, b BOOLEAN, day DATE, at DATETIME, n NUMERIC(9,2), v VARCHAR(9));
      INSERT INTO gpkg_contents (table_name, data_type) VALUES ('odd', 'attributes');
      INSERT INTO odd VALUES (1, 9007199254740993, 'x', 5, 1, '2024-02-29', '2024-02-29T10:00:00.25Z', 1.5, 'v'),
        (2, 'word', 3, x'41', 'yes', 7, 'never', 'n', 2)`,
    );

    expect((await readAllFeatures(source, 'odd')).map((each) => each.values)).toEqual([
      [9007199254740993n, null, '5', true, new Date('2024-02-29'), new Date('2024-02-29T10:00:00.250Z'), 1.5, 'v'],
      [null, 3, 'A', null, null, null, null, '2'],
    ]);
  });

  test('rejects existing tables regardless of case, and reserved or invalid names', async () => {
    const { source } = await makeRoads(folder);
    const attempt = (name: string, attributes: readonly Attribute[]) => createType(source, { name, attributes });

    await expect(attempt('ROADS', [])).rejects.toMatchObject({ code: 'table-exists', status: 409 });
    await expect(attempt('rtree_x', [])).rejects.toMatchObject({ code: 'table-refused' });
    await expect(attempt('sqlite_master', [])).rejects.toMatchObject({ code: 'table-refused' });
    await expect(attempt('', [])).rejects.toMatchObject({ code: 'table-refused' });
    await expect(attempt('twice', [valueAttribute('a', 'long'), valueAttribute('A', 'long')])).rejects.toMatchObject({
      code: 'table-refused',
    });
    await expect(attempt('two', [pointAttribute, { ...pointAttribute, name: 'g2' }])).rejects.toMatchObject({
      code: 'table-refused',
    });
    const unknown = { ...pointAttribute, crs: { code: 'EPSG:999998' } };
    await expect(attempt('nowhere', [unknown])).rejects.toMatchObject({ code: 'crs-unknown-to-database' });
    expect(await source.listTypes(never)).toHaveLength(1);
  });

  test('leaves no file if no table can be created', async () => {
    const path = freshGeopackagePath(folder);
    const source = await openGeopackage(path);
    await expect(createType(source, { name: 'gpkg_a', attributes: [] })).rejects.toMatchObject({
      code: 'table-refused',
    });
    expect(await readdir(folder)).not.toContain(basename(path));
    const other = await openGeopackage(join(folder, 'none', 'a.gpkg'));
    await expect(createType(other, { name: 'a', attributes: [] })).rejects.toMatchObject({
      code: 'vector-file-missing',
    });
    const wrong = await openGeopackage(join(folder, 'security.properties'));
    await expect(createType(wrong, { name: 'a', attributes: [] })).rejects.toMatchObject({
      code: 'vector-file-missing',
    });
  });

  test.each(['a"; DROP TABLE roads; --', "it's", 'Some.Table', 'Straßen 道路', '%_[x]'])(
    'accepts %j as a name',
    async (name) => {
      const { path, source } = await makeRoads(folder);
      await createType(source, {
        name,
        attributes: [{ ...pointAttribute, name: `${name}!` }, valueAttribute(`${name}?`, 'string')],
      });
      const database = openAsWriter(path);
      const quoted = name.replaceAll('"', '""');
      const blob = pointBlob(5, 6);
      database.prepare(`INSERT INTO "${quoted}" ("${quoted}!") VALUES (?)`).run(blob);
      expect(database.prepare(`SELECT minx FROM "rtree_${quoted}_${quoted}!"`).all()).toEqual([{ minx: 5 }]);
      database.close();

      expect((await describeType(source, name)).bounds).toEqual({ minX: 5, minY: 6, maxX: 5, maxY: 6 });
      expect((await source.listTypes(never)).map((each) => each.name).sort()).toEqual([name, 'roads'].sort());
    },
  );

  test('reads a file with a write-ahead log without leaving other files', async () => {
    const { path } = await makeRoads(folder, 'PRAGMA journal_mode = WAL');
    const lonely = join(folder, 'lonely');
    await mkdir(lonely);
    await copyFile(path, join(lonely, 'a.gpkg'));

    expect(await readAllFeatures(await openGeopackage(join(lonely, 'a.gpkg')), 'roads')).toHaveLength(1);
    expect(await readdir(lonely)).toEqual(['a.gpkg']);
  });

  test('validates its parameters', () => {
    const good = { dbtype: 'geopkg', database: 'file:data/a.gpkg', user: '', passwd: '', read_only: 'false' };

    expect(() => checkParameters(geopackageDriver, good, { isStrict: false })).not.toThrow();
    expect(() => checkParameters(geopackageDriver, { ...good, database: ' ' }, { isStrict: false })).toThrow(
      'requires the path of its file',
    );
    expect(() => checkParameters(geopackageDriver, { ...good, read_only: 'x' }, { isStrict: false })).toThrow(
      'true or false',
    );
  });
});

test('features in a box are found with the spatial index of the table', async () => {
  const { path, source } = await makeRoads(folder);
  const right = { minX: 0, minY: 0, maxX: 5, maxY: 5 };
  const description = await describeType(source, 'roads');
  const found = async () =>
    countFeatures({ source, description }, { box: right }, { signal: never, timeoutSignal: never });

  expect(await found()).toEqual({ kind: 'exact', count: 1 });
  const database = openAsWriter(path);
  database.exec('DELETE FROM rtree_roads_geom');
  database.close();

  expect(await found()).toEqual({ kind: 'exact', count: 0 });
});
