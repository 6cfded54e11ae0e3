/** Creates NetCDF files from CDL text, and reads them with the NetCDF tools. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGdal } from './gdal.ts';

/** Formats as `ncgen` names them. */
export type NetcdfKind = 'classic' | '64-bit offset' | '64-bit data' | 'netCDF-4' | 'netCDF-4 classic model';

export async function writeNetcdf(folder: string, name: string, kind: NetcdfKind, cdl: string): Promise<string> {
  const text = join(folder, `${name}.cdl`);
  const path = join(folder, `${name}.nc`);
  await writeFile(text, `netcdf ${name} {\n${cdl}\n}`);
  await runGdal('ncgen', ['-k', kind, '-o', path, text]);
  return path;
}

/** The values of a variable as printed by `ncdump`, optionally with times as dates. */
export async function dumpedValues(
  path: string,
  variable: string,
  options: readonly string[] = [],
): Promise<readonly string[]> {
  const text = await runGdal('ncdump', [...options, '-v', variable, path]);
  const data = text.slice(text.indexOf('\ndata:'));
  const [, values = ''] = new RegExp(`\\n\\s*${variable} =([^;]*);`).exec(data) ?? [];
  return values.split(',').map((value) => value.trim().replaceAll('"', ''));
}

export const oceanWidth = 24;
export const oceanHeight = 20;

export interface OceanOptions {
  readonly latitudes?: 'ascending' | 'descending';
  readonly longitudes?: 'ascending' | 'descending';
  /** Additional lines of the variables section, such as storage options. */
  readonly storage?: string;
}

/** Two variables on time, depth, latitude and longitude, one of them packed as short integers. */
export function oceanCdl({
  latitudes = 'descending',
  longitudes = 'ascending',
  storage = '',
}: OceanOptions = {}): string {
  const axis = (length: number, first: number, step: number, order: string) => {
    const values = Array.from({ length }, (_, index) => first + index * step);
    return (order === 'ascending' ? values : values.reverse()).join(', ');
  };
  const values = (scale: number) =>
    Array.from({ length: 3 * 2 * oceanHeight * oceanWidth }, (_, index) =>
      index % 97 === 5 ? -999 : ((index * 7) % 1_000) * scale,
    ).join(', ');
  return `dimensions:
    time = UNLIMITED ; depth = 2 ; lat = ${oceanHeight} ; lon = ${oceanWidth} ; nv = 2 ;
  variables:
    double time(time) ; time:units = "hours since 2013-03-01 00:00:00" ; time:calendar = "gregorian" ; time:bounds = "time_bnds" ;
    double time_bnds(time, nv) ;
    float depth(depth) ; depth:units = "m" ; depth:positive = "down" ;
    float lat(lat) ; lat:units = "degrees_north" ; lat:standard_name = "latitude" ;
    double lon(lon) ; lon:units = "degrees_east" ;
    short temperature(time, depth, lat, lon) ; temperature:scale_factor = 0.01 ; temperature:add_offset = 273.15 ;
      temperature:_FillValue = -999s ; temperature:units = "K" ; temperature:long_name = "Temperature of the sea" ;
    float salinity(time, depth, lat, lon) ; salinity:missing_value = -999.f ; salinity:units = "psu" ; ${storage}
    int grid_id(lat) ;
    :Conventions = "CF-1.6" ;
  data:
    time = 0, 6.5, 24 ; time_bnds = 0, 1, 6, 7, 23, 24 ; depth = 0.5, 10 ;
    lat = ${axis(oceanHeight, 40.25, 0.5, latitudes)} ; lon = ${axis(oceanWidth, 5.125, 0.25, longitudes)} ;
    temperature = ${values(1)} ; salinity = ${values(0.125)} ; grid_id = ${Array(oceanHeight).fill(1).join(', ')} ;`;
}
