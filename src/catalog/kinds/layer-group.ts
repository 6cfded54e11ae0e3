/** Layers and other groups that maps show under one name, in their order and each with a style. */
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

/** How map clients see it: as one layer, as a tree, or as a tree with a layer that is shown for it. */
export const layerGroupModes = ['SINGLE', 'OPAQUE_CONTAINER', 'NAMED', 'CONTAINER', 'EO'] as const;
export type LayerGroupMode = (typeof layerGroupModes)[number];

/** Its parent is its workspace; a global one has none. */
export interface LayerGroup extends RecordBase, Extent {
  readonly kind: 'layerGroup';
  readonly mode: LayerGroupMode;
  /** What is drawn first comes first. */
  readonly parts: readonly GroupPart[];
  /** The layer that is shown for the whole group: in the mode EO, and in no other. */
  readonly root: RootLayer | null;
  /** Other ways to draw it, each under a name of its own. */
  readonly groupStyles: readonly GroupStyle[];
  /** Whether somebody said where it lies; otherwise that follows from what it was made of. */
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

/** A layer or another group, by its id. */
export interface GroupPart {
  readonly of: 'layer' | 'layerGroup';
  readonly id: string;
  /**
   * Of a layer the style, of a group the name of one of its own styles; null for the default one, which of a group is what
   * its parts are drawn with.
   */
  readonly style: StyleReference | null;
}

/** Another way to draw a group: perhaps other layers, and other styles. */
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
  /** Null for the default style of the layer, once the one that was chosen is gone. */
  readonly style: StyleReference | null;
}

export const layerGroupKind: LinkedKind<LayerGroup> = createLinkedKind<LayerGroup>(
  {
    kind: 'layerGroup',
    // For clients that know no more than the name.
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
        // Built-in styles cannot be deleted, so nobody looks for their groups.
        ids: (group) => listGroupStyleReferences(group).filter((reference) => !isBuiltInName(reference)),
        blocker: formatGroupName,
        onDelete: async (_reader, group, goneId) => removeStyle(group, goneId),
      },
    ],
  },
);

/** What it holds, and what only its styles hold. */
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
 * A group that nothing is left of goes too, as does a style of it; one without its root layer is a plain tree. Where nobody
 * said where it lies, it lies where the rest does.
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
