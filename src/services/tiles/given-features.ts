/** Which layers give their features to whoever may look at them. */
import type { MapLayer } from '../door/published-map.ts';

/** Whether its features are given in tiles: layers that have no WFS have none here either. */
export function givesFeatures({ type, resource }: MapLayer): boolean {
  const isRefused = ['Tiles', 'WFS'].some((name) => resource.disabledServices.includes(name));
  return type?.geometry !== undefined && !(resource.serviceConfiguration && isRefused);
}
