/** Creates and changes layer groups. */

import { isDeepStrictEqual } from 'node:util';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { checkName, type NameRule, resolveNewName } from '../../records/names.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import { type Extent, getExtent, mergeExtents } from '../kinds/group-bounds.ts';
import { type Layer, layerKind } from '../kinds/layer.ts';
import { type GroupPart, type LayerGroup, layerGroupKind, type RootLayer } from '../kinds/layer-group.ts';
import { references } from '../kinds/references.ts';
import { createAccessDeniedProblem, findLayerIn, type Viewer } from '../layers/layers.ts';
import type { StyleChoice } from '../layers/named-style.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import {
  assignStyles,
  checkNoCycle,
  type FoundPart,
  type GroupContext,
  keepStyles,
  type PartChoice,
  resolveGroupPartStyle,
  resolvePart,
} from './group-parts.ts';
import { type GroupStyleDraft, mergeGroupStyles } from './group-styles.ts';
import { collectBoundsWarnings, type InputBounds, resolveComputedCrs, resolveInputExtent } from './input-bounds.ts';
import {
  type CheckMayWrite,
  findGroupIn,
  findLayerGroup,
  type LayerGroupLocator,
  type ListedLayerGroup,
} from './layer-groups.ts';

/** Descriptive fields, which are stored as sent. */
const descriptiveDefaults = {
  title: null,
  abstract: null,
  keywords: [],
  metadataLinks: [],
  metadata: {},
  attribution: null,
  authorityURLs: [],
  identifiers: [],
  internationalTitle: null,
  internationalAbstract: null,
  enabled: true,
  advertised: true,
  queryDisabled: false,
} as const;

type DescriptiveFields = Pick<LayerGroup, keyof typeof descriptiveDefaults>;

/** The group fields that a client can set: an absent field stays unchanged, null clears it. */
export type LayerGroupDraft = {
  readonly name?: string | null;
  readonly workspace?: string | null;
  readonly mode?: LayerGroup['mode'] | null;
  readonly parts?: readonly PartChoice[] | null;
  /** One for each part, null for the default style. */
  readonly styles?: readonly (StyleChoice | null)[] | null;
  readonly groupStyles?: readonly GroupStyleDraft[] | null;
  readonly rootLayer?: string | null;
  readonly rootLayerStyle?: StyleChoice | null;
  readonly bounds?: InputBounds | null;
} & { readonly [Remark in keyof DescriptiveFields]?: DescriptiveFields[Remark] | null };

const nameRule: NameRule = {
  what: 'layer group',
  field: 'layerGroup.name',
  // A colon separates the workspace from the group in qualified names.
  forbidden: [':'],
  // In access rules a star means every layer.
  reserved: ['*'],
};

export interface LayerGroupCreation {
  readonly draft: LayerGroupDraft;
  readonly checkMayWrite: CheckMayWrite;
}

/** Creates a group in the workspace of the path, otherwise in that of the document, otherwise a global one. */
export async function createLayerGroup(
  catalog: Catalog,
  viewer: Viewer,
  workspaceName: string | undefined,
  { draft, checkMayWrite }: LayerGroupCreation,
): Promise<ListedLayerGroup & { readonly warnings: readonly string[] }> {
  const name = draft.name ?? '';
  checkName(name, nameRule);
  const given = await resolveInputExtent(draft.bounds, null);
  const placeExtent = await resolveComputedCrs(draft.bounds);
  const { principal, permissions } = viewer;
  const created = await catalog.change(principal, `create layer group ${name}`, async (transaction) => {
    const home = await resolveNewWorkspace(transaction, workspaceName, draft.workspace ?? null);
    checkMayWrite(home?.name ?? null);
    await checkNameAvailable(transaction, home, name);
    const context: GroupContext = { home, permissions, former: null };
    const { parts, found } = await mergeParts(transaction, context, draft);
    const mode = draft.mode ?? 'SINGLE';
    await transaction.insert(layerGroupKind, {
      parent: home?.id ?? null,
      name,
      mode,
      parts,
      groupStyles: (await mergeGroupStyles(transaction, context, draft.groupStyles)).groupStyles,
      root: await mergeRootLayer(transaction, context, { mode, draft }),
      ...(given ?? placeExtent(await computeExtent(transaction, found))),
      areBoundsGiven: given !== undefined,
      ...mergeDescriptiveFields(descriptiveDefaults, draft),
    });
    return { name, workspace: home?.name ?? null };
  });
  return { ...created, warnings: collectBoundsWarnings(draft.bounds) };
}

