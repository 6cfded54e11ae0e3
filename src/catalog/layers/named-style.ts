/** Resolves the style names that layers and clients use. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import type { Workspace } from '../../records/workspace.ts';
import { getAlternateStyles, type Layer, listLayerStyleReferences } from '../kinds/layer.ts';
import { type Style, type StyleReference, styleKind } from '../kinds/style.ts';
import { resolveStyle, toStyleReference } from './style-references.ts';

export interface NamedStyle {
  readonly name: string;
  /** Null for a global style. */
  readonly workspace: string | null;
}

/** A style as a client names it: unqualified, as `workspace:name`, or with a separate workspace. */
export interface StyleChoice {
  readonly name: string;
  readonly workspace?: string;
}

/**
 * Returns the named styles of a layer and the latest version among them: renaming a style changes the document of the
 * layer.
 */
export async function listLayerStyles(
  catalog: CatalogReader,
  layer: Layer,
  workspace: Workspace,
): Promise<{
  readonly defaultStyle: NamedStyle | null;
  readonly styles: readonly NamedStyle[];
  readonly version: number;
}> {
  const toNamedStyle = (style: Style): NamedStyle => ({
    name: style.name,
    workspace: style.parent === null ? null : workspace.name,
  });
  const first = layer.defaultStyle === null ? undefined : await resolveStyle(catalog, layer.defaultStyle);
  const resolved = await Promise.all(getAlternateStyles(layer).map((each) => resolveStyle(catalog, each)));
  const others = resolved.filter((style) => style !== undefined);
  return {
    defaultStyle: first === undefined ? null : toNamedStyle(first),
    styles: others.map(toNamedStyle),
    version: Math.max(0, ...[first ?? [], others].flat().map((style) => style.version)),
  };
}

/**
 * Finds the style that a client names for a layer. An unqualified name matches first a style that the layer already
 * has, so that a layer can be sent back unchanged; then a style of the layer's workspace; then a global one.
 */
export async function resolveStyleChoice(
  catalog: CatalogReader,
  layer: Layer,
  workspace: Workspace,
  choice: StyleChoice,
): Promise<StyleReference> {
  const { name, home } = splitStyleChoice(choice);
  const candidates: (Style | undefined)[] = [];
  if (home === undefined) {
    candidates.push(await findAssignedStyle(catalog, layer, name));
  }
  if (home === undefined || home === workspace.name) {
    candidates.push(await catalog.find(styleKind, workspace.id, name));
  }
  if (home === undefined || home === '') {
    candidates.push(await catalog.find(styleKind, null, name));
  }
  const style = candidates.find((each) => each !== undefined);
  if (style === undefined) {
    const shown = home === undefined || home === '' ? null : formatPrintableName(home);
    throw problem('style-unknown', { name: formatPrintableName(name), workspace: shown });
  }
  return toStyleReference(style);
}

/** Style names never contain a colon. */
function splitStyleChoice({ name, workspace }: StyleChoice): {
  readonly name: string;
  readonly home: string | undefined;
} {
  const colon = name.indexOf(':');
  return colon < 0
    ? { name, home: workspace }
    : { name: name.slice(colon + 1), home: workspace ?? name.slice(0, colon) };
}

/** Finds a global style of that name among the styles of the layer; those of its workspace are found separately. */
async function findAssignedStyle(catalog: CatalogReader, layer: Layer, name: string): Promise<Style | undefined> {
  const styles = await Promise.all(
    listLayerStyleReferences(layer).map((reference) => resolveStyle(catalog, reference)),
  );
  return styles.find((style) => style?.name === name && style.parent === null);
}
