/** Manages the settings of the server, its workspaces and its services. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { checkOfferedNames } from '../grid-sets/offered-names.ts';
import {
  collectUnsupportedWarnings,
  mergeSettingValues,
  type SettingsDraft,
  type SettingValues,
} from '../kinds/setting.ts';
import { globalSettingsKind, SETTINGS, serviceSettingsKind, workspaceSettingsKind } from '../kinds/settings-records.ts';
import { checkTileDefaults } from '../tile-layers/tile-defaults.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { CONTACT, contactSettings, globalSettings, workspaceSettings } from './server-settings.ts';
import { isServiceName, type ServiceName, serviceSettings } from './service-settings.ts';

export interface SettingsView {
  readonly values: SettingValues;
  /** 0 until the first change. */
  readonly version: number;
  /** The workspace of the settings. */
  readonly workspace?: string;
}

interface SettingsUpdate {
  readonly draft: SettingsDraft;
  readonly precondition: Precondition;
}

export async function readGlobalSettings(catalog: CatalogReader): Promise<SettingsView> {
  const kept = await catalog.find(globalSettingsKind, null, SETTINGS);
  return { values: kept?.values ?? {}, version: kept?.version ?? 0 };
}

export async function changeGlobalSettings(
  catalog: Catalog,
  principal: Principal,
  { draft, precondition }: SettingsUpdate,
): Promise<SettingsResult> {
  await catalog.change(principal, 'change the settings', async (transaction) => {
    const { values, version } = await readGlobalSettings(transaction);
    checkPrecondition(precondition, version);
    await writeGlobal(transaction, mergeSettingValues(globalSettings, values, draft));
  });
  return { warnings: collectUnsupportedWarnings(globalSettings, draft) };
}

export async function readContact(catalog: CatalogReader): Promise<SettingsView> {
  const { values, version } = await readGlobalSettings(catalog);
  if (values[CONTACT] === null) {
    throw problem('contact-missing', {});
  }
  const inside = Object.entries(values).filter(([path]) => path.startsWith(`${CONTACT}.`));
  return {
    values: Object.fromEntries(inside.map(([path, value]) => [path.slice(CONTACT.length + 1), value])),
    version,
  };
}

/** Changing a removed contact restores it, even with an empty document. */
export async function changeContact(
  catalog: Catalog,
  principal: Principal,
  { draft, precondition }: SettingsUpdate,
): Promise<SettingsResult> {
  await catalog.change(principal, 'change the contact', async (transaction) => {
    const { values, version } = await readGlobalSettings(transaction);
    checkPrecondition(precondition, version);
    const there = Object.fromEntries(Object.entries(values).filter(([path]) => path !== CONTACT));
    const inSettings = draft.map(({ path, value }) => ({ path: `${CONTACT}.${path}`, value }));
    await writeGlobal(transaction, mergeSettingValues(globalSettings, there, inSettings));
  });
  return { warnings: collectUnsupportedWarnings(contactSettings, draft) };
}

async function writeGlobal(transaction: CatalogTransaction, values: SettingValues): Promise<void> {
  const kept = await transaction.find(globalSettingsKind, null, SETTINGS);
  if (kept !== undefined) {
    await transaction.update(globalSettingsKind, { ...kept, values });
  } else if (Object.keys(values).length > 0) {
    await transaction.insert(globalSettingsKind, { parent: null, name: SETTINGS, values });
  }
}

/** Unset values are the defaults. */
export async function readWorkspaceSettings(catalog: CatalogReader, name: string): Promise<SettingsView> {
  const workspace = await findWorkspace(catalog, name);
  const kept = await catalog.find(workspaceSettingsKind, workspace.id, SETTINGS);
  return { values: kept?.values ?? {}, version: kept?.version ?? 0, workspace: workspace.name };
}

export async function createWorkspaceSettings(
  catalog: Catalog,
  principal: Principal,
  name: string,
  draft: SettingsDraft,
): Promise<SettingsResult & { readonly workspace: string }> {
  const made = await catalog.change(principal, `create the settings of workspace ${name}`, async (transaction) => {
    const workspace = await findWorkspace(transaction, name);
    if ((await transaction.find(workspaceSettingsKind, workspace.id, SETTINGS)) !== undefined) {
      throw problem('workspace-settings-exist', { workspace: workspace.name });
    }
    const values = mergeSettingValues(workspaceSettings, {}, draft);
    await transaction.insert(workspaceSettingsKind, { parent: workspace.id, name: SETTINGS, values });
    return { workspace: workspace.name };
  });
  return { ...made, warnings: collectUnsupportedWarnings(workspaceSettings, draft) };
}

