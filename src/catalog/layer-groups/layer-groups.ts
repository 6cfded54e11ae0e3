/** Lists, reads and deletes layer groups. */

import { isAnonymous } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { Permissions } from '../../security/access-rules/access.ts';
import { type Layer, layerKind } from '../kinds/layer.ts';
import { type GroupPart, type GroupStyle, type LayerGroup, layerGroupKind } from '../kinds/layer-group.ts';
import { references } from '../kinds/references.ts';
import type { Style, StyleReference } from '../kinds/style.ts';
import { createAccessDeniedProblem, type Viewer } from '../layers/layers.ts';
import type { NamedStyle } from '../layers/named-style.ts';
import { resolveStyle } from '../layers/style-references.ts';
import { findWorkspace, getDefaultWorkspace } from '../workspaces/workspaces.ts';

/** The location of a group: in one workspace, or among the global ones; there also as `workspace:group`. */
export interface LayerGroupLocator {
  readonly workspace?: string;
  readonly name: string;
}

/** A group with its parts, by name. */
export interface LayerGroupView {
  readonly group: LayerGroup;
  /** Null for a global group. */
  readonly workspace: Workspace | null;
  /** The parts that the caller can see. */
  readonly parts: readonly VisiblePart[];
  readonly root: VisiblePart | null;
  /** Without styles that have no visible part. */
  readonly groupStyles: readonly VisibleGroupStyle[];
  /** Whether all parts are visible. */
  readonly isWhole: boolean;
  /** The common version of all parts: renaming a layer changes the document of the group. */
  readonly version: number;
}

export interface VisiblePart {
  readonly of: GroupPart['of'];
  readonly name: string;
  /** Null for a global group. */
  readonly workspace: string | null;
  /** Null for the default; for a group, one of its own styles. */
  readonly style: NamedStyle | null;
}

export interface VisibleGroupStyle extends Omit<GroupStyle, 'parts'> {
  readonly parts: readonly VisiblePart[];
}

/** A group in a listing. */
export interface ListedLayerGroup {
  readonly name: string;
  /** Null for a global group. */
  readonly workspace: string | null;
}

/** Throws if the caller may not write groups of this workspace, or global ones (null). */
export type CheckMayWrite = (workspaceName: string | null) => void;

/** Lists the groups of a workspace, or the global ones. */
export async function listLayerGroups(
  catalog: CatalogReader,
  workspaceName: string | undefined,
  page: Page = {},
): Promise<readonly ListedLayerGroup[]> {
  const workspace = workspaceName === undefined ? null : await findWorkspace(catalog, workspaceName);
  const names = await catalog.listNames(layerGroupKind, workspace?.id ?? null, page);
  return names.map((name) => ({ name, workspace: workspace?.name ?? null }));
}

export async function findLayerGroup(
  catalog: CatalogReader,
  place: LayerGroupLocator,
  viewer: Viewer,
): Promise<LayerGroupView> {
  const found = await locateGroup(catalog, place);
  if (found === undefined) {
    throw createUnknownGroupProblem(place);
  }
  const { group, workspace } = found;
  const { permissions, principal } = viewer;
  if (workspace === null || !permissions.administers(workspace.name)) {
    const decision = permissions.decide({ workspace: workspace?.name ?? null, layer: group.name }, 'read');
    if (decision !== 'allow') {
      throw decision === 'hide' && !isAnonymous(principal)
        ? createUnknownGroupProblem(place)
        : createAccessDeniedProblem(principal);
    }
  }
  return buildView(catalog, group, workspace, permissions);
}

export async function layerGroupExists(catalog: CatalogReader, place: LayerGroupLocator): Promise<boolean> {
  return (await locateGroup(catalog, place).catch(() => undefined)) !== undefined;
}

/** Deletes the group, unless other groups contain it; with `recurse`, removes it from those. */
export function deleteLayerGroup(
  catalog: Catalog,
  place: LayerGroupLocator,
  viewer: Viewer,
  options: { readonly recurse: boolean; readonly precondition: Precondition; readonly checkMayWrite: CheckMayWrite },
): Promise<void> {
  return catalog.change(viewer.principal, `delete layer group ${place.name}`, async (transaction) => {
    const { group, workspace, version } = await findLayerGroup(transaction, place, viewer);
    options.checkMayWrite(workspace?.name ?? null);
    checkPrecondition(options.precondition, version);
    if (!options.recurse) {
      const { first: blockers, total } = await references.findBlockers(transaction, group);
      if (total > 0) {
        throw problem('layer-group-in-use', { name: group.name, blockers, total });
      }
    }
    await references.remove(transaction, group);
  });
}

/** Returns whether the caller can see a layer or group of this name. */
export function isVisible(permissions: Permissions, workspace: Workspace | null, name: string): boolean {
  return (
    (workspace !== null && permissions.administers(workspace.name)) ||
    permissions.decide({ workspace: workspace?.name ?? null, layer: name }, 'read') === 'allow'
  );
}

export interface LocatedGroup {
  readonly group: LayerGroup;
  readonly workspace: Workspace | null;
}

/**
 * An unqualified name refers to a global group; otherwise to one of the default workspace, or to the only one anywhere.
 */
