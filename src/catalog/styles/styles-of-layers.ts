/** Which layers a style draws, and what becomes of them without it. */
import { problem } from '../../lib/problem.ts';
import type { CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import { isBuiltInName } from '../../styling/built-in/built-in-names.ts';
import { featureTypeKind } from '../feature-types/feature-type.ts';
import { alternateStyles, type Layer, layerKind, type StyleReference } from '../layers/layer.ts';
import { type Style, styleKind } from './style.ts';
import { styleForGeometry } from './style-for-geometry.ts';

/** How many layers a refusal names. */
const NAMED_LAYERS = 10;

/** More layers than this are not counted. */
const COUNTED_LAYERS = 1_000;

const EVERY_LAYER = Number.MAX_SAFE_INTEGER;

export function referenceTo(style: Style): StyleReference {
  return style.parent === null && isBuiltInName(style.name) ? style.name : style.id;
}

export function resolveStyle(catalog: CatalogReader, reference: StyleReference): Promise<Style | undefined> {
  return isBuiltInName(reference) ? catalog.find(styleKind, null, reference) : catalog.get(styleKind, reference);
}

/** Refuses to take a style away from the layers that use it. */
export async function refuseUsers(catalog: CatalogReader, style: Style): Promise<void> {
  await refuse(catalog, style, await layersWith(catalog, style, COUNTED_LAYERS));
}

/** Layers use styles of their own workspace and global ones; a style cannot go where some of its layers do not see it. */
export async function refuseUsersElsewhere(
  catalog: CatalogReader,
  style: Style,
  home: Workspace | null,
): Promise<void> {
  if (home !== null) {
    const layers = await layersWith(catalog, style, EVERY_LAYER);
    await refuse(
      catalog,
      style,
      layers.filter(({ workspace }) => workspace !== home.id),
    );
  }
}

async function refuse(catalog: CatalogReader, style: Style, layers: readonly Layer[]): Promise<void> {
  if (layers.length === 0) {
    return;
  }
  const blockers = layers.slice(0, NAMED_LAYERS).map(async ({ workspace, name }) => {
    const home = await catalog.get(workspaceKind, workspace);
    return `layer '${home?.name ?? ''}:${name}'`;
  });
  throw problem('style-in-use', { name: style.name, blockers: await Promise.all(blockers), total: layers.length });
}

/** The layers that use a style get the one of their geometry instead, or one less to choose from. */
export async function takeFromLayers(transaction: CatalogTransaction, style: Style): Promise<void> {
  for (const layer of await layersWith(transaction, style, EVERY_LAYER)) {
    await transaction.update(layerKind, await withoutStyles(transaction, layer, (reference) => reference === style.id));
  }
}

/** A layer that goes to another workspace leaves the styles of its old one behind. */
export async function leaveStylesBehind(transaction: CatalogTransaction, layer: Layer): Promise<Layer> {
  const local = new Set<StyleReference>();
  for (const reference of [layer.defaultStyle ?? [], alternateStyles(layer)].flat()) {
    if ((await resolveStyle(transaction, reference))?.parent === layer.workspace) {
      local.add(reference);
    }
  }
  return local.size === 0 ? layer : withoutStyles(transaction, layer, (reference) => local.has(reference));
}

async function withoutStyles(
  catalog: CatalogReader,
  layer: Layer,
  isGone: (reference: StyleReference) => boolean,
): Promise<Layer> {
  const { defaultStyle } = layer;
  const styles = alternateStyles(layer).filter((reference) => !isGone(reference));
  return {
    ...layer,
    defaultStyle: defaultStyle !== null && isGone(defaultStyle) ? await fallbackOf(catalog, layer) : defaultStyle,
    styles,
  };
}

/** The style a layer would have if nobody had chosen one. */
export async function fallbackOf(catalog: CatalogReader, layer: Layer): Promise<StyleReference | null> {
  const type = await catalog.get(featureTypeKind, layer.parent ?? '');
  return type === undefined ? null : styleForGeometry(type);
}

function layersWith(catalog: CatalogReader, style: Style, limit: number): Promise<readonly Layer[]> {
  return catalog.findByKey(layerKind, 'style', style.id, limit);
}
