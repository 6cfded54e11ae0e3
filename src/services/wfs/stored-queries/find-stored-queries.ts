/** Finds the stored queries that a principal may see: those whose types it may see. */
import { type StoredQuery, storedQueryKind } from '../../../catalog/kinds/stored-query.ts';
import { hasPlaceholder, parseQuery, readTypeNames } from '../../../catalog/stored-queries/query-text.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';
import type { PublishedType } from '../../access/published-type.ts';
import { extendScope } from '../../ows/message.ts';
import { findPublishedType, type WfsContext } from '../context/context.ts';
import { readTypeName } from '../request/request.ts';

export interface VisibleStoredQuery {
  readonly query: StoredQuery;
  /** The types that the queries name and the principal may see. */
  readonly types: readonly PublishedType[];
}

export function createStoredQueryProblem(id: string): Problem {
  return problem('wfs-stored-query-unknown', { id, field: 'storedQuery_id' });
}

/** Returns whether the principal may change the stored queries of the service: of the workspace, or the global ones. */
export async function mayManageStoredQueries({ services, principal, featureAccess }: WfsContext): Promise<boolean> {
  const permissions = await services.access.getPermissions(principal);
  const { workspace } = featureAccess;
  return workspace === undefined ? permissions.administersAll() : permissions.administers(workspace.name);
}

/** A stored query of the workspace hides the global one with its id. */
export async function findStoredQuery(context: WfsContext, id: string): Promise<VisibleStoredQuery> {
  const { featureAccess, services } = context;
  const homes = featureAccess.workspace === undefined ? [null] : [featureAccess.workspace.id, null];
  for (const home of homes) {
    const query = await services.catalog.find(storedQueryKind, home, id);
    if (query === undefined) continue;
    const types = await findTypes(context, query, await mayManageStoredQueries(context));
    if (types !== undefined) return { query, types };
  }
  throw createStoredQueryProblem(id);
}

/** Lists the stored queries of the workspace, and the global ones. */
export async function listVisibleStoredQueries(context: WfsContext): Promise<readonly VisibleStoredQuery[]> {
  const { featureAccess, services } = context;
  const own = featureAccess.workspace && (await services.catalog.list(storedQueryKind, featureAccess.workspace.id));
  const shared = await services.catalog.list(storedQueryKind, null);
  const names = new Set(own?.map(({ name }) => name));
  const mayManage = await mayManageStoredQueries(context);
  const visible: VisibleStoredQuery[] = [];
  for (const query of [...(own ?? []), ...shared.filter(({ name }) => !names.has(name))]) {
    const types = await findTypes(context, query, mayManage).catch(ignoreDenial);
    if (types !== undefined) visible.push({ query, types });
  }
  return visible;
}

function ignoreDenial(error: unknown): undefined {
  if (error instanceof Problem && (error.status === 401 || error.status === 403)) return undefined;
  throw error;
}

/** Returns undefined if the principal may not know all types. Its name and text would disclose them. */
async function findTypes(
  context: WfsContext,
  { queries }: StoredQuery,
  mayManage: boolean,
): Promise<readonly PublishedType[] | undefined> {
  const types = new Map<string, PublishedType>();
  for (const text of queries) {
    const root = parseQuery(text);
    const scope = extendScope(new Map(), root);
    for (const name of readTypeNames(root)) {
      if (hasPlaceholder(name)) continue;
      const found = await findPublishedType(context, readTypeName(name, scope), 'description');
      if (found !== undefined) types.set(found.qualifiedName, found);
      else if (!mayManage) return undefined;
    }
  }
  return [...types.values()];
}
