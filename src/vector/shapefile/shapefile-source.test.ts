import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nullContent, pointContent, shapefileBytes, writeShapefile } from '../../../test/support/shapefile-bytes.ts';
import { listShapes, useShapefileSources } from '../../../test/support/shapefile-sources.ts';
import { describeType, findGeometryAttribute, readAllFeatures } from '../../../test/support/vector-reading.ts';
import { openShapefileDirectory } from './shapefile-source.ts';

const { folder, source } = useShapefileSources();
const never = new AbortController().signal;

describe('shapefile parts', () => {
  const files = shapefileBytes({
    type: 1,
    records: [pointContent(1, 2), pointContent(3, 4), pointContent(5, 6)],
    bounds: [1, 2, 5, 6],
    table: {
      fields: [{ name: 'name', type: 'C', width: 5 }],
      rows: [{ values: ['one'] }, { values: ['two'], deleted: true }, { values: ['three'] }],
    },
  });

  test('a deleted record is skipped and the others keep their numbers', async () => {
    const features = await readAllFeatures(await source(files), 'it');

    expect(features.map((feature) => [feature.id, feature.values[1]])).toEqual([
      ['it.1', 'one'],
      ['it.3', 'three'],
    ]);
  });

  test('records are found sequentially without an index', async () => {
    const { shx: _, ...withoutIndex } = files;
    const it = await source(withoutIndex);

    expect(await describeType(it, 'it')).toMatchObject({ count: 3, bounds: { minX: 1, minY: 2, maxX: 5, maxY: 6 } });
    expect(await listShapes(it)).toEqual([
      [1, 2],
      [5, 6],
    ]);
  });

  test('the index locates records that are out of order and far apart', async () => {
    const { shp, shx, ...others } = files;
    const turned = Buffer.from(shx ?? []);
    shx?.copy(turned, 100, 116, 124);
    shx?.copy(turned, 116, 100, 108);

    const it = await source({ ...others, shp: shp ?? Buffer.alloc(0), shx: turned });

    expect(await listShapes(it)).toEqual([
      [5, 6],
      [1, 2],
    ]);
  });

  test('a shapefile without a table has only geometries', async () => {
    const { dbf: _, ...withoutTable } = files;
    const it = await source(withoutTable);

    expect((await describeType(it, 'it')).attributes).toHaveLength(1);
    expect((await readAllFeatures(it, 'it')).map((feature) => feature.values.length)).toEqual([1, 1, 1]);
  });

  test('shapes beyond the end of a short table have no values', async () => {
    const short = shapefileBytes({
      type: 1,
      records: [pointContent(1, 2), pointContent(3, 4)],
      table: { fields: [{ name: 'a', type: 'C', width: 1 }], rows: [{ values: ['x'] }] },
    });

    const features = await readAllFeatures(await source(short), 'it');

    expect(features.map((feature) => feature.values[1])).toEqual(['x', null]);
  });

  test('file names match in any case, and an exact match takes precedence', async () => {
    const directory = join(folder, 'cases');
    await mkdir(directory);
    await writeShapefile(directory, 'Roads', files);
    await rename(join(directory, 'Roads.shp'), join(directory, 'Roads.SHP'));
    await rename(join(directory, 'Roads.dbf'), join(directory, 'ROADS.DBF'));
    const directorySource = openShapefileDirectory({ directory });

    expect(await directorySource.listTypes(never)).toEqual([{ name: 'Roads', hasGeometry: true }]);
    expect((await describeType(directorySource, 'Roads')).attributes).toHaveLength(2);

    await writeFile(
      join(directory, 'Roads.Dbf'),
      shapefileBytes({ type: 1, records: [], table: { fields: [], rows: [] } })['dbf'] ?? '',
    );
    expect((await describeType(directorySource, 'Roads')).attributes).toHaveLength(1);
  });

  test('links out of a directory are not followed', async () => {
    const directory = join(folder, 'links');
    const elsewhere = join(folder, 'elsewhere');
    await mkdir(directory);
    await mkdir(elsewhere);
    await writeShapefile(elsewhere, 'secret', files);
    await writeShapefile(directory, 'open', { shp: files['shp'] ?? Buffer.alloc(0) });
    await symlink(join(elsewhere, 'secret.shp'), join(directory, 'secret.shp'));
    await symlink(join(elsewhere, 'secret.dbf'), join(directory, 'open.dbf'));
    await symlink(join(directory, 'open.shp'), join(directory, 'same.shp'));
    const it = openShapefileDirectory({ directory });

    expect((await it.listTypes(never)).map((type) => type.name)).toEqual(['open', 'same']);
    expect((await describeType(it, 'open')).attributes).toHaveLength(1);
    expect(await it.describe('secret', never)).toBeUndefined();
  });

  test('the bounds come from the header, or from the shapes if the header is invalid', async () => {
    const records = [nullContent, pointContent(1, 2), pointContent(5, -6)];
    const found = { minX: 1, minY: -6, maxX: 5, maxY: 2 };
    const boundsWith = async (bounds: [number, number, number, number]): Promise<unknown> =>
      (await describeType(await source({ type: 1, records, bounds }), 'it')).bounds;

    expect(await boundsWith([0, -9, 9, 9])).toEqual({ minX: 0, minY: -9, maxX: 9, maxY: 9 });
    expect(await boundsWith([Number.NaN, 0, 0, 0])).toEqual(found);
    expect(await boundsWith([9, 9, -9, -9])).toEqual(found);
    expect(await boundsWith([0, 0, 0, 0])).toEqual(found);
    expect(await boundsWith([Number.NEGATIVE_INFINITY, 0, 1, 1])).toEqual(found);
  });

  test('a shapefile without records has no bounds', async () => {
    const it = await source({ type: 5, records: [], bounds: [1, 2, 3, 4] });

    expect(await describeType(it, 'it')).toMatchObject({ count: 0 });
    expect((await describeType(it, 'it')).bounds).toBeUndefined();
    expect(await readAllFeatures(it, 'it')).toEqual([]);
  });

  test('a CRS definition without a code is kept unchanged, and an invalid one is dropped', async () => {
    const local = 'LOCAL_CS["Our own grid",UNIT["Meter",1.0]]';
    const crsWith = async (prj: string): Promise<unknown> =>
      findGeometryAttribute(await describeType(await source({ type: 1, records: [], prj }), 'it')).crs;

    expect(await crsWith(local)).toEqual({ wkt: local });
    expect(await crsWith('not a definition')).toEqual({});
    expect(await crsWith('')).toEqual({});
  });
});

