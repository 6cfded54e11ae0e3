/** The connection parameters of each type of store, for OpenAPI; forms are generated from them. */
import type { JsonSchema } from '../../http/documents/schema.ts';

const text = (title: string, more: JsonSchema = {}): JsonSchema => ({ type: 'string', title, ...more });
const integer = (title: string, [minimum, maximum, usual]: readonly [number, number, number]): JsonSchema => ({
  type: 'integer',
  title,
  minimum,
  maximum,
  default: usual,
});
const flag = (title: string, description: string): JsonSchema => ({
  type: 'boolean',
  title,
  default: false,
  description,
});
const password = (title: string): JsonSchema => text(title, { format: 'password' });

const filePath =
  'Path on the server or a file: URL, absolute or below the data directory. The administrator must have allowed the folder.';

const fileOrUrl = `${filePath} Or the https: URL of one file, which a URL check must allow.`;

export const connectionKinds: readonly JsonSchema[] = [
  {
    title: 'PostGIS',
    description: 'Tables and views of a PostgreSQL database with PostGIS.',
    type: 'object',
    properties: {
      dbtype: { type: 'string', const: 'postgis' },
      host: text('Host', { default: 'localhost', description: 'Host name or IP address.' }),
      port: integer('Port', [1, 65_535, 5432]),
      database: text('Database', { maxLength: 63 }),
      schema: text('Schema', { default: 'public', maxLength: 63 }),
      user: text('User', { maxLength: 63 }),
      passwd: password('Password'),
      'SSL mode': text('SSL mode', {
        enum: ['DISABLE', 'ALLOW', 'PREFER', 'REQUIRE', 'VERIFY_CA', 'VERIFY_FULL'],
        default: 'DISABLE',
        description: 'ALLOW and PREFER do not encrypt. VERIFY_FULL also compares the certificate with the host.',
      }),
      'max connections': integer('Connections', [1, 100, 10]),
      'Connection timeout': integer('Connection timeout in seconds', [1, 60, 5]),
      'Expose primary keys': flag('Show primary keys', 'Key columns are attributes of the features.'),
      'Estimated extends': flag(
        'Estimate extents',
        'Uses the statistics of the database, which is faster on large tables.',
      ),
    },
    required: ['dbtype', 'database', 'user'],
  },
  {
    title: 'MySQL',
    description: 'Tables and views of a MySQL or MariaDB database.',
    type: 'object',
    properties: {
      dbtype: { type: 'string', const: 'mysql' },
      host: text('Host', { default: 'localhost', description: 'Host name or IP address.' }),
      port: integer('Port', [1, 65_535, 3306]),
      database: text('Database', { maxLength: 80 }),
      user: text('User', { maxLength: 80 }),
      passwd: password('Password'),
      'SSL mode': text('SSL mode', {
        enum: ['DISABLED', 'PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'],
        default: 'DISABLED',
        description: 'PREFERRED does not encrypt. VERIFY_IDENTITY also compares the certificate with the host.',
      }),
      'max connections': integer('Connections', [1, 100, 10]),
      'Connection timeout': integer('Connection timeout in seconds', [1, 60, 5]),
      'Expose primary keys': flag('Show primary keys', 'Key columns are attributes of the features.'),
    },
    required: ['dbtype', 'database', 'user'],
  },
  {
    title: 'GeoPackage',
    description: 'A GeoPackage file on the server.',
    type: 'object',
    properties: {
      dbtype: { type: 'string', const: 'geopkg' },
      database: text('File', { description: filePath, examples: ['file:data/roads.gpkg'] }),
      read_only: flag('Read-only', 'Rejects edits of features.'),
      'Expose primary keys': flag('Show primary keys', 'Key columns are attributes of the features.'),
    },
    required: ['dbtype', 'database'],
  },
  {
    title: 'Shapefile',
    description: 'A shapefile on the server, or a folder of them.',
    type: 'object',
    properties: {
      url: text('File or folder', { description: filePath, examples: ['file:data/roads.shp'] }),
      charset: text('Character encoding', { description: 'For files that do not declare one.', examples: ['UTF-8'] }),
    },
    required: ['url'],
  },
  {
    title: 'GeoParquet',
    description: 'A GeoParquet file on the server, a folder of them, or a file of another server.',
    type: 'object',
    properties: {
      dbtype: { type: 'string', const: 'geoparquet' },
      uri: text('File, folder or URL', { description: fileOrUrl, examples: ['file:data/roads.parquet'] }),
    },
    required: ['dbtype', 'uri'],
  },
  {
    title: 'FlatGeobuf',
    description: 'A FlatGeobuf file on the server, a folder of them, or a file of another server.',
    type: 'object',
    properties: {
      dbtype: { type: 'string', const: 'fgb' },
      file: text('File, folder or URL', { description: fileOrUrl, examples: ['file:data/roads.fgb'] }),
    },
    required: ['dbtype', 'file'],
  },
  {
    title: 'MBTiles with vector tiles',
    description: 'An MBTiles file on the server. Each layer of its tiles is a feature type.',
    type: 'object',
    properties: {
      dbtype: { type: 'string', const: 'mbtiles' },
      database: text('File', { description: filePath, examples: ['file:data/city.mbtiles'] }),
    },
    required: ['dbtype', 'database'],
  },
  {
    title: 'PMTiles',
    description: 'A PMTiles file on the server, or of another server. Each layer of its tiles is a feature type.',
    type: 'object',
    properties: {
      pmtiles: text('File or URL', { description: fileOrUrl, examples: ['file:data/city.pmtiles'] }),
    },
    required: ['pmtiles'],
  },
  {
    title: 'Property files',
    description: 'A folder of property files, a simple text format.',
    type: 'object',
    properties: {
      directory: text('Folder', { description: filePath, examples: ['file:data/properties'] }),
    },
    required: ['directory'],
  },
  {
    title: 'MongoDB',
    description: 'Collections of a MongoDB database.',
    type: 'object',
    properties: {
      dbtype: { type: 'string', const: 'mongodb' },
      data_store: text('Connection URI', { format: 'password', examples: ['mongodb://user:password@db.example/maps'] }),
      schema_store: text('Schema store', { description: 'Folder or MongoDB URI where the schemas are kept.' }),
      max_objs_schema: integer('Documents read for the schema', [1, 10_000, 1]),
    },
    required: ['data_store', 'schema_store'],
  },
  {
    title: 'WFS',
    description: 'Feature types of another server.',
    type: 'object',
    properties: {
      'WFSDataStoreFactory:GET_CAPABILITIES_URL': text('Capabilities URL', {
        format: 'uri',
        description: 'A URL check must allow it.',
        examples: ['https://maps.example/wfs?service=WFS&request=GetCapabilities'],
      }),
      'WFSDataStoreFactory:USERNAME': text('User'),
      'WFSDataStoreFactory:PASSWORD': password('Password'),
      'WFSDataStoreFactory:TIMEOUT': text('Timeout in milliseconds', { pattern: '^\\d*$', examples: ['3000'] }),
      'WFSDataStoreFactory:MAXFEATURES': text('Largest number of features', {
        pattern: '^\\d*$',
        description: 'Empty for no limit.',
      }),
    },
    required: ['WFSDataStoreFactory:GET_CAPABILITIES_URL'],
  },
];
