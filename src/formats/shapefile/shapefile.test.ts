import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { trial } from '../../../test/support/archives.ts';
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
import type { FeatureCollection } from '../port/port.ts';
import { createShapefileEncoder } from './shapefile.ts';

describe('zipped shapefiles', () => {
  const folder = useTemporaryFolder('shapefile-encoder');
  const encoder = createShapefileEncoder(encodingWorld(folder));

  /** Returns the contained files by name. */
  async function filesOf(sets: readonly MadeUpSet[], options?: FeatureCollection['options']) {
    const archive = await encodeBytes(encoder, createCollection(sets, options === undefined ? {} : { options }));
    const unpacked = await (await trial(archive)).unpack();
    const contents = unpacked.map(async ({ name, path }) => [name, await readFile(path)] as const);
    const files: Readonly<Record<string, Buffer>> = Object.fromEntries(await Promise.all(contents));
    return files;
  }

  test('contain all files that clients expect and leave no temporary files', async () => {
    const files = await filesOf([{ attributes: [geometryColumn('Point')], rows: [[wkt('POINT (1 2)')]] }]);

    expect(Object.keys(files).sort()).toEqual(
      ['cpg', 'cst', 'dbf', 'prj', 'shp', 'shx'].map((ending) => `places.${ending}`),
    );
    expect(files['places.cpg']?.toString()).toBe('UTF-8');
    expect(files['places.prj']?.toString()).toMatch(/^GEOGCS\["WGS 84"/);
    expect(await readdir(folder)).toEqual([]);
  });

  test('are valid for an empty result', async () => {
    const files = await filesOf([{ attributes: [geometryColumn('MultiPolygon'), column('name', 'string')], rows: [] }]);

    expect(files['places.shp']).toHaveLength(100);
    expect(files['places.shp']?.readInt32LE(32)).toBe(5);
    expect(files['places.dbf']?.readUInt32LE(4)).toBe(0);
  });

  test('contain a file per geometry type', async () => {
    const rows = [
      'POINT (1 2)',
      'LINESTRING (0 0, 1 1)',
      'POINT (3 4)',
      'GEOMETRYCOLLECTION (POINT (5 6), POLYGON ((0 0, 1 0, 1 1, 0 0)))',
    ];
    const files = await filesOf([
      { attributes: [geometryColumn()], rows: [...rows.map((text) => [wkt(text)]), [null]] },
    ]);

    const counts = Object.entries(files)
      .filter(([name]) => name.endsWith('.dbf'))
      .map(([name, bytes]) => [name, bytes.readUInt32LE(4)]);
    expect(Object.fromEntries(counts)).toEqual({
      'places_point.dbf': 4,
      'places_line.dbf': 1,
      'places_polygon.dbf': 1,
    });
  });

  test('contain only a table for features without geometries', async () => {
    const files = await filesOf([{ attributes: [column('name', 'string')], rows: [['a']] }]);

    expect(Object.keys(files).sort()).toEqual(['places.cpg', 'places.cst', 'places.dbf']);
  });

  test('have unique field names of ten bytes and texts in the requested charset', async () => {
    const names = ['population_2020', 'population_2021', 'Population_2022', 'größenordnung', 'name'];
    const set: MadeUpSet = {
      attributes: names.map((name) => column(name, 'string', 10)),
      rows: [['Zürich', '東京', null, '', 'x'.repeat(300)]],
    };

    const files = await filesOf([set], { decimals: 8, charset: 'ISO-8859-1' });

    const table = files['places.dbf'] ?? Buffer.alloc(0);
    const fieldNames = names.map((_, index) => table.toString('latin1', 32 * (index + 1), 32 * (index + 1) + 11));
    expect(fieldNames.map((name) => name.replaceAll('\0', ''))).toEqual([
      'population',
      'populatio1',
      'Populatio2',
      'größenordn',
      'name',
    ]);
    const row = table.toString('latin1', table.readUInt16LE(8)).slice(1);
    expect([0, 40, 80, 120, 160].map((at) => row.slice(at, at + 40).trim())).toEqual([
      'Zürich',
      '??',
      '',
      '',
      'x'.repeat(40),
    ]);
    expect(files['places.cpg']?.toString()).toBe('ISO-8859-1');
  });

  test('are rejected for an unknown charset', async () => {
    const asked = filesOf([{ attributes: [column('a', 'string')], rows: [] }], { decimals: 8, charset: 'klingon' });

    await expect(asked).rejects.toMatchObject({ code: 'charset-unknown' });
  });

  test('truncate long texts between characters', async () => {
    const files = await filesOf([{ attributes: [column('a', 'string')], rows: [['ä'.repeat(200)]] }]);

    const table = files['places.dbf'] ?? Buffer.alloc(0);
    expect(table.toString('utf8', table.readUInt16LE(8) + 1, table.length - 1).trim()).toBe('ä'.repeat(127));
  });

  test('leave no temporary files if the client disconnects', async () => {
    const set: MadeUpSet = { attributes: [column('a', 'string')], rows: [['x']] };

    for await (const _ of encoder.encode(createCollection([set]), new AbortController().signal)) break;

    expect(await readdir(folder)).toEqual([]);
  });
});
