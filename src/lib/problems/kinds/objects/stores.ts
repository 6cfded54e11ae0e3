/** What can go wrong with data stores, feature types and layers. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const storeProblems = {
  'store-unknown': defineProblemKind(
    404,
    'There is no store of that name in the workspace.',
    (d: { workspace: string; name: string }) => `No such store: '${d.name}' in the workspace '${d.workspace}'.`,
  ),
  'no-default-store': defineProblemKind(
    404,
    'The workspace holds no data store, and so no default one.',
    (d: { workspace: string }) => `No such store: the workspace '${d.workspace}' has no default data store.`,
  ),
  'store-exists': defineProblemKind(
    409,
    'A store of that name exists already in the workspace.',
    (d: { workspace: string; name: string }) =>
      `A store named '${d.name}' already exists in the workspace '${d.workspace}'.`,
  ),
  'store-not-empty': defineProblemKind(
    403,
    'The store still has published types and recurse was not asked for.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The store '${d.name}' is not empty: it holds ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'store-kind-unknown': defineProblemKind(
    400,
    'The connection parameters are those of no kind of store this server has.',
    (d: { dbtype: string; kinds: readonly string[] }) =>
      `The connection parameters${d.dbtype === '' ? '' : ` (dbtype '${d.dbtype}')`} fit none of the kinds of store there are: ${d.kinds.join(', ')}.`,
  ),
  'store-parameter-invalid': defineProblemKind(
    400,
    'A connection parameter is unknown, malformed or dangerous.',
    (d: { parameter: string; reason: string }) =>
      `The connection parameter '${d.parameter}' is not accepted: ${d.reason}.`,
  ),
  'store-connection-failed': defineProblemKind(
    400,
    'The client asks for a connection before a store is saved (validate=connect), and there is none with its parameters.',
    (d: { name: string; reason: string }) =>
      `The store '${d.name}' was not saved, since its data cannot be reached: ${d.reason}.`,
  ),
  'store-unreachable': defineProblemKind(
    502,
    'The data behind the store could not be opened or asked in time.',
    (d: { name: string; reason: string }) => `The data of the store '${d.name}' cannot be reached: ${d.reason}.`,
  ),
  'store-refuses': defineProblemKind(
    400,
    'The database of the store can be reached, but does not do what it is asked.',
    (d: { name: string; reason: string }) =>
      `The database of the store '${d.name}' did not do what it was asked: ${d.reason}.`,
  ),
  'store-disabled': defineProblemKind(
    400,
    'The store is switched off: its data is not opened.',
    (d: { name: string }) => `The store '${d.name}' is disabled, so its data is not opened. Enable it first.`,
  ),
  'store-cannot-create': defineProblemKind(
    400,
    'New tables can be made in databases only.',
    (d: { name: string; type: string }) =>
      `The store '${d.name}' is a ${d.type} store, in which no table can be created; publish a type it already has.`,
  ),
  'workspace-mismatch': defineProblemKind(
    403,
    'The document names another workspace, store or namespace than the path.',
    (d: { what: string; path: string; document: string }) =>
      `The path names the ${d.what} '${d.path}', but the document names '${d.document}'.`,
  ),
  'feature-type-unknown': defineProblemKind(
    404,
    'There is no published feature type of that name.',
    (d: { name: string }) => `No such feature type: '${d.name}'.`,
  ),
  'feature-type-exists': defineProblemKind(
    409,
    'A feature type of that name is published already in the workspace.',
    (d: { name: string; workspace: string }) =>
      `A feature type named '${d.name}' already exists in the workspace '${d.workspace}'.`,
  ),
  'table-exists': defineProblemKind(
    409,
    'The database already has a table of that name.',
    (d: { name: string }) => `A table named '${d.name}' already exists in the database; publish it by its name alone.`,
  ),
  'native-type-unknown': defineProblemKind(
    400,
    'The data has no type of that name, and no attributes were given to create it.',
    (d: { name: string; store: string }) =>
      `The store '${d.store}' has no type named '${d.name}', and the document gives no attributes to create one.`,
  ),
  'attribute-unknown': defineProblemKind(
    400,
    'The document describes an attribute that the data does not have.',
    (d: { attribute: string; name: string }) =>
      `The feature type '${d.name}' has no attribute '${d.attribute}' in its data.`,
  ),
  'attribute-invalid': defineProblemKind(
    400,
    'What the document says of an attribute cannot be.',
    (d: { attribute: string; reason: string }) => `The attribute '${d.attribute}' cannot be so: ${d.reason}.`,
  ),
  'srs-unknown': defineProblemKind(
    400,
    'The spatial reference code is none that is known here.',
    (d: { srs: string }) => `The spatial reference '${d.srs}' is not known; 'EPSG:4326' would be, for example.`,
  ),
  'feature-type-in-use': defineProblemKind(
    403,
    'A layer shows this feature type and recurse was not asked for.',
    (d: { name: string; blockers: readonly string[] }) =>
      `The feature type '${d.name}' is used by ${d.blockers.join(', ')}. Delete them first, or add recurse=true.`,
  ),
  'layer-unknown': defineProblemKind(
    404,
    'There is no layer of that name.',
    (d: { name: string }) => `No such layer: '${d.name}'.`,
  ),
  'layer-resource-fixed': defineProblemKind(
    403,
    'A layer would be made to show something else.',
    (d: { name: string; resource: string }) =>
      `The layer '${d.name}' shows '${d.resource}', and that cannot be changed: what is published has a layer of its own.`,
  ),
} as const;
