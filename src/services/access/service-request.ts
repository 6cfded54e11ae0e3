/** Checks that apply to all services: the workspace exists, the service is enabled and the principal may use it. */

import type { SettingValues } from '../../catalog/kinds/setting.ts';
import { serviceSettingsKind } from '../../catalog/kinds/settings-records.ts';
import type { ServiceName } from '../../catalog/settings/service-settings.ts';
import { readGlobalSettings } from '../../catalog/settings/settings.ts';
import { isAnonymous, type Principal, type TokenService } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { Access, Permissions } from '../../security/access-rules/access.ts';
import { findServiceScopeProblem } from '../../security/access-rules/token-scopes.ts';

/** The scope of a request: the whole server, a workspace, or a layer of a workspace. */
export interface ServiceScope {
  readonly workspace?: string;
  readonly layer?: string;
}

/** A request to a service. The operation is one of those that service rules refer to. */
export interface ServiceRequest {
  readonly principal: Principal;
  readonly place: ServiceScope;
  readonly service: ServiceName;
  readonly operation: string;
  /** The scope of tokens that includes the request; by default the service. */
  readonly tokenScope?: TokenService;
}

/** The result of a successful authorization. */
export interface ServiceAccess {
  readonly permissions: Permissions;
  /** The requested workspace; undefined for the global service. */
  readonly workspace: Workspace | undefined;
  /** The service settings of the workspace, or else of the server, with defaults applied. */
  readonly settings: SettingValues;
}

/** Throws a Problem if the workspace does not exist, the service is disabled or access is denied. */
export async function authorizeRequest(
  { catalog, access }: { readonly catalog: Catalog; readonly access: Access },
  { principal, place, service, operation, tokenScope = service }: ServiceRequest,
): Promise<ServiceAccess> {
  const excluded = findServiceScopeProblem(principal, tokenScope, operation);
  if (excluded !== undefined) {
    throw excluded;
  }
  const permissions = await access.getPermissions(principal);
  const workspace = await findRequestedWorkspace(catalog, permissions, principal, place.workspace);
  if (!(await access.mayCallService(principal, service, operation))) {
    throw createAccessProblem(principal);
  }
  return { permissions, workspace, settings: await loadServiceSettings(catalog, workspace, service) };
}

/** Hides workspaces the principal cannot see: answers 404, not 403. */
async function findRequestedWorkspace(
  catalog: CatalogReader,
  permissions: Permissions,
  principal: Principal,
  name: string | undefined,
): Promise<Workspace | undefined> {
  if (name === undefined) {
    return undefined;
  }
  const workspace = await catalog.find(workspaceKind, null, name);
  const target = { workspace: name, layer: null };
  if (workspace !== undefined && (permissions.administers(name) || permissions.isListed(target))) {
    return workspace;
  }
  if (workspace !== undefined && permissions.decide(target, 'read') === 'challenge') {
    throw createAccessProblem(principal);
  }
  throw problem('workspace-unknown', { name: formatPrintableName(name) });
}

/** The settings of a workspace replace those of the server as a whole. */
async function loadServiceSettings(
  catalog: CatalogReader,
  workspace: Workspace | undefined,
  service: ServiceName,
): Promise<SettingValues> {
  const hasGlobal = workspace !== undefined || (await readGlobalSettings(catalog)).values['globalServices'] !== false;
  const own = workspace && (await catalog.find(serviceSettingsKind, workspace.id, service));
  const { values = {} } = own ?? (await catalog.find(serviceSettingsKind, null, service)) ?? {};
  if (values['enabled'] === false || !hasGlobal) {
    throw problem(service === 'wfs' ? 'feature-service-disabled' : 'map-service-disabled', {});
  }
  return values;
}

/** Anonymous principals are challenged (401), because they may have sufficient rights after sign-in. */
export function createAccessProblem(principal: Principal): Problem {
  return isAnonymous(principal) ? problem('credentials-required', {}) : problem('feature-access-denied', {});
}
