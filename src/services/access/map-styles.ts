/** The styles a layer can be drawn with: its own styles and styles that clients name. */
import { listLayerStyleReferences } from '../../catalog/kinds/layer.ts';
import type { Style, StyleReference } from '../../catalog/kinds/style.ts';
import { resolveStyleChoice } from '../../catalog/layers/named-style.ts';
import { resolveStyle } from '../../catalog/layers/style-references.ts';
import { buildStyleView, type StyleView } from '../../catalog/styles/style-view.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { MapLayer } from './published-map.ts';

export interface MapStyle {
  readonly style: Style;
  /** Null for a global style. */
  readonly workspace: Workspace | null;
}

/** Lists the default style first, without duplicates. */
export async function listMapStyles(catalog: CatalogReader, { layer }: MapLayer): Promise<readonly MapStyle[]> {
  const styles: MapStyle[] = [];
  for (const reference of new Set(listLayerStyleReferences(layer))) {
    const style = await findStyleByReference(catalog, reference);
    if (style !== undefined) styles.push(style);
  }
  return styles;
}

/**
 * Finds a style by the name a client sent: a style of the layer, of its workspace, or a global one. Styles of other
 * workspaces are not found, so that their existence is not disclosed.
 */
export async function chooseMapStyle(catalog: CatalogReader, layer: MapLayer, name: string): Promise<MapStyle> {
  const own = (await listMapStyles(catalog, layer)).find(
    (each) => each.style.name === name || formatStyleName(each) === name,
  );
  const chosen = own ?? (await findNamedStyle(catalog, layer, name));
  if (chosen === undefined) throw problem('wms-style-unknown', { style: name, layer: layer.name, field: 'styles' });
  return chosen;
}

async function findNamedStyle(catalog: CatalogReader, layer: MapLayer, name: string): Promise<MapStyle | undefined> {
  try {
    return await findStyleByReference(
      catalog,
      await resolveStyleChoice(catalog, layer.layer, layer.workspace, { name }),
    );
  } catch (error) {
    if (error instanceof Problem && error.code === 'style-unknown') return undefined;
    throw error;
  }
}

/** Returns the style a group assigns to a layer, or the default style of the layer; undefined if it has none. */
export async function findLayerStyle(
  catalog: CatalogReader,
  { layer }: MapLayer,
  reference: StyleReference | null,
): Promise<MapStyle | undefined> {
  const chosen = reference ?? layer.defaultStyle;
  return chosen === null ? undefined : findStyleByReference(catalog, chosen);
}

async function findStyleByReference(catalog: CatalogReader, reference: StyleReference): Promise<MapStyle | undefined> {
  const style = await resolveStyle(catalog, reference);
  const workspace =
    style === undefined || style.parent === null ? null : await catalog.get(workspaceKind, style.parent);
  return style && workspace !== undefined ? { style, workspace } : undefined;
}

/** Returns `workspace:name` (`topp:roads`), or the name alone for a global style. */
export function formatStyleName({ style, workspace }: MapStyle): string {
  return workspace === null ? style.name : `${workspace.name}:${style.name}`;
}

/** A style with its content and images. */
export function loadMapStyleView(catalog: CatalogReader, { style, workspace }: MapStyle): Promise<StyleView> {
  return buildStyleView(catalog, style, workspace);
}