export async function locateGroup(catalog: CatalogReader, place: LayerGroupLocator): Promise<LocatedGroup | undefined> {
  const { name } = place;
  if (place.workspace !== undefined) {
    return findGroupIn(catalog, await findWorkspace(catalog, place.workspace), name);
  }
  const global = await findGroupIn(catalog, null, name);
  if (global !== undefined) {
    return global;
  }
  const colon = name.indexOf(':');
  if (colon >= 0) {
    const workspace = await catalog.find(workspaceKind, null, name.slice(0, colon));
    return workspace && findGroupIn(catalog, workspace, name.slice(colon + 1));
  }
  const preferred = await getDefaultWorkspace(catalog).catch(() => undefined);
  const found = preferred && (await findGroupIn(catalog, preferred.workspace, name));
  if (found !== undefined) {
    return found;
  }
  const [group, ...others] = await catalog.findByKey(layerGroupKind, 'name', name, 2);
  const workspace = group && (await catalog.get(workspaceKind, group.parent ?? ''));
  return group && workspace && others.length === 0 ? { group, workspace } : undefined;
}

export async function findGroupIn(
  catalog: CatalogReader,
  workspace: Workspace | null,
  name: string,
): Promise<LocatedGroup | undefined> {
  const group = await catalog.find(layerGroupKind, workspace?.id ?? null, name);
  return group && { group, workspace };
}

async function buildView(
  catalog: CatalogReader,
  group: LayerGroup,
  workspace: Workspace | null,
  permissions: Permissions,
): Promise<LayerGroupView> {
  let version = Math.max(group.version, workspace?.version ?? 0);
  const trackVersion = <R extends { readonly version: number }>(record: R | undefined): R | undefined => {
    version = Math.max(version, record?.version ?? 0);
    return record;
  };
  let isWhole = true;
  const listVisibleParts = async (parts: readonly GroupPart[]): Promise<readonly VisiblePart[]> => {
    const shown: VisiblePart[] = [];
    for (const part of parts) {
      const each = await findVisiblePart(catalog, part, { permissions, note: trackVersion });
      if (each === undefined) {
        isWhole = false;
      } else {
        shown.push(each);
      }
    }
    return shown;
  };
  const parts = await listVisibleParts(group.parts);
  const groupStyles: VisibleGroupStyle[] = [];
  for (const style of group.groupStyles) {
    groupStyles.push({ ...style, parts: await listVisibleParts(style.parts) });
  }
  const { root } = group;
  const rootPart: GroupPart | undefined =
    root === null ? undefined : { of: 'layer', id: root.layer, style: root.style };
  const shownRoot =
    rootPart &&
    (await findVisiblePart(catalog, rootPart, { permissions, note: trackVersion, defaultStyle: 'resolved' }));
  return {
    group,
    workspace,
    parts,
    root: shownRoot ?? null,
    groupStyles: groupStyles.filter((style) => style.parts.length > 0),
    isWhole: isWhole && (root === null || shownRoot !== undefined),
    version,
  };
}

/** Calls `note` for every record that is read; the default style is omitted or resolved. */
async function findVisiblePart(
  catalog: CatalogReader,
  { of, id, style }: GroupPart,
  {
    permissions,
    note,
    defaultStyle = 'left out',
  }: {
    readonly permissions: Permissions;
    readonly note: <R extends { readonly version: number }>(record: R | undefined) => R | undefined;
    readonly defaultStyle?: 'left out' | 'resolved';
  },
): Promise<VisiblePart | undefined> {
  const record: Layer | LayerGroup | undefined = note(
    of === 'layer' ? await catalog.get(layerKind, id) : await catalog.get(layerGroupKind, id),
  );
  const home = record?.kind === 'layer' ? record.workspace : (record?.parent ?? null);
  const workspace = home === null ? null : (note(await catalog.get(workspaceKind, home)) ?? null);
  if (record === undefined || !isVisible(permissions, workspace, record.name)) {
    return undefined;
  }
  const meant = style === null && defaultStyle === 'resolved' && record.kind === 'layer' ? record.defaultStyle : style;
  return {
    of,
    name: record.name,
    workspace: workspace?.name ?? null,
    style:
      of === 'layer'
        ? await resolveNamedStyle(catalog, meant, note)
        : meant === null
          ? null
          : { name: meant, workspace: null },
  };
}

async function resolveNamedStyle(
  catalog: CatalogReader,
  reference: StyleReference | null,
  note: <R extends { readonly version: number }>(record: R | undefined) => R | undefined,
): Promise<NamedStyle | null> {
  const style: Style | undefined = reference === null ? undefined : note(await resolveStyle(catalog, reference));
  if (style === undefined) {
    return null;
  }
  const workspace = style.parent === null ? undefined : note(await catalog.get(workspaceKind, style.parent));
  return { name: style.name, workspace: workspace?.name ?? null };
}

function createUnknownGroupProblem({ name, workspace }: LayerGroupLocator): Problem {
  return problem('layer-group-unknown', {
    name: formatPrintableName(name),
    workspace: workspace === undefined ? null : formatPrintableName(workspace),
  });
}
