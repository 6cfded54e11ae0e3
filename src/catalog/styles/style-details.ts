/** Adds to the styles of a listing what a gallery shows. */
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatNamePrefix } from '../../records/workspace.ts';
import type { Permissions } from '../../security/access-rules/access.ts';
import { isBuiltInName } from '../../styling/built-in/built-in-names.ts';
import { styleKind } from '../kinds/style.ts';
import { listLayersByStyle } from '../layers/style-references.ts';
import { findStyleFile, findStyleWorkspace, type ListedStyle, type StyleDetails } from './style-view.ts';

/** Styles that have been deleted meanwhile stay as they are. */
export async function addStyleDetails(
  catalog: CatalogReader,
  permissions: Permissions,
  styles: readonly ListedStyle[],
  maxLayers: number,
): Promise<readonly ListedStyle[]> {
  const detailed: ListedStyle[] = [];
  for (const listed of styles) {
    const details = await readStyleDetails(catalog, permissions, listed, maxLayers);
    detailed.push(details === undefined ? listed : { ...listed, details });
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return detailed;
}

async function readStyleDetails(
  catalog: CatalogReader,
  permissions: Permissions,
  { name, workspace: home }: ListedStyle,
  maxLayers: number,
): Promise<StyleDetails | undefined> {
  const workspace = await findStyleWorkspace(catalog, home === null ? {} : { workspace: home });
  const style = await catalog.find(styleKind, workspace?.id ?? null, name);
  if (style === undefined) return undefined;
  const file = await findStyleFile(catalog, style.parent, style.filename);
  const layers = await listLayersByStyle(catalog, style, maxLayers);
  return {
    format: (file?.written?.format ?? style.format).language,
    isBuiltIn: style.parent === null && isBuiltInName(style.name),
    layers: layers
      .filter(
        (layer) =>
          permissions.administers(layer.workspace) ||
          permissions.isListed({ workspace: layer.workspace, layer: layer.name }),
      )
      .map((layer) => `${formatNamePrefix(layer.workspace)}${layer.name}`),
  };
}
