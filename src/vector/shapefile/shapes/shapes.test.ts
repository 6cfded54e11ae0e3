import { describe, expect, test } from 'vitest';
import {
  doubles,
  littleEndian,
  multiPointContent,
  nullContent,
  partsContent,
  pointContent,
} from '../../../../test/support/shapefile-bytes.ts';
import { listShapes, useShapefileSources } from '../../../../test/support/shapefile-sources.ts';
import { describeType, findGeometryAttribute } from '../../../../test/support/vector-reading.ts';

const { source } = useShapefileSources();

const NO_DATA = -1.5e38;
const square = [0, 0, 0, 4, 4, 4, 4, 0, 0, 0];
const hole = [1, 1, 2, 1, 2, 2, 1, 2, 1, 1];

describe('shapes', () => {
  test('points are read as Point', async () => {
    const it = await source({ type: 1, records: [pointContent(3, 4)] });

    expect(findGeometryAttribute(await describeType(it, 'it'))).toMatchObject({ type: 'Point', dimension: 'XY' });
    expect(await listShapes(it)).toEqual([[3, 4]]);
  });

  test('lines are read as MultiLineString and polygons as MultiPolygon', async () => {
    const lines = await source({ type: 3, records: [partsContent(3, [[0, 0, 1, 1]])] });
    const polygons = await source({ type: 5, records: [partsContent(5, [square])] });

    expect(findGeometryAttribute(await describeType(lines, 'it')).type).toBe('MultiLineString');
    expect(await listShapes(lines)).toEqual([
      [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    ]);
    expect(findGeometryAttribute(await describeType(polygons, 'it')).type).toBe('MultiPolygon');
    expect(await listShapes(polygons)).toEqual([
      [
        [
          [
            [0, 0],
            [0, 4],
            [4, 4],
            [4, 0],
            [0, 0],
          ],
        ],
      ],
    ]);
  });

  test('heights and measures follow x and y, and a no-data measure is NaN', async () => {
    const it = await source({
      type: 13,
      records: [partsContent(13, [[0, 0, 1, 1]], [5, 6, 5, 6, 0, 9, 7, NO_DATA])],
    });

    expect(findGeometryAttribute(await describeType(it, 'it')).dimension).toBe('XYZM');
    expect(await listShapes(it)).toEqual([
      [
        [
          [0, 0, 5, 7],
          [1, 1, 6, Number.NaN],
        ],
      ],
    ]);
  });

  test('a file with heights has no measures if its first shape has none', async () => {
    const without = await source({ type: 11, records: [Buffer.concat([littleEndian(11), doubles(1, 2, 3)])] });
    const empty = await source({ type: 11, records: [nullContent, pointContent(1, 2, 3, NO_DATA)] });
    const withMeasure = await source({ type: 11, records: [pointContent(1, 2, 3, 4)] });

    expect(findGeometryAttribute(await describeType(without, 'it')).dimension).toBe('XYZ');
    expect(findGeometryAttribute(await describeType(empty, 'it')).dimension).toBe('XYZ');
    expect(findGeometryAttribute(await describeType(withMeasure, 'it')).dimension).toBe('XYZM');
    expect(await listShapes(empty)).toEqual([null, [1, 2, 3]]);
    expect(await listShapes(withMeasure)).toEqual([[1, 2, 3, 4]]);
  });

  test('measures missing at the end of a record are NaN', async () => {
    const it = await source({ type: 28, records: [multiPointContent(28, [1, 2, 3, 4])] });

    expect(findGeometryAttribute(await describeType(it, 'it'))).toMatchObject({ type: 'MultiPoint', dimension: 'XYM' });
    expect(await listShapes(it)).toEqual([
      [
        [1, 2, Number.NaN],
        [3, 4, Number.NaN],
      ],
    ]);
  });

  test('null shapes, empty index entries, empty records and NaN points have no geometry', async () => {
    const it = await source({
      type: 1,
      records: [nullContent, undefined, Buffer.alloc(0), pointContent(Number.NaN, Number.NaN), pointContent(1, 2)],
    });

    expect(await listShapes(it)).toEqual([null, null, null, null, [1, 2]]);
    expect((await describeType(it, 'it')).count).toBe(5);
  });

  test('a file with only null shapes has an unspecific geometry type and no bounds', async () => {
    const it = await source({ type: 0, records: [nullContent, nullContent], bounds: [0, 0, 0, 0] });

    const description = await describeType(it, 'it');

    expect(findGeometryAttribute(description).type).toBe('Geometry');
    expect(description.bounds).toBeUndefined();
    expect(await listShapes(it)).toEqual([null, null]);
  });

  test('a hole belongs to the ring around it, regardless of their order', async () => {
    const island = [10, 10, 10, 11, 11, 11, 11, 10, 10, 10];
    const it = await source({ type: 5, records: [partsContent(5, [hole, island, square])] });

    expect(await listShapes(it)).toEqual([
      [
        [
          [
            [10, 10],
            [10, 11],
            [11, 11],
            [11, 10],
            [10, 10],
          ],
        ],
        [
          [
            [0, 0],
            [0, 4],
            [4, 4],
            [4, 0],
            [0, 0],
          ],
          [
            [1, 1],
            [2, 1],
            [2, 2],
            [1, 2],
            [1, 1],
          ],
        ],
      ],
    ]);
  });

  test('multipatches are rejected with a specific reason', async () => {
    const it = await source({ type: 31, records: [] });

    await expect(describeType(it, 'it')).rejects.toMatchObject({
      code: 'vector-file-unsupported',
      status: 400,
      message: expect.stringContaining('multipatch shapes'),
    });
  });
});
