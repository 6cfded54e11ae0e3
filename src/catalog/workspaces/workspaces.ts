/** Manages workspaces and their namespaces. */
import { allSettled } from '../../lib/async/all-settled.ts';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { type Page, readFilteredPage } from '../../lib/text/page.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { CATALOG_SETTINGS, type CatalogSettings, catalogSettingsKind } from '../../records/catalog-settings.ts';
import { checkName, formatPrintableName, type NameRule, resolveNewName } from '../../records/names.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import { references } from '../kinds/references.ts';
import type { Store } from '../kinds/store.ts';
import { listWorkspaceStores } from '../kinds/stores.ts';

/** The name that refers to the default workspace in every path. */
export const DEFAULT = 'default';

/** The workspace fields that a client can set: an absent field stays unchanged, null clears it. */
export interface WorkspaceDraft {
  readonly name?: string | null;
  readonly uri?: string | null;
  readonly isolated?: boolean | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** Whether the caller addresses the workspace or its namespace: the rules are the same, the messages differ. */
export type Aspect = 'workspace' | 'namespace';

/** A workspace in a listing. */
export interface ListedWorkspace {
  readonly name: string;
  readonly isDefault: boolean;
}

/** Browsers and databases handle URIs of this length. */
const MAX_URI_LENGTH = 2000;

/** Lists the workspaces that the caller administers. */
export async function listWorkspaces(
  catalog: CatalogReader,
  permissions: { readonly administers: (workspace: string) => boolean },
  page: Page = {},
): Promise<readonly ListedWorkspace[]> {
  const [names, preferred] = await Promise.all([
    readFilteredPage(page, (part) => catalog.listNames(workspaceKind, null, part), String, permissions.administers),
    readSettings(catalog).then((settings) => findChosenDefault(catalog, settings)),
  ]);
  return names.map((name) => ({ name, isDefault: name === preferred?.name }));
}

/** Finds a workspace by name; `default` is the default workspace. */
export async function findWorkspace(
  catalog: CatalogReader,
  name: string,
  aspect: Aspect = 'workspace',
): Promise<Workspace> {
  if (name === DEFAULT) {
    return (await getDefaultWorkspace(catalog)).workspace;
  }
  const workspace = await catalog.find(workspaceKind, null, name);
  if (workspace === undefined) {
    throw createUnknownWorkspaceProblem(name, aspect);
  }
  return workspace;
}

/** Returns the default workspace with the common version of the selection and the workspace. */
export async function getDefaultWorkspace(
  catalog: CatalogReader,
): Promise<{ readonly workspace: Workspace; readonly version: number }> {
  const settings = await readSettings(catalog);
  const workspace = await findChosenDefault(catalog, settings);
  if (settings === undefined || workspace === undefined) {
    throw problem('no-default-workspace', {});
  }
  return { workspace, version: Math.max(workspace.version, settings.version) };
}

async function findChosenDefault(
  catalog: CatalogReader,
  settings: CatalogSettings | undefined,
): Promise<Workspace | undefined> {
  const id = settings?.defaultWorkspace ?? null;
  return id === null ? undefined : catalog.get(workspaceKind, id);
}

export function workspaceExists(catalog: CatalogReader, name: string): Promise<boolean> {
  return catalog.find(workspaceKind, null, name).then((found) => found !== undefined);
}

export function createWorkspace(
  catalog: Catalog,
  principal: Principal,
  draft: WorkspaceDraft,
  options: { readonly asDefault: boolean; readonly aspect: Aspect },
): Promise<Workspace> {
  const name = draft.name ?? '';
  const { aspect } = options;
  checkName(name, createNameRule(aspect));
  return catalog.change(principal, `create ${aspect} ${name}`, async (transaction) => {
    const workspace = {
      parent: null,
      name,
      uri: draft.uri ?? `http://${name}`,
      isolated: draft.isolated ?? false,
      metadata: draft.metadata ?? {},
    };
    // Check concurrently: each check may be a round trip to the database while other changes wait.
    await allSettled([checkNameAvailable(transaction, name, aspect), checkUri(transaction, principal, workspace)]);
    const created = await transaction.insert(workspaceKind, workspace);
    const settings = await readSettings(transaction);
    if (options.asDefault || (settings?.defaultWorkspace ?? null) === null) {
      await writeDefault(transaction, settings, created.id);
    }
    return created;
  });
}

export function changeWorkspace(
  catalog: Catalog,
  principal: Principal,
  name: string,
  options: { readonly draft: WorkspaceDraft; readonly aspect: Aspect; readonly precondition: Precondition },
): Promise<void> {
  const { draft, aspect } = options;
  return catalog.change(principal, `change ${aspect} ${name}`, async (transaction) => {
    const current = await findWorkspace(transaction, name, aspect);
    checkPrecondition(options.precondition, current.version);
    const newName = resolveNewName(current.name, draft.name, createNameRule(aspect));
    const changed: Workspace = {
      ...current,
      name: newName,
      uri: draft.uri === undefined ? current.uri : (draft.uri ?? `http://${newName}`),
      isolated: draft.isolated === undefined ? current.isolated : (draft.isolated ?? false),
      metadata: draft.metadata === undefined ? current.metadata : (draft.metadata ?? {}),
    };
    if (changed.name !== current.name) {
      await checkNameAvailable(transaction, changed.name, aspect);
      await references.followNameChanges(transaction, [
        { kind: 'workspace', from: [current.name], to: [changed.name] },
      ]);
    }
    if (changed.uri !== current.uri || changed.isolated !== current.isolated) {
      await checkUri(transaction, principal, changed);
    }
    await transaction.update(workspaceKind, changed);
  });
}

/** Cleans up the data of stores that are deleted with their workspace. */
export interface StoreCleanup {
  /** Called before the change for each existing store. */
  prepare(store: Store): Promise<void>;
  /** Called after the change: closes the connections and files of a deleted store. Returns warnings. */
  release(store: Store): Promise<readonly string[]>;
}

/** Deletes a workspace. Returns warnings. */
export async function deleteWorkspace(
  catalog: Catalog,
  principal: Principal,
  name: string,
  options: {
    readonly aspect: Aspect;
    readonly recurse: boolean;
    readonly precondition: Precondition;
    readonly stores: StoreCleanup;
  },
): Promise<{ readonly warnings: readonly string[] }> {
  const { aspect } = options;
  for (const store of options.recurse
    ? await listWorkspaceStores(catalog, await findWorkspace(catalog, name, aspect))
    : []) {
    await options.stores.prepare(store);
  }
  const released = await catalog.change(principal, `delete ${aspect} ${name}`, async (transaction) => {
    const workspace = await findWorkspace(transaction, name, aspect);
    checkPrecondition(options.precondition, workspace.version);
    if (!options.recurse) {
      await checkWorkspaceEmpty(transaction, workspace, aspect);
    }
    const stores = await listWorkspaceStores(transaction, workspace);
    await references.remove(transaction, workspace);
    return stores;
  });
  const warnings = await Promise.all(released.map((store) => options.stores.release(store)));
  return { warnings: limitSentences(warnings.flat()) };
}

/** Makes the named workspace the default one. */
export function chooseDefaultWorkspace(
  catalog: Catalog,
  principal: Principal,
  name: string,
  options: {
    readonly aspect: Aspect;
    readonly precondition: Precondition;
    readonly mayEnter: (workspace: string) => boolean;
  },
): Promise<void> {
  return catalog.change(principal, `make ${options.aspect} ${name} the default`, async (transaction) => {
    const current = await findDefaultVersion(transaction);
    checkPrecondition(options.precondition, current);
    const workspace = await findWorkspace(transaction, name, options.aspect);
    if (!options.mayEnter(workspace.name)) {
      throw createUnknownWorkspaceProblem(name, options.aspect);
    }
    await writeDefault(transaction, await readSettings(transaction), workspace.id);
  });
}

async function findDefaultVersion(catalog: CatalogReader): Promise<number | undefined> {
  const settings = await readSettings(catalog);
  return (settings?.defaultWorkspace ?? null) === null ? undefined : (await getDefaultWorkspace(catalog)).version;
}

function readSettings(catalog: CatalogReader): Promise<CatalogSettings | undefined> {
  return catalog.find(catalogSettingsKind, null, CATALOG_SETTINGS);
}

async function writeDefault(
  transaction: CatalogTransaction,
  settings: CatalogSettings | undefined,
  workspaceId: string | null,
): Promise<void> {
  if (settings === undefined) {
    await transaction.insert(catalogSettingsKind, {
      parent: null,
      name: CATALOG_SETTINGS,
      defaultWorkspace: workspaceId,
    });
  } else {
    await transaction.update(catalogSettingsKind, { ...settings, defaultWorkspace: workspaceId });
  }
}

function createNameRule(aspect: Aspect): NameRule {
  return {
    what: aspect,
    field: aspect === 'workspace' ? 'workspace.name' : 'namespace.prefix',
    // A colon separates the workspace from the layer in qualified names.
    forbidden: [':'],
    // In access rules a star means every workspace.
    reserved: [DEFAULT, '*'],
  };
}

async function checkNameAvailable(catalog: CatalogReader, name: string, aspect: Aspect): Promise<void> {
  if (await workspaceExists(catalog, name)) {
    throw aspect === 'workspace'
      ? problem('workspace-exists', { name })
      : problem('namespace-exists', { prefix: name });
  }
}

/** Clients could not distinguish two namespaces with the same URI, unless one of them is isolated. */
async function checkUri(
  catalog: CatalogReader,
  principal: Principal,
  { id: ownId, uri, isolated }: Pick<Workspace, 'uri' | 'isolated'> & { readonly id?: string },
): Promise<void> {
  if (uri.trim() === '' || uri.length > MAX_URI_LENGTH || /\p{Cc}/u.test(uri) || !uri.isWellFormed()) {
    const message = `a URI of 1 to ${MAX_URI_LENGTH} characters without control characters was expected`;
    throw problem('document-invalid', { complaints: [{ field: 'namespace.uri', message }], field: 'namespace.uri' });
  }
  if (isolated) {
    return;
  }
  const taken = (await catalog.findByKey(workspaceKind, 'uri', uri, 2)).find((other) => other.id !== ownId);
  if (taken !== undefined) {
    // Access rules may hide that namespace from other users.
    throw problem('namespace-uri-taken', { uri, ...(isAdministrator(principal) ? { prefix: taken.name } : {}) });
  }
}

async function checkWorkspaceEmpty(catalog: CatalogReader, workspace: Workspace, aspect: Aspect): Promise<void> {
  const { first: blockers, total } = await references.findBlockers(catalog, workspace);
  if (total === 0) {
    return;
  }
  throw aspect === 'workspace'
    ? problem('workspace-not-empty', { name: workspace.name, blockers, total })
    : problem('namespace-not-empty', { prefix: workspace.name, blockers, total });
}

function createUnknownWorkspaceProblem(name: string, aspect: Aspect) {
  const shown = formatPrintableName(name);
  return aspect === 'workspace'
    ? problem('workspace-unknown', { name: shown })
    : problem('namespace-unknown', { prefix: shown });
}
