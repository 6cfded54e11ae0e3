/** What can be wrong with vector data: files, tables, and queries that stand for tables. Files go by their name: where they lie is nobody's business. */
import { excerpt } from '../../../text/excerpt.ts';
import { defineProblemKind } from '../kind.ts';

export const vectorProblems = {
  'vector-type-unknown': defineProblemKind(
    404,
    'The data source has no type of that name.',
    (d: { name: string }) => `The data source has no type named '${d.name}'.`,
  ),
  'mapped-type-unreadable': defineProblemKind(
    400,
    'The features of a mapped type cannot be read in the way that was asked for.',
    (d: { name: string; reason: string }) => `The features of '${d.name}' cannot be read: ${d.reason}.`,
  ),
  'features-not-sortable': defineProblemKind(
    400,
    'So many features can only be sorted by a database that does it itself.',
    (d: { most: number }) =>
      `There are more than ${d.most} features to be sorted; ask for fewer by a limit, a box or a filter, or sort by nothing.`,
  ),
  'features-without-key': defineProblemKind(
    400,
    'The features have no key in their database, so that none can be asked for by its id.',
    (d: { name: string }) =>
      `Features of '${excerpt(d.name)}' have no key, so that their ids mean nothing outside of one answer; ask for them by their attributes.`,
  ),
  'attribute-not-sortable': defineProblemKind(
    400,
    'Features cannot be sorted by geometries or bytes.',
    (d: { name: string }) => `Features cannot be sorted by '${d.name}', which has no order.`,
  ),
  'features-not-in-crs': defineProblemKind(
    400,
    'The features cannot be given in that coordinate reference system.',
    (d: { from: string; to: string }) =>
      `The features are in a coordinate reference system (${d.from}) that cannot be converted to the one asked for (${d.to}).`,
  ),
  'page-key-invalid': defineProblemKind(
    400,
    'The key of a page is none that an answer to the same query gave.',
    () => 'There is no page of that key; follow the links of the first page, with the same query.',
  ),
  'vector-type-changed': defineProblemKind(
    503,
    'The columns of a table have changed since they were looked at; the next request sees them as they are.',
    () => 'The columns of the data have changed; ask again.',
  ),
  'features-not-writable': defineProblemKind(
    400,
    'The features of the type cannot be changed one by one.',
    (d: { name: string; reason: string }) => `The features of '${d.name}' cannot be changed: ${d.reason}.`,
  ),
  'features-in-file': defineProblemKind(
    409,
    'The data is in a file, and the storage is shared by several nodes: a changed file would exist on one node only.',
    (d: { name: string }) =>
      `The data of '${d.name}' cannot be changed: it is in a file, and this storage is shared by several nodes. Import it into a PostGIS store (PUT /workspaces/{workspace}/datastores/{PostGIS store}/file.gpkg) and edit the layer there.`,
  ),
  'vector-file-missing': defineProblemKind(
    400,
    'A file of the data source is not there.',
    (d: { file: string }) => `The file '${d.file}' does not exist.`,
  ),
  'vector-file-unreadable': defineProblemKind(
    400,
    'A file of the data source cannot be opened, or is no file.',
    (d: { file: string; reason: string }) => `The file '${d.file}' cannot be read: ${d.reason}.`,
  ),
  'vector-file-truncated': defineProblemKind(
    400,
    'A file of the data source ends before its content does.',
    (d: { file: string; offset: number; expectedBytes: number }) =>
      `The file '${d.file}' is cut off: it ends at byte ${d.offset}, but ${d.expectedBytes} bytes were expected.`,
  ),
  'vector-file-malformed': defineProblemKind(
    400,
    'A file of the data source says what cannot be.',
    (d: { file: string; offset: number; reason: string }) =>
      `The file '${d.file}' is not valid at byte ${d.offset}: ${d.reason}.`,
  ),
  'vector-file-unsupported': defineProblemKind(
    400,
    'A file of the data source is valid but of a kind that is not read here.',
    (d: { file: string; reason: string }) => `The file '${d.file}' is of a kind that is not supported: ${d.reason}.`,
  ),
  'charset-unknown': defineProblemKind(
    400,
    'The character encoding that was asked for is none that is known here.',
    (d: { charset: string }) =>
      `The charset '${d.charset}' is not known; 'UTF-8' or 'ISO-8859-1' would be, for example.`,
  ),
  'format-of-one-type': defineProblemKind(
    400,
    'Features of several types were asked for in a format that holds one.',
    (d: { format: string }) => `${d.format} holds features of one type; ask for each type on its own.`,
  ),
  'shapefile-too-large': defineProblemKind(
    400,
    'The features that were asked for do not fit into a shapefile.',
    () =>
      'The features do not fit into a shapefile, whose files have at most 2 GB each; ask for fewer, or for another format.',
  ),
  'cql-filter-invalid': defineProblemKind(
    400,
    'The cqlFilter of a feature type cannot be read as ECQL.',
    (d: { line: number; column: number; reason: string }) =>
      `The cqlFilter is not valid ECQL at line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'filter-invalid': defineProblemKind(
    400,
    'A filter cannot be read in its language, or does not fit the attributes of the features.',
    (d: { language: string; where: string; reason: string }) =>
      `The filter is not valid ${d.language} at ${d.where}: ${d.reason}${d.reason.endsWith('?') ? '' : '.'}`,
  ),
  'filter-too-slow': defineProblemKind(
    503,
    'Evaluating the filter takes more processor time than one request may use.',
    (d: { seconds: number }) =>
      `Evaluating the filter takes more than the ${d.seconds} seconds of processor time that one request may use. Use fewer conditions, geometries with fewer positions, or limit the request to a smaller area.`,
  ),
  'table-refused': defineProblemKind(
    400,
    'The database cannot make or remove such a table.',
    (d: { name: string; reason: string }) => `The table '${d.name}' cannot be created or removed: ${d.reason}.`,
  ),
  'crs-unknown-to-database': defineProblemKind(
    400,
    'The database does not know the coordinate reference system of a geometry column.',
    (d: { crs: string; attribute: string }) =>
      `The coordinate reference system '${d.crs}' of the attribute '${d.attribute}' is not known to the database.`,
  ),
  'import-refused': defineProblemKind(
    400,
    'The attributes of the data do not fit the table they are to be put into.',
    (d: { name: string; reason: string }) => `Nothing was imported into the table '${d.name}': ${d.reason}.`,
  ),
  'feature-refused': defineProblemKind(
    400,
    'A feature does not fit the table it is to be put into; nothing was changed.',
    (d: { name: string; feature: string; reason: string; column?: string }) =>
      `Nothing was imported into the table '${d.name}', since it cannot take ${d.feature}: ${d.reason}${d.column === undefined ? '' : ` (column '${d.column}')`}.`,
  ),
  'database-host-refused': defineProblemKind(
    403,
    'Only full administrators may point a store at any host.',
    (d: { host: string }) =>
      `Administrators of a workspace may not use databases on '${d.host}'; the server setting database-hosts names those they may.`,
  ),
  'virtual-table-invalid': defineProblemKind(
    400,
    'The virtual table in the metadata is not complete, or cannot be used.',
    (d: { reason: string }) => `The virtual table cannot be used: ${d.reason}.`,
  ),
  'virtual-table-refused': defineProblemKind(
    400,
    'The database refuses the query of a virtual table.',
    (d: { name: string; message: string }) =>
      `The database refuses the query of the virtual table '${d.name}': ${d.message}`,
  ),
  'virtual-table-unsupported': defineProblemKind(
    400,
    'Virtual tables need a database that runs queries.',
    (d: { store: string; type: string }) =>
      `The store '${d.store}' is a ${d.type} store; virtual tables need a database that runs queries, which PostGIS is.`,
  ),
  'dimension-invalid': defineProblemKind(
    400,
    'A dimension in the metadata is not complete, or names what is not there.',
    (d: { key: string; reason: string }) => `The dimension '${d.key}' cannot be used: ${d.reason}.`,
  ),
} as const;
