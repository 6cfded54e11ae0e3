/** Decides which layers have map tiles and which have vector tiles. */
import { isCascaded } from '../../catalog/kinds/cascaded-layer.ts';
import { isCoverage } from '../access/open-coverage.ts';
import type { MapLayer } from '../access/published-map.ts';
import type { PublishedType } from '../access/published-type.ts';

/** Returns whether the layer has vector tiles; a layer that disables WFS has none. */
export function hasFeatureTiles({ type, resource }: MapLayer): boolean {
  const isRefused = ['Tiles', 'WFS'].some((name) => resource.disabledServices.includes(name));
  return type !== undefined && hasGeometry(type) && !(resource.serviceConfiguration && isRefused);
}

/** Tables without geometries cannot be drawn. */
export function isDrawable({ type, resource }: MapLayer): boolean {
  return type === undefined ? isCoverage(resource) || isCascaded(resource) : hasGeometry(type);
}

/** Maps and tiles of a layer with a hidden geometry are empty. */
function hasGeometry({ geometry, hasHiddenGeometry }: PublishedType): boolean {
  return geometry !== undefined || hasHiddenGeometry;
}
