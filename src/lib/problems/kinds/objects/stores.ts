/** Problems with data stores, feature types and layers. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';
import { formatResourceLocation, type ResourceLocation } from './resource-location.ts';

export const storeProblems = {
  'store-unknown': defineProblemKind(
    404,
    'The workspace has no store of that name.',
    (d: { workspace: string; name: string }) => `No such store: '${d.name}' in the workspace '${d.workspace}'.`,
  ),
  'no-default-store': defineProblemKind(
    404,
    'The workspace has no data store, so it has no default one.',
    (d: { workspace: string }) => `No such store: the workspace '${d.workspace}' has no default data store.`,
  ),
  'store-exists': defineProblemKind(
    409,
    'The workspace already has a store of that name.',
    (d: { workspace: string; name: string }) =>
      `A store named '${d.name}' already exists in the workspace '${d.workspace}'.`,
  ),
  'store-not-empty': defineProblemKind(
    403,
    'The store still contains published feature types, and recurse=true was not set.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The store '${d.name}' is not empty: it contains ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'store-kind-unknown': defineProblemKind(
    400,
    'The connection parameters do not match any supported store type.',
    (d: { dbtype: string; kinds: readonly string[] }) =>
      `The connection parameters${d.dbtype === '' ? '' : ` (dbtype '${d.dbtype}')`} do not match any supported store type: ${d.kinds.join(', ')}.`,
  ),
  'store-parameter-invalid': defineProblemKind(
    400,
    'A connection parameter is unknown, malformed or unsafe.',
    (d: { parameter: string; reason: string }) => `The connection parameter '${d.parameter}' is invalid: ${d.reason}.`,
  ),
  'store-connection-failed': defineProblemKind(
    400,
    'The client requested a connection test before saving the store (validate=connect), and the connection failed.',
    (d: { name: string; reason: string }) =>
      `The connection to the data of the store '${d.name}' failed: ${d.reason}. The store is not saved.`,
  ),
  'store-unreachable': defineProblemKind(
    502,
    'The data of the store could not be opened, or did not respond in time.',
    (d: { name: string; reason: string; step?: string }) =>
      `The data of the store '${d.name}' is unavailable: ${d.reason}.`,
  ),
  'store-refuses': defineProblemKind(
    400,
    'The database of the store is reachable, but rejected the request.',
    (d: { name: string; reason: string; step?: string }) =>
      `The database of the store '${d.name}' rejected the request: ${d.reason}.`,
  ),
  'store-disabled': defineProblemKind(
    400,
    'The store is disabled.',
    (d: { name: string }) => `The store '${d.name}' is disabled. Enable it first.`,
  ),
  'store-cannot-create': defineProblemKind(
    400,
    'New tables can be created in databases only.',
    (d: { name: string; type: string }) =>
      `The store '${d.name}' is a ${d.type} store, in which tables cannot be created. Publish an existing type of the store.`,
  ),
  'workspace-mismatch': defineProblemKind(
    403,
    'The document and the path name different workspaces, stores or namespaces.',
    (d: { what: string; path: string; document: string }) =>
      `The path names the ${d.what} '${d.path}', but the document names '${d.document}'.`,
  ),
  'feature-type-unknown': defineProblemKind(
    404,
    'No published feature type has that name.',
    (d: ResourceLocation) => `No such feature type: ${formatResourceLocation(d)}.`,
  ),
  'feature-type-exists': defineProblemKind(
    409,
    'The workspace already has a published feature type of that name.',
    (d: { name: string; workspace: string }) =>
      `A feature type named '${d.name}' already exists in the workspace '${d.workspace}'.`,
  ),
  'table-exists': defineProblemKind(
    409,
    'The database already has a table of that name.',
    (d: { name: string }) =>
      `A table named '${d.name}' already exists in the database. To publish it, send its name without attributes.`,
  ),
  'native-type-unknown': defineProblemKind(
    400,
    'The data has no type of that name, and the document has no attributes to create one.',
    (d: { name: string; store: string }) =>
      `The store '${d.store}' has no type named '${d.name}', and the document has no attributes to create one.`,
  ),
  'attribute-unknown': defineProblemKind(
    400,
    'The document defines an attribute that the data does not have.',
    (d: { attribute: string; name: string }) =>
      `The data of the feature type '${d.name}' has no attribute '${d.attribute}'.`,
  ),
  'attribute-invalid': defineProblemKind(
    400,
    'The attribute definition is invalid.',
    (d: { attribute: string; reason: string }) => `Invalid attribute '${d.attribute}': ${d.reason}.`,
  ),
  'srs-unknown': defineProblemKind(
    400,
    'The spatial reference is unknown.',
    (d: { srs: string }) => `Unknown spatial reference '${d.srs}'. Expected a code such as 'EPSG:4326'.`,
  ),
  'feature-type-in-use': defineProblemKind(
    403,
    'A layer uses the feature type, and recurse=true was not set.',
    (d: { name: string; blockers: readonly string[] }) =>
      `The feature type '${d.name}' is used by ${d.blockers.join(', ')}. Delete them first, or add recurse=true.`,
  ),
  'layer-unknown': defineProblemKind(
    404,
    'No layer has that name.',
    (d: { name: string; workspace: string | undefined }) =>
      `No such layer: '${d.name}'${d.workspace === undefined ? '' : ` in the workspace '${d.workspace}'`}.`,
  ),
  'layer-resource-fixed': defineProblemKind(
    403,
    'The resource of a layer cannot be changed.',
    (d: { name: string; resource: string }) =>
      `The resource of the layer '${d.name}' is '${d.resource}' and cannot be changed. Every published resource has its own layer.`,
  ),
} as const;
