/** Routes for namespaces, the views of workspaces by prefix and URI. */
import {
  changeWorkspace,
  chooseDefaultWorkspace,
  createWorkspace,
  deleteWorkspace,
  findWorkspace,
  getDefaultWorkspace,
  listWorkspaces,
  workspaceExists,
} from '../../catalog/workspaces/workspaces.ts';
import { createFlagParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Dialect } from '../common/dialects.ts';
import { createStoreRelease } from '../common/release-store.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { defaultNamespaceDocument, namespaceDocument, namespaceListing } from './representation.ts';

const aspect = 'namespace';

/** Administrators of a workspace can change it; changes beyond it require full administrator rights. */
const role = WORKSPACE_ADMINISTRATOR;

export function namespaceRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Namespaces',
    {
      description:
        'The prefix and URI of each workspace. Each workspace has exactly one namespace; they are created and deleted together.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: { namespace: ({ catalog }, { namespace = '' }) => workspaceExists(catalog, namespace) },
    },
    [...collectionRows, ...defaultRows, ...createItemRows(dialect)],
  );
}

const collectionRows = [
  list(
    '/namespaces',
    'List the namespaces',
    { returns: namespaceListing, role },
    async ({ services, principal }, page) => ({
      entries: await listWorkspaces(services.catalog, await services.access.getPermissions(principal), page),
    }),
  ),

  post(
    '/namespaces',
    'Create a namespace and its workspace',
    { accepts: namespaceDocument, problems: ['name-illegal', 'namespace-exists', 'namespace-uri-taken'] },
    async ({ services, principal, body }) => {
      const { prefix, ...rest } = body;
      const draft = { ...rest, ...(prefix === undefined ? {} : { name: prefix }) };
      const { name } = await createWorkspace(services.catalog, principal, draft, { asDefault: false, aspect });
      return { location: ['namespaces', name], text: name };
    },
  ),
];

const defaultRows = [
  get(
    '/namespaces/default',
    'Read the default namespace',
    { returns: namespaceDocument, versioned: true, role, problems: ['no-default-workspace', 'namespace-unknown'] },
    async ({ services }) => {
      const { workspace, version } = await getDefaultWorkspace(services.catalog);
      return { resource: workspace, version };
    },
  ),

  put(
    '/namespaces/default',
    'Select the default namespace',
    { accepts: defaultNamespaceDocument, requires: 'all', problems: ['namespace-unknown'] },
    async ({ services, principal, body, precondition }) => {
      const { administers: mayEnter } = await services.access.getPermissions(principal);
      await chooseDefaultWorkspace(services.catalog, principal, body.prefix ?? '', {
        aspect,
        precondition,
        mayEnter,
      });
    },
  ),
];

function createItemRows(dialect: Dialect) {
  return [
    get(
      '/namespaces/:namespace',
      'Read a namespace',
      { returns: namespaceDocument, versioned: true, role, problems: ['namespace-unknown'] },
      async ({ services, params }) => {
        const workspace = await findWorkspace(services.catalog, params.namespace, aspect);
        return { resource: workspace, version: workspace.version };
      },
    ),

    put(
      '/namespaces/:namespace',
      'Change a namespace, or rename it with its workspace',
      {
        accepts: namespaceDocument,
        role,
        problems: [
          'namespace-unknown',
          'name-illegal',
          'name-emptied',
          'namespace-exists',
          'namespace-uri-taken',
          'namespace-prefix-fixed',
        ],
      },
      async ({ services, principal, params, body, precondition }) => {
        const { prefix, ...rest } = body;
        if (!dialect.renamesNamespaces && prefix !== undefined && prefix !== params.namespace) {
          await findWorkspace(services.catalog, params.namespace, aspect);
          throw problem('namespace-prefix-fixed', { prefix: params.namespace, field: 'namespace.prefix' });
        }
        const draft = { ...rest, ...(prefix === undefined ? {} : { name: prefix }) };
        await changeWorkspace(services.catalog, principal, params.namespace, { draft, aspect, precondition });
      },
    ),

    del(
      '/namespaces/:namespace',
      'Delete a namespace and its workspace',
      {
        query: { recurse: createFlagParameter('Also delete the contents of its workspace.') },
        role,
        problems: ['namespace-unknown', 'namespace-not-empty'],
      },
      ({ services, principal, params, query, precondition }) =>
        deleteWorkspace(services.catalog, principal, params.namespace, {
          aspect,
          recurse: query.recurse,
          precondition,
          stores: createStoreRelease(services),
        }),
    ),
  ];
}