export interface LayerGroupChange {
  readonly draft: LayerGroupDraft;
  readonly precondition: Precondition;
  readonly checkMayWrite: CheckMayWrite;
  readonly mayRename: boolean;
}

export async function changeLayerGroup(
  catalog: Catalog,
  place: LayerGroupLocator,
  viewer: Viewer,
  options: LayerGroupChange,
): Promise<{ readonly warnings: readonly string[] }> {
  const { draft } = options;
  const { principal, permissions } = viewer;
  const before = await findLayerGroup(catalog, place, viewer);
  const given = await resolveInputExtent(draft.bounds, before.group.bounds);
  await catalog.change(principal, `change layer group ${place.name}`, async (transaction) => {
    const { group, workspace: home, version, isWhole } = await findLayerGroup(transaction, place, viewer);
    options.checkMayWrite(home?.name ?? null);
    checkPrecondition(options.precondition, version);
    checkSameWorkspace(home, draft);
    const name = resolveNewName(group.name, draft.name, nameRule);
    if (name !== group.name) {
      await renameGroup(transaction, home, { from: group.name, to: name }, options.mayRename);
    }
    const isRearranged = [draft.parts, draft.styles, draft.groupStyles].some((sent) => sent !== undefined);
    if (!isWhole && isRearranged) {
      // The caller would remove parts that are hidden from it.
      throw createAccessDeniedProblem(principal);
    }
    const context: GroupContext = { home, permissions, former: group };
    const { parts, found } = await mergeParts(transaction, context, draft, group);
    const styles = await mergeGroupStyles(transaction, context, draft.groupStyles);
    await checkNoCycle(transaction, { id: group.id, name }, [...found, ...styles.found]);
    const mode = draft.mode === undefined ? group.mode : (draft.mode ?? 'SINGLE');
    await transaction.update(layerGroupKind, {
      ...group,
      name,
      mode,
      parts,
      groupStyles: styles.groupStyles,
      root: await mergeRootLayer(transaction, context, { mode, draft, former: group.root }),
      ...(await mergeExtent(transaction, group, { parts, found }, { sent: draft.bounds, given })),
      ...mergeDescriptiveFields(group, draft),
    });
  });
  return { warnings: collectBoundsWarnings(draft.bounds) };
}

async function resolveNewWorkspace(
  reader: CatalogReader,
  inPath: string | undefined,
  inDocument: string | null,
): Promise<Workspace | null> {
  const named = inPath ?? inDocument;
  const home = named === null ? null : await findWorkspace(reader, named);
  checkSameWorkspace(home, { workspace: inDocument });
  return home;
}

/** Rejects a document that names another workspace: documents cannot move a group. */
function checkSameWorkspace(home: Workspace | null, { workspace }: Pick<LayerGroupDraft, 'workspace'>): void {
  if (workspace != null && workspace !== home?.name) {
    throw problem('workspace-mismatch', { what: 'workspace', path: home?.name ?? '', document: workspace });
  }
}

/**
 * Layers and groups of a workspace share their names, because access rules and map clients identify them by name only.
 */
async function checkNameAvailable(reader: CatalogReader, home: Workspace | null, name: string): Promise<void> {
  if ((await findGroupIn(reader, home, name)) !== undefined) {
    throw problem('layer-group-exists', { name, workspace: home?.name ?? null });
  }
  if (home !== null && (await findLayerIn(reader, home, name)) !== undefined) {
    throw problem('layer-group-named-as-layer', { name, workspace: home.name });
  }
}

async function renameGroup(
  transaction: CatalogTransaction,
  home: Workspace | null,
  { from, to }: { readonly from: string; readonly to: string },
  mayRename: boolean,
): Promise<void> {
  if (!mayRename) {
    throw problem('layer-group-name-fixed', { name: from });
  }
  await checkNameAvailable(transaction, home, to);
  // Rules name global groups without a workspace.
  const workspace = home?.name ?? '';
  await references.followNameChanges(transaction, [{ kind: 'layer', from: [workspace, from], to: [workspace, to] }]);
}

interface SelectedParts {
  readonly parts: readonly GroupPart[];
  readonly found: readonly FoundPart[];
}

async function mergeParts(
  reader: CatalogReader,
  context: GroupContext,
  draft: LayerGroupDraft,
  group?: LayerGroup,
): Promise<SelectedParts> {
  const found: FoundPart[] = [];
  if (draft.parts === undefined && group !== undefined) {
    found.push(...(await loadParts(reader, group)));
  }
  for (const choice of draft.parts ?? []) {
    found.push(await resolvePart(reader, context, choice, 'layerGroup.publishables'));
  }
  if (found.length === 0) {
    throw problem('layer-group-empty', { field: 'layerGroup.publishables' });
  }
  const parts =
    draft.styles === undefined
      ? keepStyles(found, group?.parts ?? [])
      : await assignStyles(reader, context, found, { styles: draft.styles, field: 'layerGroup.styles' });
  return { parts, found };
}

