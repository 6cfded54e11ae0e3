/** NetCDF files of every format: the raster source contract, and comparisons with GDAL and the NetCDF tools. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { netcdfDriver } from '../../../src/raster/drivers.ts';
import { createThreadedDriver } from '../../../src/raster/in-thread/driver.ts';
import { openNetcdf } from '../../../src/raster/netcdf/netcdf-source.ts';
import { createWorkerPool } from '../../../src/workers/pool.ts';
import { runGdal } from '../../support/gdal.ts';
import {
  dumpedValues,
  type NetcdfKind,
  type OceanOptions,
  oceanCdl,
  oceanHeight,
  oceanWidth,
  writeNetcdf,
} from '../../support/netcdf.ts';
import { codeIn, gdalDescription, gdalWindow } from '../../support/rasters.ts';
import { noRemoteFiles } from '../../support/remote-blocks.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { describeWithTool } from '../../support/with-tool.ts';
import { rasterSourceContract } from './raster-source.contract.ts';

const pool = createWorkerPool({
  maxThreads: 1,
  maxWaiting: 10,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

const folder = useTemporaryFolder('netcdf');
const never = new AbortController().signal;

const kinds: readonly NetcdfKind[] = ['classic', '64-bit offset', '64-bit data', 'netCDF-4', 'netCDF-4 classic model'];

describeWithTool('netcdf', 'raster sources of NetCDF files', () => {
  for (const [kind, driver] of [
    ['classic', netcdfDriver],
    ['netCDF-4', netcdfDriver],
    ['netCDF-4', createThreadedDriver(netcdfDriver, pool, noRemoteFiles)],
  ] as const) {
    rasterSourceContract(`a NetCDF file (${kind}${driver === netcdfDriver ? '' : ', in a thread'})`, async () => {
      const own = await mkdtemp(join(tmpdir(), 'graticule-netcdf-'));
      const path = await writeNetcdf(own, 'ocean', kind, oceanCdl());
      return {
        source: await driver.open(path),
        coverageNames: ['temperature', 'salinity'],
        name: 'temperature',
        destroy: () => rm(own, { recursive: true }),
      };
    });
  }
});

describeWithTool('netcdf', 'NetCDF file', () => {
  let number = 0;
  const make = (kind: NetcdfKind, cdl: string) => {
    number += 1;
    return writeNetcdf(folder, `file${number}`, kind, cdl);
  };

  // The installed GDAL may be too old for the 64-bit data format.
  test.for(kinds.filter((kind) => kind !== '64-bit data'))(
    'in the form %s is described as GDAL and ncdump describe it',
    async (kind) => {
      const path = await make(kind, oceanCdl());
      const theirs = await gdalDescription(`NETCDF:"${path}":temperature`);

      const ours = await openNetcdf(path).describe('temperature', never);

      const { transform } = ours?.grid ?? {};
      const numbers = transform && [
        transform.originX,
        transform.columnX,
        transform.rowX,
        transform.originY,
        transform.columnY,
        transform.rowY,
      ];
      expect([ours?.grid.width, ours?.grid.height]).toEqual(theirs.size);
      for (const [index, each] of (theirs.geoTransform ?? []).entries()) expect(numbers?.[index]).toBeCloseTo(each, 6);
      expect(ours).toMatchObject({
        title: 'Temperature of the sea',
        grid: { crs: { code: 'EPSG:4326' } },
        bands: [{ name: 'temperature', type: 'int16', unit: 'K', noData: -999, scale: 0.01, offset: 273.15 }],
        dimensions: [
          { name: 'time', kind: 'time', unit: 'ISO8601' },
          { name: 'depth', kind: 'elevation', unit: 'm', positive: 'down', values: [0.5, 10] },
        ],
      });
      expect(theirs.bands[0]).toMatchObject({ noDataValue: -999, scale: 0.01, offset: 273.15, unit: 'K' });
      expect(ours?.dimensions[0]?.values).toEqual([
        '2013-03-01T00:00:00.000Z',
        '2013-03-01T06:30:00.000Z',
        '2013-03-02T00:00:00.000Z',
      ]);
      expect(await dumpedValues(path, 'time', ['-t'])).toEqual(['2013-03-01', '2013-03-01 06:30', '2013-03-02']);
    },
  );

  const packed =
    'salinity:_DeflateLevel = 4 ; salinity:_Shuffle = "true" ; salinity:_Endianness = "big" ; salinity:_ChunkSizes = 1, 1, 7, 9 ;';

  const coverages = { temperature: 'int16', salinity: 'float32' } as const;

  test.for([
    ...kinds.map((kind) => [kind, {}] as const),
    ...kinds.map((kind) => [kind, { latitudes: 'ascending' }] as const),
    ['classic', { latitudes: 'ascending', longitudes: 'descending' }],
    ['netCDF-4', { longitudes: 'descending' }],
    ['netCDF-4', { storage: packed }],
  ] as readonly (readonly [NetcdfKind, OceanOptions])[])(
    'has the samples that ncdump prints: %s, %j',
    async ([kind, options]) => {
      const path = await make(kind, oceanCdl(options));
      for (const name of ['temperature', 'salinity'] as const) {
        const dumped = (await dumpedValues(path, name)).map((value) => (value === '_' ? -999 : Number(value)));
        for (const [time, depth] of [
          [0, 0],
          [2, 1],
        ] as const) {
          const { bands } = await openNetcdf(path).read(name, { slice: { time, depth } }, never);

          const expected = northUp(sliceOf(dumped, time, depth), options);
          expect([...(bands[0]?.samples ?? [])]).toEqual(expected);
          expect([...(bands[0]?.mask ?? [])]).toEqual(expected.map((value) => (value === -999 ? 0 : 255)));
        }
      }
    },
  );

  test.for([
    ['classic', {}],
    ['classic', { latitudes: 'ascending' }],
    ['netCDF-4', { latitudes: 'ascending', storage: packed }],
  ] as readonly (readonly [NetcdfKind, OceanOptions])[])(
    'has the samples that GDAL reads: %s, %j',
    async ([kind, options]) => {
      const path = await make(kind, oceanCdl(options));
      const request = { window: { column: 4, row: 3, width: 18, height: 12 }, size: { width: 6, height: 4 } };
      for (const [name, type] of Object.entries(coverages)) {
        const [theirs] = await gdalWindow(`NETCDF:"${path}":${name}`, folder, type, { ...request, bands: [5] });

        const { bands } = await openNetcdf(path).read(name, { ...request, slice: { time: 2, depth: 1 } }, never);

        expect(bands[0]?.samples).toEqual(theirs);
      }
    },
  );

  test('returns unpacked values of packed variables', async () => {
    const path = await make('netCDF-4', oceanCdl());

    const { bands } = await openNetcdf(path).read(
      'temperature',
      { window: { column: 0, row: 0, width: 3, height: 1 }, values: 'scaled' },
      never,
    );

    for (const [index, expected] of [273.15, 273.22, 273.29].entries())
      expect(bands[0]?.samples[index]).toBeCloseTo(expected, 9);
  });

  test('reads its position from a grid mapping', async () => {
    const path = await make(
      'netCDF-4',
      `dimensions: y = 2 ; x = 3 ;
       variables: double x(x) ; x:units = "km" ; x:standard_name = "projection_x_coordinate" ;
         double y(y) ; y:units = "km" ; y:standard_name = "projection_y_coordinate" ;
         int crs ; crs:grid_mapping_name = "lambert_azimuthal_equal_area" ; crs:latitude_of_projection_origin = 52. ;
           crs:longitude_of_projection_origin = 10. ; crs:false_easting = 4321000. ; crs:false_northing = 3210000. ;
           crs:semi_major_axis = 6378137. ; crs:inverse_flattening = 298.257222101 ; crs:horizontal_datum_name = "European_Terrestrial_Reference_System_1989" ;
         int64 v(x, y) ; v:grid_mapping = "crs" ;
       data: x = 4000, 4010, 4020 ; y = 3000, 3010 ; v = 1, 2, 3, 4, 5, 6 ;`,
    );

    const source = openNetcdf(path);

    expect((await source.describe('v', never))?.grid).toMatchObject({
      crs: { code: 'EPSG:3035' },
      bounds: { minX: 3_995_000, maxX: 4_025_000, minY: 2_995_000, maxY: 3_015_000 },
    });
    // Stored column by column, and from south to north.
    expect((await source.read('v', {}, never)).bands[0]?.samples).toEqual(BigInt64Array.of(2n, 4n, 6n, 1n, 3n, 5n));
  });

  test('has the CRS that GDAL reports for a file written by GDAL', async () => {
    const path = await make('classic', oceanCdl());
    const projected = join(folder, 'projected.nc');
    await runGdal('gdal_translate', [
      '-q',
      '-of',
      'netCDF',
      '-a_srs',
      'EPSG:32633',
      '-a_ullr',
      '0',
      '100',
      '240',
      '0',
      '-b',
      '1',
      `NETCDF:"${path}":salinity`,
      projected,
    ]);
    const theirs = await gdalDescription(projected);
    const source = openNetcdf(projected);
    const [{ name } = { name: '' }] = await source.listCoverages(never);

    const ours = await source.describe(name, never);

    expect(ours?.grid.crs.code).toBe(codeIn(theirs.coordinateSystem?.wkt));
    expect(ours?.grid.bounds).toEqual({ minX: 0, minY: 0, maxX: 240, maxY: 100 });
  });

  test('is rejected with the reason if no variable is on a grid', async () => {
    const path = await make('classic', 'dimensions: n = 2 ; variables: float v(n) ; data: v = 1, 2 ;');

    await expect(openNetcdf(path).listCoverages(never)).rejects.toMatchObject({
      code: 'raster-file-unsupported',
      message: expect.stringContaining('it has no variable on a grid'),
    });
  });

  test('is rejected with the name of the axis if the axis is uneven', async () => {
    const path = await make(
      'classic',
      `dimensions: lat = 3 ; lon = 2 ;
       variables: float lat(lat) ; lat:units = "degrees_north" ; float lon(lon) ; lon:units = "degrees_east" ; byte v(lat, lon) ;
       data: lat = 1, 2, 10 ; lon = 1, 2 ; v = 1, 2, 3, 4, 5, 6 ;`,
    );

    await expect(openNetcdf(path).describe('v', never)).rejects.toMatchObject({
      code: 'raster-file-unsupported',
      message: expect.stringContaining("its axis 'lat' is not evenly spaced"),
    });
  });
});

function sliceOf(values: readonly number[], time: number, depth: number): readonly number[] {
  const first = (time * 2 + depth) * oceanWidth * oceanHeight;
  return values.slice(first, first + oceanWidth * oceanHeight);
}

function northUp(values: readonly number[], { latitudes, longitudes }: OceanOptions): readonly number[] {
  return values.map((_, index) => {
    const [column, row] = [index % oceanWidth, Math.floor(index / oceanWidth)];
    const y = latitudes === 'ascending' ? oceanHeight - 1 - row : row;
    const x = longitudes === 'descending' ? oceanWidth - 1 - column : column;
    return values[y * oceanWidth + x] ?? Number.NaN;
  });
}
