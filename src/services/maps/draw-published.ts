/** Draws maps of published layers, and finds what is drawn on them, for every service that shows maps. */
import type { DocumentKind } from '../../rendering/painting/document-painter.ts';
import type { KeyGrid } from '../../rendering/query/key-grid.ts';
import type { RuleCounts } from '../../rendering/query/rule-counts.ts';
import type { FoundFeatures, MapPointQuery } from '../../rendering/request/found-features.ts';
import type { MapBudget, MapRequest, Pixels } from '../../rendering/request/map-request.ts';
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

export function drawPublished(services: MapServices, map: MapToDraw, signal: AbortSignal): Promise<Pixels> {
  return withOpenedLayers(services, map, signal, (request) =>
    services.renderer.draw(request, computeBudget(map), signal),
  );
}

/** The same as a PNG file, which is made where the map is painted. */
export function drawPublishedPng(services: MapServices, map: MapToDraw, signal: AbortSignal): Promise<Uint8Array> {
  return withOpenedLayers(services, map, signal, (request) =>
    services.renderer.drawPng(request, computeBudget(map), signal),
  );
}

async function withOpenedLayers<T>(
  services: MapServices,
  map: MapToDraw,
  signal: AbortSignal,
  draw: (request: MapRequest) => Promise<T>,
): Promise<T> {
  const { layers, release } = await openLayers(services, map.layers, signal);
  try {
    return await draw({ ...map, layers: layers.map(({ drawn }) => drawn) });
  } finally {
    release();
  }
}

/** As a document that stays sharp at any size. */
export function drawPublishedDocument(
  services: MapServices,
  map: MapToDraw,
  kind: DocumentKind,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return withOpenedLayers(services, map, signal, (request) =>
    services.renderer.drawDocument(request, kind, computeBudget(map), signal),
  );
}

/** Which of the features is uppermost in each pixel; groups of pixels are cells of a smaller map. */
export function findOnPublished(services: MapServices, map: MapToDraw, signal: AbortSignal): Promise<KeyGrid> {
  return withOpenedLayers(services, map, signal, (request) =>
    services.renderer.findOnGrid(request, computeBudget(map), signal),
  );
}

export function countPublished(services: MapServices, map: MapToDraw, signal: AbortSignal): Promise<RuleCounts> {
  return withOpenedLayers(services, map, signal, (request) =>
    services.renderer.countRules(request, computeBudget(map), signal),
  );
}

/** The values of a coverage are those of a feature without a geometry. */
export interface FoundOnLayer extends Pick<FoundFeatures, 'description' | 'features'> {
  readonly layer: LayerToDraw['layer'];
}

/** For each layer, in their order. */
export async function findPublished(
  services: MapServices,
  map: MapToDraw,
  place: MapPointQuery,
  signal: AbortSignal,
): Promise<readonly FoundOnLayer[]> {
  const { layers, release } = await openLayers(services, map.layers, signal);
  try {
    const request = { ...map, layers: layers.map(({ drawn }) => drawn) };
    const found = await services.renderer.find(request, place, computeBudget(map), signal);
    return found.flatMap(({ layer: drawn, description, features }): readonly FoundOnLayer[] => {
      const wanted = map.layers[layers.findIndex((each) => each.drawn === drawn)];
      return wanted === undefined ? [] : [{ description, features, layer: wanted.layer }];
    });
  } finally {
    release();
  }
}

function computeBudget({ milliseconds = MAX_MILLISECONDS }: MapToDraw): MapBudget {
  // Signals know whole milliseconds only.
  return { milliseconds: Math.ceil(Math.min(milliseconds, MAX_MILLISECONDS)), bytes: MAX_BYTES };
}
