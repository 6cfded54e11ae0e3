/** Draws maps as SVG or PDF: shape by shape where that can be done, and else as a document that holds a picture. */

import { drawMap, drawOnSurface } from './draw-map.ts';
import { type OpenSurface, runOnSurface } from './layers/map-surface.ts';
import type { DocumentSurface } from './painting/document-painter.ts';
import { readBlend } from './rasterizer/blend.ts';
import type { MapBudget, MapRequest } from './request/map-request.ts';
import { resolveMapSettings } from './request/map-settings.ts';
import { findOptionText } from './rules/style-plan.ts';

export interface DocumentSurfaces {
  readonly document: OpenSurface<DocumentSurface>;
  readonly pixels: OpenSurface;
}

export async function drawDocument(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  open: DocumentSurfaces,
): Promise<Uint8Array> {
  const drawn = isMixed(request)
    ? undefined
    : await drawOnSurface(request, budget, signal, open.document, (surface) => surface.finish());
  return drawn?.content ?? drawPictureDocument(request, budget, signal, open);
}

/** Whether colours depend on those below them, or something is cut out of the whole, which only pixels can do. */
function isMixed({ layers, clip }: MapRequest): boolean {
  if (clip !== undefined) return true;
  return layers.some(({ style }) =>
    style.featureTypeStyles.some(
      ({ vendorOptions }) => readBlend(findOptionText(vendorOptions, 'composite') ?? '') !== undefined,
    ),
  );
}

async function drawPictureDocument(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  open: DocumentSurfaces,
): Promise<Uint8Array> {
  const { bytes } = await drawMap(request, budget, signal, open.pixels);
  const { frame, scaleDenominator, symbolFactor } = await resolveMapSettings(request);
  const { content } = await runOnSurface(
    open.document,
    { frame, background: undefined, clip: undefined, palette: undefined, scaleDenominator, symbolFactor },
    signal,
    async (surface) => {
      // A copy, since it is given away and may be needed once more.
      await surface.overlay(bytes.slice());
      return surface.finish();
    },
  );
  if (content === undefined) throw new Error('A single picture was too much for a document.');
  return content;
}
