/** Draws maps as SVG or PDF: as vector shapes where possible, otherwise as a document that embeds one picture. */

import { drawMap, drawOnSurface } from './draw-map.ts';
import { type OpenSurface, runOnSurface } from './layers/map-surface.ts';
import type { RunTransformation } from './layers/transformed-layers.ts';
import type { DocumentSurface } from './painting/document-painter.ts';
import { readBlend } from './rasterizer/blend.ts';
import type { MapBudget, MapRequest } from './request/map-request.ts';
import { resolveMapSettings } from './request/map-settings.ts';
import { readComposite } from './rules/split-by-composite.ts';
import { findOptionText } from './rules/style-plan.ts';

export interface DocumentSurfaces {
  readonly document: OpenSurface<DocumentSurface>;
  readonly pixels: OpenSurface;
  readonly transform?: RunTransformation | undefined;
}

/** Vector shapes have their written widths: the extra width makes up for pixels. */
export async function drawDocument(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  open: DocumentSurfaces,
): Promise<Uint8Array> {
  const drawn = isMixed(request)
    ? undefined
    : await drawOnSurface({ ...request, hasExactStrokes: true }, budget, signal, {
        openSurface: open.document,
        transform: open.transform,
        finish: (surface) => surface.finish(),
      });
  return drawn?.content ?? drawPictureDocument(request, budget, signal, open);
}

/** Returns whether a style blends layers or the map is clipped. Both need pixels and have no vector equivalent. */
function isMixed({ layers, clip }: MapRequest): boolean {
  if (clip !== undefined) return true;
  return layers.some(({ style }) =>
    style.featureTypeStyles.some(
      ({ vendorOptions, rules }) =>
        readBlend(findOptionText(vendorOptions, 'composite') ?? '') !== undefined ||
        rules.some(({ symbolizers }) => symbolizers.some((each) => readComposite(each) !== '')),
    ),
  );
}

async function drawPictureDocument(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  open: DocumentSurfaces,
): Promise<Uint8Array> {
  const { bytes } = await drawMap(request, budget, signal, { openSurface: open.pixels, transform: open.transform });
  const { frame, scaleDenominator, symbolFactor } = await resolveMapSettings(request);
  const settings = {
    frame,
    background: undefined,
    clip: undefined,
    palette: undefined,
    hasBinaryOpacity: false,
    antialias: 'on' as const,
    scaleDenominator,
    symbolFactor,
    strokeGrowth: 0,
  };
  const run = { settings, signal, canBePreempted: true, remoteStore: undefined };
  const { content } = await runOnSurface(open.document, run, async (surface) => {
    // `overlay` transfers the buffer, and a preempted map runs this again: pass a copy.
    await surface.overlay(bytes.slice());
    return surface.finish();
  });
  if (content === undefined) throw new Error('A document with a single picture exceeds the size limit.');
  return content;
}
