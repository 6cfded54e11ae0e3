/** The types of data stores as GeoServer names them, by their connection parameters. */
import type { JsonObject } from '../../../lib/json/value.ts';

export interface DataStoreType {
  readonly type: string;
  readonly secrets: readonly string[];
  readonly needsExtension: boolean;
}

export function findDataStoreType(parameters: JsonObject): DataStoreType {
  const dbtype = String(parameters['dbtype'] ?? '').toLowerCase();
  if (dbtype === 'postgis') return { type: 'PostGIS', secrets: ['passwd'], needsExtension: false };
  if (dbtype === 'mysql') return { type: 'MySQL', secrets: ['passwd'], needsExtension: true };
  if (dbtype === 'mariadb') return { type: 'MariaDB', secrets: ['passwd'], needsExtension: true };
  if (dbtype === 'geopkg') return { type: 'GeoPackage', secrets: ['passwd'], needsExtension: false };
  if (dbtype === 'geoparquet') return { type: 'GeoParquet', secrets: [], needsExtension: true };
  if (dbtype === 'fgb') return { type: 'FlatGeobuf', secrets: [], needsExtension: true };
  if (dbtype === 'mbtiles') return { type: 'MBTiles with vector tiles', secrets: [], needsExtension: true };
  if (Object.hasOwn(parameters, 'pmtiles')) return { type: 'PMTiles', secrets: [], needsExtension: true };
  if (dbtype === 'app-schema') {
    return { type: 'Application Schema DataAccess', secrets: [], needsExtension: true };
  }
  if (Object.hasOwn(parameters, 'data_store')) {
    return { type: 'MongoDB', secrets: ['data_store', 'http_pass'], needsExtension: true };
  }
  const prefix = 'WFSDataStoreFactory:';
  if (Object.hasOwn(parameters, `${prefix}GET_CAPABILITIES_URL`)) {
    const secrets = [`${prefix}PASSWORD`, `${prefix}AUTH_HEADERS`];
    return { type: 'Web Feature Server (NG)', secrets, needsExtension: false };
  }
  if (Object.hasOwn(parameters, 'directory')) return { type: 'Properties', secrets: [], needsExtension: false };
  const isFile = /\.shp$/i.test(String(parameters['url'] ?? ''));
  const type = isFile ? 'Shapefile' : 'Directory of spatial files (shapefiles)';
  return { type, secrets: [], needsExtension: false };
}
