import { expect, test } from 'vitest';
import { runGdal } from '../../../test/support/gdal.ts';
import {
  freshGeopackagePath,
  openGeopackage,
  pointAttribute,
  valueAttribute,
} from '../../../test/support/geopackages.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { describeType, readAllFeatures } from '../../../test/support/vector-reading.ts';
import { createType } from '../../../test/support/vector-writing.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';

const folder = useTemporaryFolder('gdal-geopackage');

describeWithTool('gdal', 'GeoPackage interoperability with GDAL', () => {
  test('creates a valid file that ogr2ogr fills and that is read back', async () => {
    const path = freshGeopackagePath(folder);
    const source = await openGeopackage(path);
    const attributes = [
      { ...pointAttribute, dimension: 'XYZ' } as const,
      valueAttribute('name', 'string', 20),
      valueAttribute('born', 'date'),
      valueAttribute('size', 'integer'),
    ];
    await createType(source, { name: 'filled', attributes });
    const features = [0, 1, 2].map((x) => ({
      type: 'Feature',
      properties: { name: `point ${x}`, born: '2024-02-29', size: x },
      geometry: { type: 'Point', coordinates: [x, x / 2, 7] },
    }));

    await runGdal('ogr2ogr', ['-append', '-a_srs', 'EPSG:2154', '-f', 'GPKG', path, '/vsistdin/', '-nln', 'filled'], {
      input: JSON.stringify({ type: 'FeatureCollection', features }),
    });
    const seen = await runGdal('ogrinfo', ['-so', path, 'filled']);

    expect(seen).toContain('Geometry: 3D Point\nFeature Count: 3');
    expect(seen).toContain('ID["EPSG",2154]');
    expect(seen).toContain('FID Column = fid');
    expect(seen).toContain('name: String (20.0)\nborn: Date (0.0)\nsize: Integer (0.0)');
    expect(
      await runGdal('ogrinfo', [
        '-q',
        path,
        '-sql',
        "SELECT HasSpatialIndex('filled', 'geom') AS has, count(*) AS n FROM rtree_filled_geom",
      ]),
    ).toMatch(/has \(Integer\) = 1\s+n \(Integer\) = 3/);
    const description = await describeType(source, 'filled');
    expect(description).toMatchObject({ attributes, count: 3, bounds: { minX: 0, minY: 0, maxX: 2, maxY: 1 } });
    expect((await readAllFeatures(source, 'filled')).map(({ values }) => values.slice(1))).toEqual(
      [0, 1, 2].map((x) => [`point ${x}`, new Date('2024-02-29'), x]),
    );
  });

  test('reads a file written by GDAL: attributes, types, bounds, count and CRS', async () => {
    const path = freshGeopackagePath(folder);
    const csv =
      'wkt,n,big,real,text\n"LINESTRING Z (0 0 1,5 6 2)",1,5000000000,1.5,ü\n"LINESTRING Z (-1 0 1,2 2 2)",2,6,2.5,b\n';
    await runGdal(
      'ogr2ogr',
      [
        '-f',
        'GPKG',
        path,
        'CSV:/vsistdin/',
        '-oo',
        'AUTODETECT_TYPE=YES',
        '-oo',
        'GEOM_POSSIBLE_NAMES=wkt',
        '-oo',
        'KEEP_GEOM_COLUMNS=NO',
        '-a_srs',
        'EPSG:3857',
        '-nln',
        'lines',
      ],
      { input: csv },
    );
    const source = await openGeopackage(path);

    const description = await describeType(source, 'lines');

    expect(description).toMatchObject({
      bounds: { minX: -1, minY: 0, maxX: 5, maxY: 6 },
      count: 2,
      defaultGeometry: 'geom',
    });
    expect(description.attributes.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'geom Geometry',
      'n integer',
      'big long',
      'real double',
      'text string',
    ]);
    expect(description.attributes[0]).toMatchObject({ crs: { code: 'EPSG:3857' } });
    expect((await readAllFeatures(source, 'lines'))[0]?.values.slice(1)).toEqual([1, 5_000_000_000, 1.5, 'ü']);
  });
});
