/**
 * Decides whether a principal may call a route. Administrators always may. For other users a REST rule decides, or the
 * route's role if no rule matches; the layer rules then restrict the resources behind the route.
 */

import {
  isAdministrator,
  isAnonymous,
  type Principal,
  ROLE_ADMINISTRATOR,
  ROLE_AUTHENTICATED,
  WORKSPACE_ADMINISTRATOR,
} from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { CATALOG_SETTINGS, catalogSettingsKind } from '../../records/catalog-settings.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { Access } from './access.ts';

export interface AuthorizationRequest {
  readonly principal: Principal;
  /** The role that the matched route requires. */
  readonly role: string;
  readonly method: string;
  /** The matched path below the context path: `rest` first, then literal segments and the values of variables. */
  readonly getPath: () => readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

/** Creates a function that returns the problem for a refused call, or undefined. It never refuses administrators. */
export function createAuthorizer(catalog: CatalogReader, access: Access) {
  return async function refusalOf(call: AuthorizationRequest): Promise<Problem | undefined> {
    const { principal } = call;
    if (isAdministrator(principal)) {
      return undefined;
    }
    const isClosed =
      isAdministratorPath(call.getPath()) ||
      // A rule with the role `*` lets anonymous users read, but never write.
      (isAnonymous(principal) && !readMethods.has(call.method)) ||
      !(await isAdmitted(access, call)) ||
      (isGlobalChange(call) && !(await access.getPermissions(principal)).administersAll());
    if (isClosed) {
      return problem('role-missing', { role: ROLE_ADMINISTRATOR });
    }
    const workspace = findWorkspaceName(call);
    return workspace === undefined ? undefined : findWorkspaceRefusal(catalog, access, call, workspace);
  };
}

/**
 * Returns whether only administrators may call the path. No REST rule can open users, roles, rules, history, events,
 * webhooks or the server configuration, since these define or reveal the permissions of others.
 */
function isAdministratorPath([, family = '', what]: readonly string[]): boolean {
  return serverWideSections.has(family) || (family === 'security' && what !== 'self');
}

const serverWideSections: ReadonlySet<string> = new Set(['configuration', 'doctor', 'events', 'history', 'webhooks']);

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns whether the call changes a server-wide resource: workspaces, the default workspace, URL checks. Routes for
 * workspace administrators check the permission themselves, since the request body may name the target.
 */
function isGlobalChange({ role, method }: AuthorizationRequest): boolean {
  return role === ROLE_ADMINISTRATOR && !readMethods.has(method);
}

/** Applies the first REST rule that matches, or the route's role if none does. */
async function isAdmitted(access: Access, call: AuthorizationRequest): Promise<boolean> {
  const { principal, role, method } = call;
  const path = call.getPath();
  const isOwnAccount = role === ROLE_AUTHENTICATED;
  const decided = path[0] === 'rest' ? await access.decideCall(principal, { path, method, isOwnAccount }) : undefined;
  if (decided !== undefined) {
    return decided;
  }
  switch (role) {
    case ROLE_AUTHENTICATED:
      return !isAnonymous(principal);
    case WORKSPACE_ADMINISTRATOR:
      return !isAnonymous(principal) && (await access.getPermissions(principal)).administersAny();
    default:
      return principal.roles.has(role);
  }
}

function findWorkspaceName({ getPath: path, params }: AuthorizationRequest): string | undefined {
  const [, family, name] = path();
  const isInPath = family === 'workspaces' || family === 'namespaces';
  return params['workspace'] ?? params['namespace'] ?? (isInPath ? name : undefined);
}

/** Hides or refuses a workspace that the principal does not administer, as the catalog mode requires. */
async function findWorkspaceRefusal(
  catalog: CatalogReader,
  access: Access,
  call: AuthorizationRequest,
  name: string,
): Promise<Problem | undefined> {
  const workspace = name === 'default' ? await findDefaultWorkspaceName(catalog) : name;
  if (workspace === undefined) {
    return undefined;
  }
  const permissions = await access.getPermissions(call.principal);
  const decision = isAnonymous(call.principal) ? 'challenge' : permissions.decide({ workspace, layer: null }, 'admin');
  switch (decision) {
    case 'allow':
      return undefined;
    case 'challenge':
      return problem('role-missing', { role: ROLE_ADMINISTRATOR });
    case 'hide':
      return call.getPath()[1] === 'namespaces'
        ? problem('namespace-unknown', { prefix: name })
        : problem('workspace-unknown', { name });
  }
}

async function findDefaultWorkspaceName(catalog: CatalogReader): Promise<string | undefined> {
  const settings = await catalog.find(catalogSettingsKind, null, CATALOG_SETTINGS);
  const id = settings?.defaultWorkspace ?? null;
  return id === null ? undefined : (await catalog.get(workspaceKind, id))?.name;
}
