/** The types of data stores that the server supports, and remedies for the others. */

import type { DataForm } from '../copy/store-files.ts';

export type Parameters = ReadonlyMap<string, string>;

export interface SupportedType {
  /** The files that can be copied. */
  readonly data?: DataForm;
  /** The parameter that names a file or directory. */
  readonly pathParameter?: string;
  /** The parameter with the URL of another server. */
  readonly urlParameter?: string;
  /** The only parameters that are imported; all if absent. */
  readonly names?: ReadonlySet<string>;
  /** The parameters with secrets. */
  readonly secrets: readonly string[];
}

const WFS_PREFIX = 'WFSDataStoreFactory:';

/** Returns the type of a data store, or what to do about an unsupported one. */
export function findDataStoreType(parameters: Parameters): SupportedType | undefined {
  const dbtype = (parameters.get('dbtype') ?? '').trim().toLowerCase();
  switch (dbtype) {
    case 'postgis':
    case 'postgisng':
    case 'mysql':
    case 'mariadb':
      return { secrets: ['passwd'] };
    case 'geopkg':
      return { pathParameter: 'database', data: 'geopackage', secrets: ['passwd'] };
    case 'mbtiles':
      return { pathParameter: 'database', data: 'tiles', secrets: [] };
    case 'app-schema':
      return { pathParameter: 'url', data: 'mapping', secrets: [] };
    case 'mongodb':
    case 'mongo':
      return { pathParameter: 'schema_store', secrets: ['data_store', 'http_pass'] };
    case '':
    case 'pmtiles':
    case 'properties':
      break;
    default:
      return undefined;
  }
  if (parameters.has(`${WFS_PREFIX}GET_CAPABILITIES_URL`)) {
    const secrets = [`${WFS_PREFIX}PASSWORD`, `${WFS_PREFIX}AUTH_HEADERS`];
    return { urlParameter: `${WFS_PREFIX}GET_CAPABILITIES_URL`, secrets };
  }
  const archive = parameters.get('pmtiles');
  if (archive !== undefined) return findPmtilesType(archive.trim());
  if (parameters.has('data_store')) return { pathParameter: 'schema_store', secrets: ['data_store', 'http_pass'] };
  if (parameters.has('directory') && !parameters.has('url')) {
    return { pathParameter: 'directory', data: 'properties', secrets: [] };
  }
  const filetype = (parameters.get('filetype') ?? 'shapefile').trim().toLowerCase();
  const isShapefile = parameters.has('url') && dbtype === '' && filetype === 'shapefile';
  return isShapefile && !isOtherFile(parameters.get('url') ?? '')
    ? { pathParameter: 'url', data: 'shapefile', secrets: [] }
    : undefined;
}

/** Access to object stores needs parameters that have no equivalent. */
function findPmtilesType(location: string): SupportedType | undefined {
  const shared = { secrets: [], names: new Set(['pmtiles', 'dbtype']) };
  if (/^https?:/i.test(location)) return { ...shared, urlParameter: 'pmtiles' };
  return /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(location)
    ? undefined
    : { ...shared, pathParameter: 'pmtiles', data: 'tiles' };
}

/** A store of one file of another type, such as GeoJSON or CSV. */
function isOtherFile(url: string): boolean {
  return /\.(?:csv|json|geojson|fgb|parquet|gml|kml|xml|dxf|tab|mif)$/i.test(url.trim());
}

/** What to do about a data store of an unsupported type. */
export function adviseDataStore(parameters: Parameters, type: string): string {
  const dbtype = (parameters.get('dbtype') ?? '').toLowerCase();
  if (/oracle|sqlserver|h2|db2|teradata|jtds/.test(`${dbtype} ${type.toLowerCase()}`)) {
    return 'Copy the tables to PostGIS or a GeoPackage, for example with ogr2ogr.';
  }
  if (parameters.has('pmtiles')) {
    return 'Create the store with the location s3://BUCKET/KEY?endpoint=…&region=… and credentials on the target.';
  }
  if (/generali[sz]/i.test(type)) return 'Publish the simplified tables as types of their own.';
  return 'Convert the data to a GeoPackage with ogr2ogr, or upload it.';
}

const coverageTypes: ReadonlySet<string> = new Set([
  ...['GeoTIFF', 'WorldImage', 'NetCDF', 'ImageMosaic'],
  ...['MBTiles', 'PMTiles'],
]);

export function isSupportedCoverageType(type: string): boolean {
  return coverageTypes.has(type);
}

export function adviseCoverageStore(type: string): string {
  return /pyramid/i.test(type)
    ? 'Publish the images of the finest level as a mosaic.'
    : 'Convert the data to GeoTIFF: gdal_translate -of GTiff -co TILED=YES INPUT OUTPUT.tif';
}
