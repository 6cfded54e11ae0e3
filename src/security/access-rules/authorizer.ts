/**
 * May this principal call this route? Administrators may. For others a REST rule, or the route's role where no rule speaks
 * of it, is the door; what may be done behind it is decided by the rules of the catalog.
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
  /** The role the matched route asks for. */
  readonly role: string;
  readonly method: string;
  /** The matched path below the context path: `rest` first, then literal segments and the values of variables. */
  readonly getPath: () => readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

/** Gives the reason why not; undefined means yes. Nothing here can keep out an administrator. */
export function createAuthorizer(catalog: CatalogReader, access: Access) {
  return async function refusalOf(call: AuthorizationRequest): Promise<Problem | undefined> {
    const { principal } = call;
    if (isAdministrator(principal)) {
      return undefined;
    }
    const isClosed =
      isAdministratorPath(call.getPath()) ||
      // A rule that gives something to everybody means everybody who is somebody.
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
 * Rules are made by administrators for others: none of them opens what makes administrators and rules, nor what
 * tells of all that: the history, the events, to webhooks too, and the configuration as a whole.
 */
function isAdministratorPath([, family = '', what]: readonly string[]): boolean {
  return serverWideSections.has(family) || (family === 'security' && what !== 'self');
}

const serverWideSections: ReadonlySet<string> = new Set(['configuration', 'doctor', 'events', 'history', 'webhooks']);

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A change of something that belongs to the whole server: workspaces as such, the default one, URL checks. Routes for
 * workspace administrators decide themselves, since what they change may be named in a body.
 */
function isGlobalChange({ role, method }: AuthorizationRequest): boolean {
  return role === ROLE_ADMINISTRATOR && !readMethods.has(method);
}

/** The first REST rule that fits decides; where none does, the route's own role. */
async function isAdmitted(access: Access, call: AuthorizationRequest): Promise<boolean> {
  const { principal, role, method } = call;
  const path = call.getPath();
  const decided = path[0] === 'rest' ? await access.decideCall(principal, { path, method }) : undefined;
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

/** Whoever is no administrator sees the workspaces they administer, and as much of others as the catalog mode tells. */
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
