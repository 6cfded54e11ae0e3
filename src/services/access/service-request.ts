/** What the doors of all services ask first: whether the place is there, and whether the service may be asked at all. */

import type { SettingValues } from '../../catalog/kinds/setting.ts';
import { serviceSettingsKind } from '../../catalog/kinds/settings-records.ts';
import type { ServiceName } from '../../catalog/settings/service-settings.ts';
import { readGlobalSettings } from '../../catalog/settings/settings.ts';
import { isAnonymous, type Principal } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { Access, Permissions } from '../../security/access-rules/access.ts';

/** Where a service is asked: for all that there is, for a workspace, or for a layer of one. */
export interface ServiceScope {
  readonly workspace?: string;
  readonly layer?: string;
}

/** Who asks which service for what; the operation is one of those that service rules name. */
export interface ServiceRequest {
  readonly principal: Principal;
  readonly place: ServiceScope;
  readonly service: ServiceName;
  readonly operation: string;
}

/** What is known of a visit that was let in. */
export interface ServiceAccess {
  readonly permissions: Permissions;
  /** The workspace that was asked, where one was. */
  readonly workspace: Workspace | undefined;
  /** Of the service, here or else of the server; what is not set has its default. */
  readonly settings: SettingValues;
}

/** A Problem where there is nothing to be asked: no such workspace, no service, or not for them. */
export async function authorizeRequest(
  { catalog, access }: { readonly catalog: Catalog; readonly access: Access },
  { principal, place, service, operation }: ServiceRequest,
): Promise<ServiceAccess> {
  const permissions = await access.getPermissions(principal);
  const workspace = await findRequestedWorkspace(catalog, permissions, principal, place.workspace);
  if (!(await access.mayCallService(principal, service, operation))) {
    throw createAccessProblem(principal);
  }
  return { permissions, workspace, settings: await loadServiceSettings(catalog, workspace, service) };
}

/** A workspace that they may not know of is none. */
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
  const asked = { workspace: name, layer: null };
  if (workspace !== undefined && (permissions.administers(name) || permissions.isListed(asked))) {
    return workspace;
  }
  if (workspace !== undefined && permissions.decide(asked, 'read') === 'challenge') {
    throw createAccessProblem(principal);
  }
  throw problem('workspace-unknown', { name: formatPrintableName(name) });
}

/** Those of the workspace stand for those of the server as a whole. */
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

/** Whoever is anonymous may be somebody who can. */
export function createAccessProblem(principal: Principal): Problem {
  return isAnonymous(principal) ? problem('credentials-required', {}) : problem('feature-access-denied', {});
}
