/** A layer: how a map shows a published resource. It is a child of the resource and deleted with it. */
import type { CatalogReader } from '../../records/catalog.ts';
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { isBuiltInName } from '../../styling/built-in/built-in-names.ts';
import { findResourceById, getResourceKind } from './any-resource.ts';
import type { Attribution, AuthorityUrl, LayerIdentifier } from './layer-metadata.ts';
import { type Metadata, resourceKeys } from './resource.ts';
import { resourceKinds } from './resource-kinds.ts';
import { type LegendPicture, type StyleReference, styleKind } from './style.ts';

export interface Layer extends RecordBase {
  readonly kind: 'layer';
  readonly workspace: string;
  /** The default style; null for data that cannot be drawn. */
  readonly defaultStyle: StyleReference | null;
  /** The alternative styles; absent for none. */
  readonly styles?: readonly StyleReference[];
  readonly enabled: boolean;
  /** Absent, like the following fields, until a client changes the layer. */
  readonly advertised?: boolean;
  readonly queryable?: boolean;
  readonly opaque?: boolean;
  /** Where map clients show the layer; absent until a client sets it. */
  readonly path?: string;
  /** The legend image; like the following fields, it is passed to map clients. */
  readonly legend?: LegendPicture;
  readonly metadata?: Metadata;
  readonly attribution?: Attribution;
  readonly authorityURLs?: readonly AuthorityUrl[];
  readonly identifiers?: readonly LayerIdentifier[];
  readonly defaultWMSInterpolationMethod?: InterpolationMethod;
}

/** How the pixels of an image are interpolated from the data. */
export type InterpolationMethod = (typeof interpolationMethods)[number];

export const interpolationMethods = ['Nearest', 'Bilinear', 'Bicubic'] as const;

export const layerKind: LinkedKind<Layer> = createLinkedKind<Layer>(
  {
    kind: 'layer',
    keys: {
      ...resourceKeys,
      // For clients that send only the name, without a workspace.
      name: ({ name }) => [name],
    },
    secrets: {},
  },
  {
    livesIn: resourceKinds.map(({ kind }) => kind),
    references: [
      {
        to: styleKind.kind,
        key: 'style',
        // Built-in styles cannot be deleted, so their references need no index.
        ids: (layer) => listLayerStyleReferences(layer).filter((reference) => !isBuiltInName(reference)),
        blocker: async (reader, { workspace, name }) =>
          `layer '${(await reader.get(workspaceKind, workspace))?.name ?? ''}:${name}'`,
        onDelete: (reader, layer, goneId) => removeStyles(reader, layer, (reference) => reference === goneId),
      },
    ],
  },
);

export function getAlternateStyles({ styles = [] }: Pick<Layer, 'styles'>): readonly StyleReference[] {
  return styles;
}

export function listLayerStyleReferences(layer: Pick<Layer, 'defaultStyle' | 'styles'>): readonly StyleReference[] {
  return [layer.defaultStyle ?? [], getAlternateStyles(layer)].flat();
}

/** Returns the layer with deleted styles removed, and with the suggested style as the default if that was deleted. */
export async function removeStyles(
  reader: CatalogReader,
  layer: Layer,
  isGone: (reference: StyleReference) => boolean,
): Promise<Layer> {
  const { defaultStyle } = layer;
  return {
    ...layer,
    defaultStyle:
      defaultStyle !== null && isGone(defaultStyle) ? await findSuggestedStyle(reader, layer) : defaultStyle,
    styles: getAlternateStyles(layer).filter((reference) => !isGone(reference)),
  };
}

/** Returns the default style of the layer's resource. */
export async function findSuggestedStyle(reader: CatalogReader, layer: Layer): Promise<StyleReference | null> {
  const resource = await findResourceById(reader, layer.parent ?? '');
  return resource === undefined ? null : getResourceKind(resource).selectDefaultStyle(resource);
}
