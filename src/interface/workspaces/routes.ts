/** Routes for workspaces. */

import { listWorkspaceContents, type WorkspaceContents } from '../../catalog/workspaces/workspace-contents.ts';
import {
  changeWorkspace,
  chooseDefaultWorkspace,
  createWorkspace,
  DEFAULT,
  deleteWorkspace,
  findWorkspace,
  getDefaultWorkspace,
  listWorkspaces,
  workspaceExists,
} from '../../catalog/workspaces/workspaces.ts';
import { createFlagParameter } from '../../http/request/query.ts';
import type { ReadResult } from '../../http/routes/outcome.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import type { Format } from '../../http/serialization/format.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { Workspace } from '../../records/workspace.ts';
import type { Dialect } from '../common/dialects.ts';
import { createStoreRelease } from '../common/release-store.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { FETCHED_ITEMS } from '../common/short-list.ts';
import { defaultWorkspaceDocument, workspaceDocument, workspaceListing, workspacePage } from './representation.ts';

const aspect = 'workspace';

/** Administrators of a workspace can change it; changes beyond it require full administrator rights. */
const role = WORKSPACE_ADMINISTRATOR;
const recurse = createFlagParameter('Also delete the contents of the workspace.');

export function workspaceRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Workspaces',
    {
      description: 'Containers of stores, styles and layers. Each has a namespace of the same name.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: { workspace: ({ catalog }, { workspace = '' }) => workspaceExists(catalog, workspace) },
    },
    [...collectionRows, ...createDefaultRows(dialect), ...itemRows],
  );
}

const collectionRows = [
  list(
    '/workspaces',
    'List the workspaces',
    { returns: workspaceListing, role },
    async ({ services, principal }, page) => ({
      entries: await listWorkspaces(services.catalog, await services.access.getPermissions(principal), page),
    }),
  ),

  post(
    '/workspaces',
    'Create a workspace and its namespace',
    {
      accepts: workspaceDocument,
      query: { default: createFlagParameter('Make it the default workspace.') },
      problems: ['name-illegal', 'workspace-exists', 'namespace-uri-taken'],
    },
    async ({ services, principal, body, query }) => {
      const { name } = await createWorkspace(services.catalog, principal, body, {
        asDefault: query.default,
        aspect,
      });
      return { location: ['workspaces', name], text: name };
    },
  ),
];

function createDefaultRows(dialect: Dialect) {
  return [
    get(
      '/workspaces/default',
      'Read the default workspace',
      { returns: workspacePage, versioned: true, role, problems: ['no-default-workspace', 'workspace-unknown'] },
      async ({ services, format }) => {
        const { workspace, version } = await getDefaultWorkspace(services.catalog);
        return toFoundWorkspace(services, workspace, version, format);
      },
    ),

    put(
      '/workspaces/default',
      'Select the default workspace',
      { accepts: defaultWorkspaceDocument, requires: 'all', problems: ['workspace-unknown'] },
      async ({ services, principal, body, precondition }) => {
        const { administers: mayEnter } = await services.access.getPermissions(principal);
        await chooseDefaultWorkspace(services.catalog, principal, body.name ?? '', {
          aspect,
          precondition,
          mayEnter,
        });
      },
    ),

    ...(dialect.deletesDefaultWorkspace
      ? [
          del(
            '/workspaces/default',
            'Delete the default workspace',
            {
              query: { recurse },
              role,
              problems: ['no-default-workspace', 'workspace-unknown', 'workspace-not-empty'],
            },
            ({ services, principal, query, precondition }) =>
              deleteWorkspace(services.catalog, principal, DEFAULT, {
                aspect,
                recurse: query.recurse,
                precondition,
                stores: createStoreRelease(services),
              }),
          ),
        ]
      : []),
  ];
}

const itemRows = [
  get(
    '/workspaces/:workspace',
    'Read a workspace',
    { returns: workspacePage, versioned: true, role, problems: ['workspace-unknown'] },
    async ({ services, params, format }) => {
      const workspace = await findWorkspace(services.catalog, params.workspace);
      return toFoundWorkspace(services, workspace, workspace.version, format);
    },
  ),

  put(
    '/workspaces/:workspace',
    'Change or rename a workspace',
    {
      accepts: workspaceDocument,
      role,
      problems: ['workspace-unknown', 'name-illegal', 'name-emptied', 'workspace-exists', 'namespace-uri-taken'],
    },
    ({ services, principal, params, body, precondition }) =>
      changeWorkspace(services.catalog, principal, params.workspace, { draft: body, aspect, precondition }),
  ),

  del(
    '/workspaces/:workspace',
    'Delete a workspace and its namespace',
    { query: { recurse }, role, problems: ['workspace-unknown', 'workspace-not-empty'] },
    ({ services, principal, params, query, precondition }) =>
      deleteWorkspace(services.catalog, principal, params.workspace, {
        aspect,
        recurse: query.recurse,
        precondition,
        stores: createStoreRelease(services),
      }),
  ),
];

async function toFoundWorkspace(
  { catalog }: Services,
  workspace: Workspace,
  version: number,
  format: Format | undefined,
): Promise<ReadResult<Workspace | WorkspaceContents>> {
  // The page also lists the contents of the workspace, which have their own versions.
  return format === 'html'
    ? { resource: await listWorkspaceContents(catalog, workspace, FETCHED_ITEMS) }
    : { resource: workspace, version };
}