describe('texts in a table without a .cpg file', () => {
  const named = (texts: readonly (string | Buffer)[], more: { languageDriver?: number; cpg?: string } = {}) => {
    const { cpg, ...driver } = more;
    return source(
      shapefileBytes({
        type: 1,
        records: texts.map(() => pointContent(1, 2)),
        table: {
          fields: [
            { name: 'name', type: 'C', width: 8 },
            { name: 'size', type: 'N', width: 4 },
          ],
          rows: texts.map((text) => ({ values: [text, '   1'] })),
          ...driver,
        },
        prj: 'LOCAL_CS["somewhere"]',
        ...(cpg === undefined ? {} : { cpg }),
      }),
    );
  };
  const namesIn = async (it: Awaited<ReturnType<typeof named>>) =>
    (await readAllFeatures(it, 'it')).map(({ values }) => values[1]);
  const warningsIn = async (it: Awaited<ReturnType<typeof named>>) => (await describeType(it, 'it')).warnings ?? [];

  test('are UTF-8 if all of them are valid, regardless of the language byte', async () => {
    const it = await named([Buffer.from('Zürich'), 'plain', Buffer.from('Genève')], { languageDriver: 0x57 });

    expect(await namesIn(it)).toEqual(['Zürich', 'plain', 'Genève']);
    expect(await warningsIn(it)).toEqual([
      "'it' has no .cpg file, so its texts are read as UTF-8. Set the parameter charset to use another encoding.",
    ]);
  });

  test('are UTF-8 even if a field cuts off the last character', async () => {
    const it = await named([Buffer.from('Graubün'), Buffer.from('1234567ü').subarray(0, 8)]);

    expect(await namesIn(it)).toEqual(['Graubün', '1234567']);
  });

  test('use the previous encoding if one of them is not valid UTF-8', async () => {
    const texts = [Buffer.from('Zürich'), Buffer.from('Gen\xe8ve', 'latin1')];

    expect(await namesIn(await named(texts))).toEqual(['ZÃ¼rich', 'Genève']);
    expect(await warningsIn(await named(texts, { languageDriver: 0x03 }))).toEqual([
      "'it' has no .cpg file, so its texts are read as CP1252. Set the parameter charset to use another encoding.",
    ]);
  });

  test('are UTF-8 if the first accents follow after the first chunk', async () => {
    const texts = [...Array.from({ length: 100_000 }, () => 'plain'), Buffer.from('Zürich')];

    expect((await namesIn(await named(texts))).at(-1)).toBe('Zürich');
  });

  test('need no .cpg file if they are plain ASCII, and an existing one applies', async () => {
    expect(await warningsIn(await named(['plain']))).toEqual([]);
    const reported = await named([Buffer.from('Zürich')], { cpg: 'ISO-8859-1' });
    expect([await namesIn(reported), await warningsIn(reported)]).toEqual([['ZÃ¼rich'], []]);
  });

  test('are detected the same way with a .cpg file that names no encoding', async () => {
    const it = await named([Buffer.from('Zürich')], { cpg: 'nonsense' });

    expect(await namesIn(it)).toEqual(['Zürich']);
    expect(await warningsIn(it)).toEqual([
      "'it' has a .cpg file with an unknown encoding, so its texts are read as UTF-8. Set the parameter charset to use another encoding.",
    ]);
  });
});

test('a missing .prj or .dbf file produces a warning', async () => {
  const it = await source(shapefileBytes({ type: 1, records: [pointContent(1, 2)] }));

  expect((await describeType(it, 'it')).warnings).toEqual([
    "'it' has no .prj file, so its coordinate reference system is unknown. Set the srs of the feature type.",
    "'it' has no .dbf file, so its features have no attributes.",
  ]);
});

test.each(['', 'not a definition'])('an invalid .prj file produces a warning: "%s"', async (prj) => {
  const { dbf: _dbf, ...parts } = shapefileBytes({ type: 1, records: [pointContent(1, 2)], prj });

  expect((await describeType(await source(parts), 'it')).warnings?.[0]).toBe(
    "'it' has an invalid .prj file, so its coordinate reference system is unknown. Set the srs of the feature type.",
  );
});
