/** Draws maps of published layers, and finds what is drawn on them, for every service that shows maps. */

import type { FoundFeatures, PlaceOnMap } from '../../rendering/find-drawn.ts';
import type { MapRequest, Pixels } from '../../rendering/map-request.ts';
import type { OpenedType } from '../door/open-type.ts';
import type { MapServices } from './map-services.ts';
import { type LayerToDraw, openLayers } from './open-layers.ts';

/** The map around the layers. */
export interface MapToDraw extends Omit<MapRequest, 'layers'> {
  /** From below to above. */
  readonly layers: readonly LayerToDraw[];
  /** Shorter than maps may take anyway; undefined for that. */
  readonly milliseconds?: number | undefined;
}

/** How long a map may take, and how many bytes of pixels: more than enough for a poster. */
const MAX_MILLISECONDS = 60_000;
const MAX_BYTES = 256 * 1_048_576;

export async function drawPublished(services: MapServices, map: MapToDraw, signal: AbortSignal): Promise<Pixels> {
  const opened = await openLayers(services, map.layers, signal);
  try {
    // Loaded with the first map.
    const { drawMap } = await import('../../rendering/draw-map.ts');
    return await drawMap({ ...map, layers: opened.layers.map(({ drawn }) => drawn) }, budgetOf(map), signal);
  } finally {
    opened.release();
  }
}

export interface FoundOnLayer extends Omit<FoundFeatures, 'layer'> {
  readonly opened: OpenedType;
  readonly layer: LayerToDraw['layer'];
}

/** For each layer in its order, as long as features are wanted. */
export async function findPublished(
  services: MapServices,
  map: MapToDraw,
  place: PlaceOnMap,
  signal: AbortSignal,
): Promise<readonly FoundOnLayer[]> {
  const { layers, release } = await openLayers(services, map.layers, signal);
  try {
    const { findDrawn } = await import('../../rendering/find-drawn.ts');
    const request = { ...map, layers: layers.map(({ drawn }) => drawn) };
    const found = await findDrawn(request, place, budgetOf(map), signal);
    return found.flatMap(({ description, features }, index): readonly FoundOnLayer[] => {
      const [wanted, layer] = [map.layers[index], layers[index]];
      return wanted === undefined || layer === undefined
        ? []
        : [{ description, features, opened: layer.opened, layer: wanted.layer }];
    });
  } finally {
    release();
  }
}

function budgetOf({ milliseconds = MAX_MILLISECONDS }: MapToDraw) {
  return { milliseconds: Math.min(milliseconds, MAX_MILLISECONDS), bytes: MAX_BYTES };
}
