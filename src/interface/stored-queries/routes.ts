/** Routes for stored queries of WFS, global and of a workspace. */
import {
  changeStoredQuery,
  createStoredQueries,
  deleteStoredQuery,
  findStoredQuery,
  listStoredQueries,
  type StoredQueryLocator,
  storedQueryExists,
} from '../../catalog/stored-queries/stored-queries.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { type GlobalFamily, loadWriteRights } from '../common/write-rights.ts';
import { getStoredQueryPath, storedQueryDocument, storedQueryListing } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const GLOBAL = '/storedqueries';
const collections = [GLOBAL, '/workspaces/:workspace/storedqueries'] as const;

const globalStoredQueries: GlobalFamily = {
  collection: 'storedqueries',
  createProblem: () => problem('stored-query-global', {}),
};

export function storedQueryRoutes(): RouteTable<Services> {
  return family(
    'Stored queries',
    {
      description:
        'Queries of WFS 2.0.0 that clients call by their id, with values for their parameters, global or of one workspace. CreateStoredQuery and DropStoredQuery of WFS change them too.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'additions',
      exactNames: { storedQuery: ({ catalog }, params) => storedQueryExists(catalog, readLocator(params)) },
    },
    collections.flatMap((collection) => [...createReadRows(collection), ...createWriteRows(collection)]),
  );
}

type Collection = (typeof collections)[number];

function createReadRows(collection: Collection) {
  const isGlobal = collection === GLOBAL;
  const place = isGlobal ? [] : (['workspace-unknown', 'no-default-workspace'] as const);
  return [
    list(
      collection,
      isGlobal ? 'List the global stored queries' : 'List the stored queries of a workspace',
      { returns: storedQueryListing, role, problems: place },
      async ({ services, params }, page) => ({
        entries: await listStoredQueries(services.catalog, readLocator(params).workspace, page),
      }),
    ),

    get(
      `${collection}/:storedQuery` as const,
      isGlobal ? 'Read a global stored query' : 'Read a stored query of a workspace',
      { returns: storedQueryDocument, versioned: true, role, problems: [...place, 'stored-query-unknown'] },
      async ({ services, params }) => {
        const resource = await findStoredQuery(services.catalog, readLocator(params));
        return { resource, version: resource.query.version };
      },
    ),
  ];
}

function createWriteRows(collection: Collection) {
  const isGlobal = collection === GLOBAL;
  const place = [
    ...(isGlobal ? [] : (['workspace-unknown', 'no-default-workspace'] as const)),
    'workspace-mismatch',
    'stored-query-global',
    'role-missing',
  ] as const;
  const invalid = ['name-illegal', 'stored-query-invalid', 'stored-query-exists'] as const;
  return [
    post(
      collection,
      isGlobal ? 'Create a global stored query' : 'Create a stored query in a workspace',
      { accepts: storedQueryDocument, role, problems: [...place, ...invalid, 'stored-queries-too-many'] },
      async (call) => {
        const { services, principal, params, body } = call;
        const { workspace } = readLocator(params);
        const name = body.name ?? '';
        (await loadWriteRights(call, globalStoredQueries, name, 'POST')).check(workspace ?? null);
        await createStoredQueries(services.catalog, principal, workspace, [body]);
        return { location: getStoredQueryPath(name, workspace ?? null), text: name };
      },
    ),

    put(
      `${collection}/:storedQuery` as const,
      isGlobal ? 'Change a global stored query' : 'Change a stored query of a workspace',
      { accepts: storedQueryDocument, role, problems: [...place, ...invalid, 'stored-query-unknown', 'name-emptied'] },
      async (call) => {
        const { services, principal, params, body, precondition } = call;
        const locator = readLocator(params);
        (await loadWriteRights(call, globalStoredQueries, locator.name, 'PUT')).check(locator.workspace ?? null);
        await changeStoredQuery(services.catalog, principal, locator, { draft: body, precondition });
      },
    ),

    del(
      `${collection}/:storedQuery` as const,
      isGlobal ? 'Delete a global stored query' : 'Delete a stored query of a workspace',
      { role, problems: [...place, 'stored-query-unknown'] },
      async (call) => {
        const { services, principal, params, precondition } = call;
        const locator = readLocator(params);
        (await loadWriteRights(call, globalStoredQueries, locator.name, 'DELETE')).check(locator.workspace ?? null);
        await deleteStoredQuery(services.catalog, principal, locator, precondition);
      },
    ),
  ];
}

function readLocator(params: unknown): StoredQueryLocator {
  const { workspace, storedQuery: name = '' } = params as {
    readonly workspace?: string;
    readonly storedQuery?: string;
  };
  return workspace === undefined ? { name } : { name, workspace };
}
