/** Draws maps: paints the layers one after the other, within a budget. */
import { problem } from '../lib/problems/problem.ts';
import { useUploadedFonts } from '../styling/legend/canvas/use-fonts.ts';
import { STROKE_GROWTH_PIXELS } from '../styling/legend/values/lengths.ts';
import { runWithDeadline, startPausableTimer } from '../workers/pausable-timer.ts';
import { type LayerSurface, type OpenSurface, runOnSurface, type SurfaceSettings } from './layers/map-surface.ts';
import { paintInOrder } from './layers/paint-in-order.ts';
import { type PaintingRun, planPaintingRuns, splitRun } from './layers/painting-runs.ts';
import { findStyleBackground } from './layers/style-background.ts';
import { type ExpandedLayer, expandLayers, type RunTransformation } from './layers/transformed-layers.ts';
import { paintVectorLayer } from './layers/vector-layer.ts';
import { MapPainter } from './painting/map-painter.ts';
import { createCoveragePaintings } from './raster/coverage-layer.ts';
import type { Color, DrawnMap, MapBudget, MapRequest, Pixels, PngFile } from './request/map-request.ts';
import { type MapSettings, resolveMapSettings } from './request/map-settings.ts';
import { planStyle, type StylePlan } from './rules/style-plan.ts';

/**
 * Throws a Problem if the map is too large, takes too long or cannot be drawn in its CRS. Paints in this thread by
 * default.
 */
export function drawMap(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  { openSurface = openLocalSurface, transform }: DrawingThreads = {},
): Promise<Pixels> {
  return drawOnSurface(request, budget, signal, { openSurface, transform, finish: (surface) => surface.finish() });
}

/** Like `drawMap`, but returns a PNG file if the map has few colours. */
export function drawMapAsPng(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  { openSurface = openLocalSurface, transform }: DrawingThreads = {},
): Promise<Pixels | PngFile> {
  return drawOnSurface(request, budget, signal, { openSurface, transform, finish: (surface) => surface.finishAsPng() });
}

/** The threads that draw a map; this thread by default. */
export interface DrawingThreads {
  readonly openSurface?: OpenSurface;
  readonly transform?: RunTransformation | undefined;
}

const openLocalSurface: OpenSurface = async (settings) => {
  await useUploadedFonts(settings.fonts);
  return new MapPainter(settings);
};

/** Opens a surface and obtains the finished map from it. */
export interface DrawingTarget<S extends LayerSurface, T extends DrawnMap> {
  readonly openSurface: OpenSurface<S>;
  /** This thread by default. */
  readonly transform?: RunTransformation | undefined;
  readonly finish: (surface: S) => Promise<T>;
}

/** Draws a map on a surface of any kind. */
export async function drawOnSurface<S extends LayerSurface, T extends DrawnMap>(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  target: DrawingTarget<S, T>,
): Promise<T> {
  const resolved = await resolveMapSettings(request);
  const expanded = await expandLayers(request.layers, resolved, {
    transform: target.transform,
    signal: AbortSignal.any([signal, AbortSignal.timeout(budget.milliseconds)]),
  });
  const layers = expanded.map(({ layer }) => layer);
  const settings = { ...resolved, request: { ...request, layers } };
  const plans: (StylePlan | undefined)[] = [];
  for (const layer of layers)
    plans.push(layer.kind === 'vector' ? await planStyle(layer.style, layer.source.description, settings) : undefined);
  const maxGroups = computeGroupLimit(request, plans, budget);
  const tooLate = new AbortController();
  const timer = startPausableTimer(budget.milliseconds, () => tooLate.abort());
  try {
    const ends = { signal, late: tooLate.signal };
    const drawn = await runWithDeadline(timer.deadline, () =>
      paintLayers(settings, plans, target, { ...ends, expanded, maxGroups, remoteStore: findRemoteStore(request) }),
    );
    for (const missing of drawn.missingGlyphs ?? []) request.onMissingGlyphs?.(missing);
    return drawn;
  } catch (error) {
    signal.throwIfAborted();
    if (tooLate.signal.aborted) throw problem('map-too-slow', { seconds: budget.milliseconds / 1_000 });
    throw error;
  } finally {
    // A running timer would keep the map in memory until it expires.
    timer.stop();
  }
}

