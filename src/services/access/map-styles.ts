/** The styles that a layer can be drawn with: its own, and those that clients name. */
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
  /** Null for a global one. */
  readonly workspace: Workspace | null;
}

/** The default one first; none twice. */
export async function listMapStyles(catalog: CatalogReader, { layer }: MapLayer): Promise<readonly MapStyle[]> {
  const styles: MapStyle[] = [];
  for (const reference of new Set(listLayerStyleReferences(layer))) {
    const style = await findStyleByReference(catalog, reference);
    if (style !== undefined) styles.push(style);
  }
  return styles;
}

/**
 * The style that a client means for a layer: one of its own, of its workspace, or a global one. Styles of other workspaces
 * are not there, so that nobody learns of them.
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

/** The style of a group for one of its layers, or the default one of the layer; undefined where there is none. */
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

/** With its workspace: `topp:roads`; a global one is its name. */
export function formatStyleName({ style, workspace }: MapStyle): string {
  return workspace === null ? style.name : `${workspace.name}:${style.name}`;
}

/** With its content and its pictures. */
export function loadMapStyleView(catalog: CatalogReader, { style, workspace }: MapStyle): Promise<StyleView> {
  return buildStyleView(catalog, style, workspace);
}
