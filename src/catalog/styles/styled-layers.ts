/** Checks that the layers of a style with several layers exist. */
import { Problem, problem } from '../../lib/problems/problem.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import { findLayer, type LayerLocator, type Viewer } from '../layers/layers.ts';
import type { SentContent } from './sent-content.ts';

export interface StyledLayerOptions {
  readonly viewer: Viewer;
  /** How a style for a missing layer is treated. */
  readonly unknown: 'warned about' | 'refused';
}

/** Returns warnings; throws if such a style is rejected. Layers that the caller cannot see count as missing. */
export async function checkStyledLayers(
  catalog: CatalogReader,
  workspace: string | undefined,
  { layerNames, images }: Pick<SentContent, 'layerNames' | 'images'>,
  { viewer, unknown }: StyledLayerOptions,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const name of layerNames) {
    const near = workspace === undefined || name.includes(':') ? [] : [{ workspace, name }];
    if (!(await hasAnyLayer(catalog, [...near, { name }], viewer))) {
      missing.push(`'${formatPrintableName(name)}'`);
    }
  }
  if (missing.length === 0) {
    return [];
  }
  // Packages are transferred between servers, and their layers may follow later.
  if (unknown === 'refused' && images === undefined) {
    throw problem('style-layer-unknown', { layers: missing });
  }
  return [`The style refers to layers that do not exist: ${enumerate(missing, missing.length)}.`];
}

async function hasAnyLayer(catalog: CatalogReader, places: readonly LayerLocator[], viewer: Viewer): Promise<boolean> {
  for (const place of places) {
    try {
      await findLayer(catalog, place, viewer);
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
    }
  }
  return false;
}