const BYTES_PER_PIXEL = 4;

/**
 * Returns how many groups of a style can be painted at once. The memory is used for the picture, the coverage buffer,
 * one picture for each further group, and the blending base.
 */
function computeGroupLimit(
  { width, height }: MapRequest,
  plans: readonly (StylePlan | undefined)[],
  { bytes }: MapBudget,
): number {
  const bases = plans.some((plan) => plan?.groups.some(({ isBase }) => isBase)) ? 1 : 0;
  const pictures = Math.floor(bytes / (width * height * BYTES_PER_PIXEL));
  const maxGroups = pictures - bases - 1;
  if (maxGroups < 1) throw problem('map-too-large', { width, height, megabytes: Math.floor(bytes / 1_048_576) });
  return maxGroups;
}

/** The reasons to stop a map: the client has cancelled it, or its time budget is used up. */
interface MapSignals {
  readonly signal: AbortSignal;
  readonly late: AbortSignal;
}

interface MapRun extends MapSignals {
  readonly expanded: readonly ExpandedLayer[];
  readonly maxGroups: number;
  readonly remoteStore: string | undefined;
}

/** A map of several remote servers counts for the first. */
export function findRemoteStore({ layers }: Pick<MapRequest, 'layers'>): string | undefined {
  return layers.find(({ remoteStore }) => remoteStore !== undefined)?.remoteStore;
}

async function paintLayers<S extends LayerSurface, T extends DrawnMap>(
  settings: MapSettings,
  plans: readonly (StylePlan | undefined)[],
  { openSurface, finish }: DrawingTarget<S, T>,
  { signal: unwanted, late, expanded, maxGroups, remoteStore }: MapRun,
): Promise<T> {
  const { onPartial } = settings.request;
  const signal = AbortSignal.any([unwanted, late]);
  // A partial map is finished after its deadline, so only the client can abort it.
  const end = onPartial === undefined ? signal : unwanted;
  const paint = async (surface: S): Promise<T> => {
    try {
      // Transformations need threads too: compute them before the surface occupies one.
      for (const { prepare } of expanded) await prepare(signal);
      await paintRuns(surface, settings, planPaintingRuns(settings.request.layers, plans), { maxGroups, signal });
      return await finish(surface);
    } catch (error) {
      if (onPartial === undefined || !late.aborted || unwanted.aborted) {
        surface.close();
        throw error;
      }
      onPartial();
      return finish(surface);
    }
  };
  const canBePreempted = onPartial === undefined;
  const run = { settings: toSurfaceSettings(settings), signal: end, canBePreempted, remoteStore };
  return runOnSurface(openSurface, run, paint);
}

async function paintRuns(
  surface: LayerSurface,
  settings: MapSettings,
  runs: readonly PaintingRun[],
  { maxGroups, signal }: Pick<MapRun, 'maxGroups' | 'signal'>,
): Promise<void> {
  // Surfaces without intermediate pictures paint each group before the next.
  const count = surface.isDirect ? 1 : maxGroups;
  for (const run of runs.flatMap((each) => splitRun(each, count))) {
    if (run.kind === 'coverage') {
      const paintings = createCoveragePaintings(run.layer, settings, signal);
      for await (const painting of paintings) await surface.paintRaster(painting);
    } else if (run.kind === 'alone') {
      await paintVectorLayer(surface, run, settings, signal);
    } else {
      await paintInOrder(surface, run.parts, settings, signal);
    }
  }
}

const WHITE: Color = { red: 255, green: 255, blue: 255 };

function toSurfaceSettings(map: MapSettings): SurfaceSettings {
  const { request, frame, scaleDenominator, symbolFactor } = map;
  const { clip, palette, fonts, adjacentTiles, decorations, displacesDownwards } = request;
  return {
    frame,
    clip,
    background: request.isTransparent ? undefined : (request.background ?? findStyleBackground(map) ?? WHITE),
    palette,
    antialias: request.antialias ?? 'on',
    hasBinaryOpacity: request.hasBinaryOpacity ?? false,
    scaleDenominator,
    symbolFactor,
    strokeGrowth: request.hasExactStrokes ? 0 : STROKE_GROWTH_PIXELS,
    displacesDownwards,
    fonts,
    adjacentTiles,
    decorations,
  };
}