async function loadParts(reader: CatalogReader, { parts }: LayerGroup): Promise<readonly FoundPart[]> {
  const records = await Promise.all(
    parts.map(
      ({ of, id }): Promise<Layer | LayerGroup | undefined> =>
        of === 'layer' ? reader.get(layerKind, id) : reader.get(layerGroupKind, id),
    ),
  );
  return Promise.all(records.filter((record) => record !== undefined).map((record) => addWorkspace(reader, record)));
}

async function addWorkspace(reader: CatalogReader, record: Layer | LayerGroup): Promise<FoundPart> {
  const home = record.kind === 'layer' ? record.workspace : record.parent;
  return { record, workspace: home === null ? null : ((await reader.get(workspaceKind, home)) ?? null) };
}

interface RootLayerChange {
  readonly mode: LayerGroup['mode'];
  readonly draft: Pick<LayerGroupDraft, 'rootLayer' | 'rootLayerStyle'>;
  readonly former?: RootLayer | null;
}

/** A group in the mode EO requires a root layer and style; other modes drop them. */
async function mergeRootLayer(
  reader: CatalogReader,
  context: GroupContext,
  { mode, draft, former = null }: RootLayerChange,
): Promise<RootLayer | null> {
  if (mode !== 'EO') {
    if (draft.rootLayer != null || draft.rootLayerStyle != null) {
      throw problem('layer-group-root', { mode, field: 'layerGroup.rootLayer' });
    }
    return null;
  }
  const missing = problem('layer-group-root', { mode, field: 'layerGroup.rootLayer' });
  const layer =
    draft.rootLayer === undefined && former !== null
      ? await reader.get(layerKind, former.layer)
      : draft.rootLayer == null
        ? undefined
        : await findRootLayer(reader, context, draft.rootLayer);
  if (layer === undefined) {
    throw missing;
  }
  if (draft.rootLayerStyle === undefined && former !== null) {
    return { layer: layer.id, style: former.style };
  }
  const found = await addWorkspace(reader, layer);
  const choice = draft.rootLayerStyle ?? null;
  const style = await resolveGroupPartStyle(reader, context, found, { choice, field: 'layerGroup.rootLayerStyle' });
  if (style === null) {
    throw missing;
  }
  return { layer: layer.id, style };
}

async function findRootLayer(reader: CatalogReader, context: GroupContext, name: string): Promise<Layer | undefined> {
  const { record } = await resolvePart(reader, context, { of: 'layer', name }, 'layerGroup.rootLayer');
  return record.kind === 'layer' ? record : undefined;
}

async function computeExtent(reader: CatalogReader, parts: readonly FoundPart[]): Promise<Extent> {
  const extents: Extent[] = [];
  for (const { record } of parts) {
    extents.push(await getExtent(reader, record));
  }
  return mergeExtents(extents);
}

/** Ignores a computed box that is sent back unchanged, so that the bounds continue to follow the parts. */
async function mergeExtent(
  reader: CatalogReader,
  group: LayerGroup,
  { parts, found }: SelectedParts,
  { sent, given }: { readonly sent: LayerGroupDraft['bounds']; readonly given: Extent | undefined },
): Promise<Extent & Pick<LayerGroup, 'areBoundsGiven'>> {
  const { bounds, latLonBounds, areBoundsGiven } = group;
  if (given !== undefined && !isDeepStrictEqual(given.bounds, bounds)) {
    return { ...given, areBoundsGiven: true };
  }
  const isOther = !isDeepStrictEqual(
    parts.map(({ id }) => id),
    group.parts.map(({ id }) => id),
  );
  return sent === null || (isOther && !areBoundsGiven)
    ? { ...(await computeExtent(reader, found)), areBoundsGiven: false }
    : { bounds, latLonBounds, areBoundsGiven };
}

/** Returns the sent values, or the current ones if none were sent; null restores the initial value. */
function mergeDescriptiveFields(current: DescriptiveFields, draft: LayerGroupDraft): DescriptiveFields {
  const entries = Object.entries(descriptiveDefaults).map(([name, initial]) => {
    const remark = name as keyof DescriptiveFields;
    const sent = draft[remark];
    return [remark, sent === undefined ? current[remark] : (sent ?? initial)];
  });
  return Object.fromEntries(entries) as DescriptiveFields;
}
