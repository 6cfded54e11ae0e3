/** A layer group: layers and other groups that maps show under one name, in order, each with a style. */
import type { CatalogReader } from '../../records/catalog.ts';
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { isBuiltInName } from '../../styling/built-in/built-in-names.ts';
import { type Extent, getExtent, mergeExtents } from './group-bounds.ts';
import { layerKind } from './layer.ts';
import type { Attribution, AuthorityUrl, LayerIdentifier } from './layer-metadata.ts';
import type { InternationalText, Metadata, ResourceLink } from './resource.ts';
import { type StyleReference, styleKind } from './style.ts';

/** How map clients see the group: as one layer, as a tree, or as a tree with a layer that represents it. */
export const layerGroupModes = ['SINGLE', 'OPAQUE_CONTAINER', 'NAMED', 'CONTAINER', 'EO'] as const;
export type LayerGroupMode = (typeof layerGroupModes)[number];

/** Its parent is its workspace; a global group has none. */
export interface LayerGroup extends RecordBase, Extent {
  readonly kind: 'layerGroup';
  readonly mode: LayerGroupMode;
  /** In drawing order. */
  readonly parts: readonly GroupPart[];
  /** The layer that represents the group; only in the mode EO. */
  readonly root: RootLayer | null;
  /** Alternative styles of the group, each with a name. */
  readonly groupStyles: readonly GroupStyle[];
  /** Whether a client set the bounds; otherwise they are computed from the parts. */
  readonly areBoundsGiven: boolean;
  readonly title: string | null;
  readonly abstract: string | null;
  readonly keywords: readonly string[];
  readonly metadataLinks: readonly ResourceLink[];
  readonly metadata: Metadata;
  readonly attribution: Attribution | null;
  readonly authorityURLs: readonly AuthorityUrl[];
  readonly identifiers: readonly LayerIdentifier[];
  readonly internationalTitle: InternationalText | null;
  readonly internationalAbstract: InternationalText | null;
  readonly enabled: boolean;
  readonly advertised: boolean;
  readonly queryDisabled: boolean;
}

/** A layer or another group, by id. */
export interface GroupPart {
  readonly of: 'layer' | 'layerGroup';
  readonly id: string;
  /**
   * For a layer its style, for a group the name of one of its own styles. Null for the default; the default of a group
   * draws each part with its own style.
   */
  readonly style: StyleReference | null;
}

/** An alternative style of a group, with its own layers and styles. */
export interface GroupStyle {
  /** Unique in the group. */
  readonly name: string;
  readonly title: string | null;
  readonly abstract: string | null;
  readonly internationalTitle: InternationalText | null;
  readonly internationalAbstract: InternationalText | null;
  readonly parts: readonly GroupPart[];
}

export interface RootLayer {
  readonly layer: string;
  /** Null for the default style of the layer, after the chosen style was deleted. */
  readonly style: StyleReference | null;
}

export const layerGroupKind: LinkedKind<LayerGroup> = createLinkedKind<LayerGroup>(
  {
    kind: 'layerGroup',
    // For clients that send only the name, without a workspace.
    keys: { name: ({ name }) => [name] },
    secrets: {},
    bodyVersion: 2,
    upgrade: (body) => ({ groupStyles: [], ...body }),
  },
  {
    livesIn: [workspaceKind.kind],
    references: [
      {
        to: 'layer',
        key: 'layer',
        ids: (group) => [...listPartIds(group, 'layer'), ...(group.root === null ? [] : [group.root.layer])],
        blocker: formatGroupName,
        onDelete: removePart,
      },
      {
        to: 'layerGroup',
        key: 'group',
        ids: (group) => listPartIds(group, 'layerGroup'),
        blocker: formatGroupName,
        onDelete: removePart,
      },
      {
        to: styleKind.kind,
        key: 'style',
        // Built-in styles cannot be deleted, so their references need no index.
        ids: (group) => listGroupStyleReferences(group).filter((reference) => !isBuiltInName(reference)),
        blocker: formatGroupName,
        onDelete: async (_reader, group, goneId) => removeStyle(group, goneId),
      },
    ],
  },
);

/** Lists the parts of the group and of its styles. */
export function listAllParts({ parts, groupStyles }: Pick<LayerGroup, 'parts' | 'groupStyles'>): readonly GroupPart[] {
  return [...parts, ...groupStyles.flatMap((style) => style.parts)];
}

export function listGroupStyleReferences(
  group: Pick<LayerGroup, 'parts' | 'groupStyles' | 'root'>,
): readonly StyleReference[] {
  const layers = listAllParts(group).filter(({ of }) => of === 'layer');
  return [...layers, ...(group.root === null ? [] : [group.root])].flatMap(({ style }) => style ?? []);
}

export async function formatGroupName(reader: CatalogReader, { parent, name }: LayerGroup): Promise<string> {
  const workspace = parent === null ? undefined : await reader.get(workspaceKind, parent);
  return workspace === undefined ? `layer group '${name}'` : `layer group '${workspace.name}:${name}'`;
}

function listPartIds(group: Pick<LayerGroup, 'parts' | 'groupStyles'>, of: GroupPart['of']): readonly string[] {
  return listAllParts(group)
    .filter((part) => part.of === of)
    .map(({ id }) => id);
}

/**
 * Removes a deleted part. A group or style without parts is deleted too; a group without its root layer becomes a plain
 * tree. Bounds that no client has set are recomputed.
 */
async function removePart(reader: CatalogReader, group: LayerGroup, goneId: string): Promise<LayerGroup | null> {
  const removeById = (parts: readonly GroupPart[]) => parts.filter(({ id }) => id !== goneId);
  const parts = removeById(group.parts);
  const groupStyles = group.groupStyles
    .map((style) => ({ ...style, parts: removeById(style.parts) }))
    .filter((style) => style.parts.length > 0);
  if (parts.length === 0) {
    return null;
  }
  const isRootGone = group.root?.layer === goneId;
  const isComputed = !group.areBoundsGiven && parts.length < group.parts.length;
  return {
    ...group,
    parts,
    groupStyles,
    ...(isRootGone ? { root: null, mode: 'NAMED' as const } : {}),
    ...(isComputed ? await computePartsExtent(reader, parts) : {}),
  };
}

async function computePartsExtent(reader: CatalogReader, parts: readonly GroupPart[]): Promise<Extent> {
  const extents: Extent[] = [];
  for (const { of, id } of parts) {
    const record = of === 'layer' ? await reader.get(layerKind, id) : await reader.get(layerGroupKind, id);
    extents.push(...(record === undefined ? [] : [await getExtent(reader, record)]));
  }
  return mergeExtents(extents);
}

function removeStyle(group: LayerGroup, goneId: string): LayerGroup {
  const clearStyle = <P extends { readonly style: StyleReference | null }>(part: P): P =>
    part.style === goneId ? { ...part, style: null } : part;
  return {
    ...group,
    parts: group.parts.map(clearStyle),
    groupStyles: group.groupStyles.map((style) => ({ ...style, parts: style.parts.map(clearStyle) })),
    root: group.root && clearStyle(group.root),
  };
}
