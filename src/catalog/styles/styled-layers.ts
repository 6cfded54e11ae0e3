/** The layers that one style over several of them draws, by name: each of them should be there. */
import { Problem, problem } from '../../lib/problems/problem.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import { findLayer, type LayerLocator, type Viewer } from '../layers/layers.ts';
import type { SentContent } from './sent-content.ts';

export interface StyledLayerOptions {
  readonly viewer: Viewer;
  /** What comes of a style for a layer that is not there. */
  readonly unknown: 'warned about' | 'refused';
}

/** What the client should know; throws where such a style is refused. Layers that nobody may see are not there. */
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
  // A package is meant to be carried from server to server, and its layers may follow.
  if (unknown === 'refused' && images === undefined) {
    throw problem('style-layer-unknown', { layers: missing });
  }
  return [`The style is for several layers, of which these do not exist yet: ${enumerate(missing, missing.length)}.`];
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
