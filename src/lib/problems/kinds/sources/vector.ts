/** Problems with vector data. Messages contain file names only: clients must not learn server paths. */
import { excerpt } from '../../../text/excerpt.ts';
import { formatCount } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const vectorProblems = {
  'vector-type-unknown': defineProblemKind(
    404,
    'The data source has no type of that name.',
    (d: { name: string }) => `The data source has no type named '${d.name}'.`,
  ),
  'mapped-type-unreadable': defineProblemKind(
    400,
    'The features of a mapped type cannot be read for this request.',
    (d: { name: string; reason: string }) => `The features of '${d.name}' cannot be read: ${d.reason}.`,
  ),
  'features-not-sortable': defineProblemKind(
    400,
    'The query would sort more features than the server sorts itself, and the data source cannot sort them.',
    (d: { most: number }) =>
      `The query would sort more than ${d.most} features. Reduce them with a limit, a box or a filter, or remove the sort order.`,
  ),
  'features-without-key': defineProblemKind(
    400,
    'The features have no primary key, so they cannot be requested by id.',
    (d: { name: string }) =>
      `The features of '${excerpt(d.name)}' have no primary key, so their ids are valid within one response only. Request them by their attributes.`,
  ),
  'attribute-not-sortable': defineProblemKind(
    400,
    'Features cannot be sorted by geometry or binary attributes.',
    (d: { name: string }) => `Features cannot be sorted by '${d.name}': the type of the attribute has no order.`,
  ),
  'features-not-in-crs': defineProblemKind(
    400,
    'The features cannot be transformed to the requested coordinate reference system.',
    (d: { from: string; to: string }) =>
      `The features cannot be transformed from their coordinate reference system (${d.from}) to the requested one (${d.to}).`,
  ),
  'page-key-invalid': defineProblemKind(
    400,
    'The page key is invalid, or belongs to another query.',
    () => 'Invalid page key. Follow the links of the first page, with the same query.',
  ),
  'vector-type-changed': defineProblemKind(
    503,
    'The columns of a table have changed since they were read. The next request uses the new columns.',
    () => 'The columns of the data have changed. Retry the request.',
  ),
  'features-not-writable': defineProblemKind(
    400,
    'The features of the type are read-only.',
    (d: { name: string; reason: string }) => `The features of '${d.name}' cannot be changed: ${d.reason}.`,
  ),
  'features-in-file': defineProblemKind(
    409,
    'The data is in a file, and several nodes share the storage: a changed file would exist on one node only.',
    (d: { name: string }) =>
      `The data of '${d.name}' cannot be changed: it is in a file, and this storage is shared by several nodes. Import it into a PostGIS store (PUT /workspaces/{workspace}/datastores/{PostGIS store}/file.gpkg) and edit the layer there.`,
  ),
  'vector-file-missing': defineProblemKind(
    400,
    'A file of the data source does not exist.',
    (d: { file: string }) => `The file '${d.file}' does not exist.`,
  ),
  'vector-file-unreadable': defineProblemKind(
    400,
    'A file of the data source cannot be opened, or is not a file.',
    (d: { file: string; reason: string }) => `The file '${d.file}' cannot be read: ${d.reason}.`,
  ),
  'vector-file-truncated': defineProblemKind(
    400,
    'A file of the data source is truncated.',
    (d: { file: string; offset: number; expectedBytes: number }) =>
      `The file '${d.file}' is truncated: it ends at byte ${d.offset}, but ${d.expectedBytes} bytes were expected.`,
  ),
  'vector-file-malformed': defineProblemKind(
    400,
    'A file of the data source has invalid content.',
    (d: { file: string; offset: number; reason: string }) =>
      `The file '${d.file}' is not valid at byte ${d.offset}: ${d.reason}.`,
  ),
  'vector-file-unsupported': defineProblemKind(
    400,
    'A file of the data source is valid, but its format is not supported.',
    (d: { file: string; reason: string }) => `The file '${d.file}' is not supported: ${d.reason}.`,
  ),
  'vector-text-too-long': defineProblemKind(
    400,
    'A text of a feature exceeds the length limit.',
    (d: { feature: string; characters: number; limit: number }) =>
      `The feature '${d.feature}' has a text of ${d.characters} characters; the limit is ${d.limit}. Shorten the text in the data.`,
  ),
  'charset-unknown': defineProblemKind(
    400,
    'The requested character encoding is unknown.',
    (d: { charset: string }) => `Unknown charset '${d.charset}'. Expected a name such as 'UTF-8' or 'ISO-8859-1'.`,
  ),
  'format-of-one-type': defineProblemKind(
    400,
    'Features of several types were requested in a format that supports one type only.',
    (d: { format: string }) => `${d.format} supports features of one type only. Request each type separately.`,
  ),
  'format-columns-too-many': defineProblemKind(
    400,
    'A layer has more attributes than the requested format supports.',
    (d: { layer: string; count: number; limit: number }) =>
      `The layer '${d.layer}' has ${d.count} attributes, and the format supports at most ${d.limit}. Select attributes (propertyName in WFS, properties in OGC API Features), or request another format.`,
  ),
  'shapefile-too-large': defineProblemKind(
    400,
    'The requested features exceed the size limit of a shapefile.',
    () =>
      'The features exceed the size limit of a shapefile, 2 GB per file. Request fewer features, or another format.',
  ),
  'cql-filter-invalid': defineProblemKind(
    400,
    'The cqlFilter of a feature type is not valid ECQL.',
    (d: { line: number; column: number; reason: string }) =>
      `The cqlFilter is not valid ECQL at line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'filter-invalid': defineProblemKind(
    400,
    'A filter is not valid in its language, or does not match the attributes of the features.',
    (d: { language: string; where: string; reason: string }) =>
      `The filter is not valid ${d.language} at ${d.where}: ${d.reason}.`,
  ),
  'filter-too-slow': defineProblemKind(
    503,
    'The evaluation of the filter exceeds the processor time limit of one request.',
    (d: { seconds: number }) =>
      `The evaluation of the filter exceeds the limit of ${formatCount(d.seconds, 'second')} of processor time for one request. Use fewer conditions, geometries with fewer positions, or a smaller area.`,
  ),
  'table-refused': defineProblemKind(
    400,
    'The database cannot create or delete the table.',
    (d: { name: string; reason: string }) => `The table '${d.name}' cannot be created or deleted: ${d.reason}.`,
  ),
  'crs-unknown-to-database': defineProblemKind(
    400,
    'The database does not support the coordinate reference system of a geometry column.',
    (d: { crs: string; attribute: string }) =>
      `The database does not support the coordinate reference system '${d.crs}' of the attribute '${d.attribute}'.`,
  ),
  'import-refused': defineProblemKind(
    400,
    'The attributes of the data do not match the target table.',
    (d: { name: string; reason: string }) => `Nothing was imported into the table '${d.name}': ${d.reason}.`,
  ),
  'feature-refused': defineProblemKind(
    400,
    'A feature does not match the target table. Nothing was changed.',
    (d: { name: string; feature: string; reason: string; column?: string }) =>
      `Nothing was imported into the table '${d.name}', because the table does not accept ${d.feature}: ${d.reason}${d.column === undefined ? '' : ` (column '${d.column}')`}.`,
  ),
  'database-host-refused': defineProblemKind(
    403,
    'Only full administrators can connect a store to any database host.',
    (d: { host: string }) =>
      `Administrators of a workspace cannot use databases on '${d.host}'. The server setting database-hosts lists the allowed hosts.`,
  ),
  'virtual-table-invalid': defineProblemKind(
    400,
    'The virtual table in the metadata is incomplete or invalid.',
    (d: { reason: string }) => `The virtual table is invalid: ${d.reason}.`,
  ),
  'virtual-table-refused': defineProblemKind(
    400,
    'The database rejects the query of a virtual table.',
    (d: { name: string; message: string }) =>
      `The database rejects the query of the virtual table '${d.name}': ${d.message}`,
  ),
  'virtual-table-unsupported': defineProblemKind(
    400,
    'Virtual tables require a database store.',
    (d: { store: string; type: string }) =>
      `The store '${d.store}' is a ${d.type} store. Virtual tables require a PostGIS, MySQL or MariaDB store.`,
  ),
  'dimension-invalid': defineProblemKind(
    400,
    'A dimension in the metadata is incomplete, or names an attribute that does not exist.',
    (d: { key: string; reason: string }) => `The dimension '${d.key}' is invalid: ${d.reason}.`,
  ),
} as const;