/** Creates the settings if they do not exist. */
export async function changeWorkspaceSettings(
  catalog: Catalog,
  principal: Principal,
  name: string,
  { draft, precondition }: SettingsUpdate,
): Promise<SettingsResult> {
  await catalog.change(principal, `change the settings of workspace ${name}`, async (transaction) => {
    const workspace = await findWorkspace(transaction, name);
    const kept = await transaction.find(workspaceSettingsKind, workspace.id, SETTINGS);
    checkPrecondition(precondition, kept?.version ?? 0);
    const values = mergeSettingValues(workspaceSettings, kept?.values ?? {}, draft);
    if (kept === undefined) {
      await transaction.insert(workspaceSettingsKind, { parent: workspace.id, name: SETTINGS, values });
    } else {
      await transaction.update(workspaceSettingsKind, { ...kept, values });
    }
  });
  return { warnings: collectUnsupportedWarnings(workspaceSettings, draft) };
}

export function deleteWorkspaceSettings(
  catalog: Catalog,
  principal: Principal,
  name: string,
  precondition: Precondition,
): Promise<void> {
  return catalog.change(principal, `delete the settings of workspace ${name}`, async (transaction) => {
    const workspace = await findWorkspace(transaction, name);
    const kept = await transaction.find(workspaceSettingsKind, workspace.id, SETTINGS);
    if (kept === undefined) {
      throw problem('workspace-settings-missing', { workspace: workspace.name });
    }
    checkPrecondition(precondition, kept.version);
    await transaction.removeDeep(kept.id);
  });
}

export interface ServiceSettingsView extends SettingsView {
  readonly service: ServiceName;
}

/** The server's settings if no workspace is named. */
interface ServiceLocator {
  readonly service: string;
  readonly workspace?: string;
}

export async function readServiceSettings(catalog: CatalogReader, place: ServiceLocator): Promise<ServiceSettingsView> {
  const service = checkServiceName(place.service);
  const workspace = await findLocatorWorkspace(catalog, place);
  const kept = await catalog.find(serviceSettingsKind, workspace?.id ?? null, service);
  if (kept === undefined && workspace !== undefined) {
    throw problem('service-settings-missing', { service, workspace: workspace.name });
  }
  return {
    service,
    values: kept?.values ?? {},
    version: kept?.version ?? 0,
    ...(workspace === undefined ? {} : { workspace: workspace.name }),
  };
}

/** The warnings for a client that changes settings. */
export interface SettingsResult {
  readonly warnings: readonly string[];
}

/** Creates the settings of a workspace if they do not exist. */
export async function changeServiceSettings(
  catalog: Catalog,
  principal: Principal,
  place: ServiceLocator,
  { draft, precondition }: SettingsUpdate,
): Promise<SettingsResult> {
  const service = checkServiceName(place.service);
  await catalog.change(principal, `change the settings of ${formatServiceName(place)}`, async (transaction) => {
    const workspace = await findLocatorWorkspace(transaction, place);
    const parent = workspace?.id ?? null;
    const kept = await transaction.find(serviceSettingsKind, parent, service);
    checkPrecondition(precondition, kept?.version ?? (workspace === undefined ? 0 : undefined));
    const values = mergeSettingValues(serviceSettings[service], kept?.values ?? {}, draft);
    if (service === 'wmts') {
      checkTileDefaults(values, workspace !== undefined);
      await checkOfferedNames(transaction, values, workspace !== undefined);
    }
    if (kept !== undefined) {
      await transaction.update(serviceSettingsKind, { ...kept, values });
    } else if (workspace !== undefined || Object.keys(values).length > 0) {
      await transaction.insert(serviceSettingsKind, { parent, name: service, values });
    }
  });
  return { warnings: collectUnsupportedWarnings(serviceSettings[service], draft) };
}

export function deleteServiceSettings(
  catalog: Catalog,
  principal: Principal,
  place: Required<ServiceLocator>,
  precondition: Precondition,
): Promise<void> {
  const service = checkServiceName(place.service);
  return catalog.change(principal, `delete the settings of ${formatServiceName(place)}`, async (transaction) => {
    const workspace = await findWorkspace(transaction, place.workspace);
    const kept = await transaction.find(serviceSettingsKind, workspace.id, service);
    if (kept === undefined) {
      throw problem('service-settings-missing', { service, workspace: workspace.name });
    }
    checkPrecondition(precondition, kept.version);
    await transaction.removeDeep(kept.id);
  });
}

async function findLocatorWorkspace(
  catalog: CatalogReader,
  { workspace }: ServiceLocator,
): Promise<Workspace | undefined> {
  return workspace === undefined ? undefined : findWorkspace(catalog, workspace);
}

function checkServiceName(name: string): ServiceName {
  if (!isServiceName(name)) {
    throw problem('service-unknown', { name: formatPrintableName(name) });
  }
  return name;
}

function formatServiceName({ service, workspace }: ServiceLocator): string {
  return workspace === undefined ? service : `${service} in workspace ${workspace}`;
}
