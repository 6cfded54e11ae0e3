/** Draws maps of published layers and finds the features on them, for all map services. */
import { formatFontsVersion, loadFontsToDraw } from '../../catalog/styles/uploaded-fonts.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { DocumentKind } from '../../rendering/painting/document-painter.ts';
import type { KeyGrid } from '../../rendering/query/key-grid.ts';
import type { RuleCounts } from '../../rendering/query/rule-counts.ts';
import type { FoundFeatures, MapPointQuery } from '../../rendering/request/found-features.ts';
import type { MapBudget, MapRequest, Pixels } from '../../rendering/request/map-request.ts';
import type { MissingGlyphs } from '../../styling/fonts/missing-glyphs.ts';
import type { MapServices } from './map-services.ts';
import { type LayerToDraw, openLayers } from './open-layers.ts';

/** The frame of the map. */
export interface MapToDraw extends Omit<MapRequest, 'layers'> {
  /** From bottom to top. */
  readonly layers: readonly LayerToDraw[];
  /** A shorter time limit than the default; undefined for the default. */
  readonly milliseconds?: number | undefined;
}

/** Time and memory limits of a map; the memory is more than enough for a poster. */
export const MAX_MILLISECONDS = 60_000;
const MAX_BYTES = 256 * 1_048_576;

export function drawPublished(services: MapServices, map: MapToDraw, signal: AbortSignal): Promise<Pixels> {
  return withOpenedLayers(services, map, signal, (request) =>
    services.renderer.draw(request, computeBudget(map), signal),
  );
}

/** Draws a PNG file, which is encoded in the worker that draws the map. */
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
  const { layers, release } = await openLayers(services, map.layers, signal, map.variables);
  try {
    const fonts = await loadFontsToDraw(services.styles, services.catalog);
    const onMissingGlyphs = (missing: MissingGlyphs): void => {
      services.styles.missingGlyphs.add(missing, formatFontsVersion(fonts));
      map.onMissingGlyphs?.(missing);
    };
    return await draw({ ...map, fonts, onMissingGlyphs, layers: layers.map(({ drawn }) => drawn) });
  } finally {
    release();
  }
}

/** Draws a vector document. */
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

/** Finds the topmost feature of each pixel; groups of pixels are the cells of a smaller map. */
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

/** The values of a coverage are returned as a feature without a geometry. */
export interface FoundOnLayer extends Pick<FoundFeatures, 'description' | 'features'> {
  readonly layer: LayerToDraw['layer'];
}

/** A pixel, and the name of the parameter with the layers for errors. */
export interface PublishedPointQuery extends MapPointQuery {
  readonly field: string;
}

/** One result per queryable layer, in order. Throws a Problem if no layer is queryable. */
export async function findPublished(
  services: MapServices,
  map: MapToDraw,
  { field, ...place }: PublishedPointQuery,
  signal: AbortSignal,
): Promise<readonly FoundOnLayer[]> {
  const { layers, release } = await openLayers(services, map.layers, signal, map.variables);
  try {
    const drawnLayers = layers.map(({ drawn }) => drawn);
    const queryable = drawnLayers.filter((each) => each.kind === 'vector' || each.source.isQueryable !== false);
    const [first] = drawnLayers;
    if (first !== undefined && queryable.length === 0) {
      throw problem('wms-layer-not-queryable', { name: first.title, field });
    }
    const request = { ...map, layers: queryable };
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
  // AbortSignal.timeout accepts integers only.
  return { milliseconds: Math.ceil(Math.min(milliseconds, MAX_MILLISECONDS)), bytes: MAX_BYTES };
}
