/** Compares the reader with GDAL on a corpus of shapefiles. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { describe, expect, test } from 'vitest';
import { ogrFeatures, ogrSummary, runGdal } from '../../../test/support/gdal.ts';
import {
  comparable,
  comparableShape,
  farthestApart,
  listRings,
  ogrField,
  ogrGeometryName,
  ogrProperties,
} from '../../../test/support/ogr-comparison.ts';
import {
  nullContent,
  partsContent,
  pointContent,
  shapefileBytes,
  writeShapefile,
} from '../../../test/support/shapefile-bytes.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { describeType, findGeometryAttribute, readAllFeatures } from '../../../test/support/vector-reading.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';
import type { FeatureTypeDescription } from '../port/port.ts';
import { openShapefile } from './shapefile-source.ts';

describeWithTool('gdal', 'shapefiles compared with GDAL', () => {
  const folder = useTemporaryFolder('shapefile-gdal');

  /** Lets GDAL write a shapefile from GeoJSON features. */
  async function written(name: string, collection: object, options: readonly string[] = []): Promise<string> {
    const input = join(folder, `${name}.geojson`);
    await writeFile(input, JSON.stringify(collection));
    const path = join(folder, `${name}.shp`);
    await runGdal('ogr2ogr', [path, input, ...options]);
    return path;
  }

  async function compare(path: string, env: Readonly<Record<string, string>> = {}): Promise<FeatureTypeDescription> {
    const { description, features, theirFeatures } = await compareAllButShapes(path, env);
    expect(features.map((each) => comparableShape(each))).toEqual(
      theirFeatures.map(({ geometry }) => comparable(geometry)),
    );
    return description;
  }

  async function compareAllButShapes(path: string, env: Readonly<Record<string, string>> = {}) {
    const source = openShapefile({ path });
    const theirs = await ogrSummary(path, env);
    const theirFeatures = await ogrFeatures(path, env);
    const description = await describeType(source, theirs.layer);

    expect(description.count).toBe(theirs.count);
    expect(farthestApart(description.bounds, theirs.extent)).toBeLessThan(1e-6);
    expect(findGeometryAttribute(description).crs.code).toBe(theirs.crsCode);
    expect(ogrGeometryName(description)).toBe(theirs.geometry);
    expect(description.attributes.slice(1).map(ogrField)).toEqual(theirs.fields);
    const features = await readAllFeatures(source, theirs.layer);
    const names = description.attributes.map((attribute) => attribute.name);
    expect(features.map((each) => ogrProperties(each, names))).toEqual(theirFeatures.map((each) => each.properties));
    return { description, features, theirFeatures };
  }

  describe('geometry types', () => {
    const positions: Readonly<Record<string, readonly string[]>> = {
      '': ['1 2', '3 9', '5 2', '2 3', '3 3', '3 4'],
      Z: ['1 2 10', '3 9 20', '5 2 30', '2 3 40', '3 3 50', '3 4 60'],
      M: ['1 2 7', '3 9 8', '5 2 9', '2 3 1', '3 3 2', '3 4 3'],
      ZM: ['1 2 10 7', '3 9 20 8', '5 2 30 9', '2 3 40 1', '3 3 50 2', '3 4 60 3'],
    };
    const shapes: Readonly<Record<string, (suffix: string, at: readonly string[]) => string>> = {
      POINT: (suffix, at) => `POINT ${suffix} (${at[0]})`,
      MULTIPOINT: (suffix, at) => `MULTIPOINT ${suffix} ((${at[0]}),(${at[1]}))`,
      ARC: (suffix, at) => `MULTILINESTRING ${suffix} ((${at[0]},${at[1]}),(${at[2]},${at[3]},${at[4]}))`,
      POLYGON: (suffix, at) =>
        `POLYGON ${suffix} ((${at[0]},${at[1]},${at[2]},${at[0]}),(${at[3]},${at[4]},${at[5]},${at[3]}))`,
    };
    const cases = Object.entries(shapes).flatMap(([form, shapeOf]) =>
      Object.entries(positions).map(([suffix, at]) => ({ type: `${form}${suffix}`, wkt: shapeOf(suffix, at), suffix })),
    );

    test.for(cases)('$type is read like GDAL', async ({ type, wkt, suffix }) => {
      const input = join(folder, `${type}.csv`);
      await writeFile(input, `id,WKT\n1,"${wkt}"\n2,\n`);
      const path = join(folder, `${type}.shp`);
      const reading = ['-oo', 'GEOM_POSSIBLE_NAMES=WKT', '-oo', 'KEEP_GEOM_COLUMNS=NO', '-oo', 'AUTODETECT_TYPE=YES'];
      await runGdal('ogr2ogr', ['-lco', `SHPT=${type}`, '-a_srs', 'EPSG:4326', path, input, ...reading]);

      const description = await compare(path);

      expect(findGeometryAttribute(description).dimension).toBe(`XY${suffix}`);
    });
  });

  const everyType = {
    type: 'FeatureCollection',
    features: [
      point(2.35, 48.85, { name: 'Paris', people: 2_161_000, area: 105.4, seen: '2020-02-29', long: 123_456_789_012 }),
      point(2.3, 48.8, { name: ' blanks ', people: -1, area: 1e-7, seen: '1969-07-20', long: -1 }),
      point(2.31, 48.81, { name: null, people: null, area: null, seen: null, long: null }),
      point(2.32, 48.82, { name: '', people: 0, area: 123_456_789.123_456_78, seen: null, long: 0 }),
      { type: 'Feature', properties: { name: 'nowhere', people: 1, area: 0.1, seen: null, long: 1 }, geometry: null },
    ],
  };

  test('all field types with nulls are read like GDAL', async () => {
    const description = await compare(await written('fields', everyType));

    expect(description.attributes.slice(1)).toMatchObject([
      { name: 'name', type: 'string', maxLength: 80 },
      { name: 'people', type: 'integer', maxLength: 9 },
      { name: 'area', type: 'double', maxLength: 24 },
      { name: 'seen', type: 'date', maxLength: 8 },
      { name: 'long', type: 'long', maxLength: 18 },
    ]);
  });

  describe('encodings', () => {
    const texts = { 'UTF-8': 'Ærøskøbing — 東京 — Київ', CP1252: 'Crème brûlée à 5 €', SHIFT_JIS: '東京都の表示ソ' };

    test.for(Object.entries(texts))('texts in %s are read like GDAL', async ([encoding, text]) => {
      const collection = {
        type: 'FeatureCollection',
        features: [point(1, 2, { name: text }), point(2, 2, { name: 'a' })],
      };
      const path = await written(`encoding-${encoding}`, collection, ['-lco', `ENCODING=${encoding}`]);

      await compare(path);

      const [first] = await readAllFeatures(openShapefile({ path }), `encoding-${encoding}`);
      expect(first?.values[1]).toBe(text);
    });
  });

  describe('coordinate reference systems', () => {
    test.for([
      'EPSG:4326',
      'EPSG:3857',
      'EPSG:32631',
      'EPSG:25831',
      'EPSG:2154',
      'EPSG:27572',
      'EPSG:3035',
      'EPSG:4258',
      'EPSG:4171',
      'EPSG:27700',
      'EPSG:31370',
      'EPSG:28992',
      'EPSG:2056',
      'EPSG:31467',
      'EPSG:5514',
      'EPSG:3034',
      'EPSG:3395',
      'EPSG:3031',
      'EPSG:4269',
      'EPSG:2263',
      'EPSG:26985',
      'EPSG:5070',
      'EPSG:3347',
      'EPSG:2193',
      'EPSG:3577',
      'EPSG:6933',
    ])('%s is recognised', async (code) => {
      const path = await written(`crs-${code.replace(':', '-')}`, everyType, ['-t_srs', code]);

      const description = await compare(path);

      expect(findGeometryAttribute(description).crs.code).toBe(code);
    });
  });

  test('a file without an index is read like GDAL', async () => {
    const files = shapefileBytes({
      type: 3,
      records: [partsContent(3, [[1, 2, 3, 4]]), nullContent, partsContent(3, [[5, 6, 7, 9]])],
      bounds: [1, 2, 7, 9],
      withoutIndex: true,
    });

    await compare(await writeShapefile(folder, 'unindexed', files), { SHAPE_RESTORE_SHX: 'YES' });
  });

  test('a file with deleted records is read like GDAL', async () => {
    const files = shapefileBytes({
      type: 1,
      records: [pointContent(1, 2), pointContent(3, 4), nullContent],
      bounds: [1, 2, 3, 4],
      table: {
        fields: [
          { name: 'name', type: 'C', width: 5 },
          { name: 'n10', type: 'N', width: 10 },
          { name: 'n19', type: 'N', width: 19 },
        ],
        rows: [
          { values: ['one', '         1', '123'] },
          { values: ['two'], deleted: true },
          { values: ['', '**********', '0.5'] },
        ],
      },
    });

    await compare(await writeShapefile(folder, 'deleted', files));
  });

  test('rings in any order and direction are read like GDAL', async () => {
    const outline = [0, 0, 0, 9, 9, 9, 9, 0, 0, 0];
    const lake = [1, 1, 8, 1, 8, 8, 1, 8, 1, 1];
    const island = [2, 2, 2, 7, 7, 7, 7, 2, 2, 2];
    const pond = [3, 3, 4, 3, 4, 4, 3, 4, 3, 3];
    const other = [20, 0, 20, 3, 23, 3, 23, 0, 20, 0];
    const files = shapefileBytes({
      type: 5,
      records: [
        [outline],
        [outline, lake],
        [lake, outline],
        [outline, other, lake],
        [pond, island, lake, outline, other],
        [outline, lake, island, pond],
      ].map((rings) => partsContent(5, rings)),
      bounds: [0, 0, 23, 9],
    });

    await compare(await writeShapefile(folder, 'rings', files));
  });

  describe('Natural Earth files', () => {
    test.for([
      { file: 'countries-110m.json', object: 'countries' },
      { file: 'countries-50m.json', object: 'countries' },
    ])('$file is read like GDAL', async ({ file, object }) => {
      const { default: atlas } = (await import(`world-atlas/${file}`, { with: { type: 'json' } })) as {
        readonly default: Topology;
      };
      const collection = feature(atlas, atlas.objects[object] as GeometryCollection);

      const path = await written(file.replace('.json', ''), collection);

      const { description, features, theirFeatures } = await compareAllButShapes(path);

      const ours = features.map((each) => comparableShape(each));
      const theirs = theirFeatures.map(({ geometry }) => comparable(geometry));
      expect(ours.map(listRings)).toEqual(theirs.map(listRings));
      // GDAL treats self-intersecting rings, as at the antimeridian, as holes of polygons that they do not touch.
      const different = ours.filter((each, index) => !isDeepStrictEqual(each, theirs[index]));
      expect(different.length).toBeLessThanOrEqual(features.length * 0.02);
      expect(findGeometryAttribute(description)).toMatchObject({ type: 'MultiPolygon', crs: { code: 'EPSG:4326' } });
    });
  });
});

function point(x: number, y: number, properties: Readonly<Record<string, unknown>>): object {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [x, y] } };
}
