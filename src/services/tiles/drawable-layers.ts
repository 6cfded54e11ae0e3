/** Which layers are drawn, and which give their features to whoever may look at them. */
import { isCascaded } from '../access/open-cascade.ts';
import { isCoverage } from '../access/open-coverage.ts';
import type { MapLayer } from '../access/published-map.ts';

/** Whether its features are given in tiles: layers that have no WFS have none here either. */
export function hasFeatureTiles({ type, resource }: MapLayer): boolean {
  const isRefused = ['Tiles', 'WFS'].some((name) => resource.disabledServices.includes(name));
  return type?.geometry !== undefined && !(resource.serviceConfiguration && isRefused);
}

/** Tables without a place are on no map. */
export function isDrawable({ type, resource }: MapLayer): boolean {
  return type === undefined ? isCoverage(resource) || isCascaded(resource) : type.geometry !== undefined;
}
