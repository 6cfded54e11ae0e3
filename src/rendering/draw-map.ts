/** Draws maps: has the layers painted one after the other, within a budget. */
import { problem } from '../lib/problem.ts';
import { MapPainter } from './map-painter.ts';
import type { Color, MapBudget, MapRequest, Pixels, PngFile } from './map-request.ts';
import { type MapSettings, settingsOf } from './map-settings.ts';
import type { LayerSurface, OpenSurface, SurfaceSettings } from './map-surface.ts';
import { coveragePictures } from './raster/coverage-layer.ts';
import { planStyle, type StylePlan } from './style-plan.ts';
import { paintVectorLayer } from './vector-layer.ts';

/** A Problem where it is too large, takes too long, or cannot be drawn in that system. Painted here, unless said otherwise. */
export function drawMap(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  openSurface: OpenSurface = paintHere,
): Promise<Pixels> {
  return drawOn(request, budget, signal, openSurface, (surface) => surface.finish());
}

/** The same as a file, where it has few colours. */
export function drawMapAsPng(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  openSurface: OpenSurface = paintHere,
): Promise<Pixels | PngFile> {
  return drawOn(request, budget, signal, openSurface, (surface) => surface.finishAsPng());
}

const paintHere: OpenSurface = async (settings) => new MapPainter(settings);

/** The same on a surface of any kind. */
export async function drawOn<S extends LayerSurface, T>(
  request: MapRequest,
  budget: MapBudget,
  signal: AbortSignal,
  openSurface: OpenSurface<S>,
  finish: (surface: S) => Promise<T>,
): Promise<T> {
  const settings = await settingsOf(request);
  const plans = request.layers.map((layer) =>
    layer.kind === 'vector' ? planStyle(layer.style, layer.source.description, settings) : undefined,
  );
  checkSize(request, plans, budget);
  const late = AbortSignal.timeout(budget.milliseconds);
  try {
    return await paintLayers(settings, plans, openSurface, AbortSignal.any([signal, late]), finish);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw problem('map-too-slow', { seconds: budget.milliseconds / 1_000 });
    throw error;
  }
}

const BYTES_PER_PIXEL = 4;

/** The picture, how much of each pixel is covered, and each group of a style that is painted above another. */
function checkSize(
  { width, height }: MapRequest,
  plans: readonly (StylePlan | undefined)[],
  { bytes }: MapBudget,
): void {
  const groups = Math.max(1, ...plans.map((plan) => plan?.groups.length ?? 1));
  const needed = width * height * BYTES_PER_PIXEL * (groups + 1);
  if (needed > bytes) throw problem('map-too-large', { width, height, megabytes: Math.floor(bytes / 1_048_576) });
}

async function paintLayers<S extends LayerSurface, T>(
  settings: MapSettings,
  plans: readonly (StylePlan | undefined)[],
  openSurface: OpenSurface<S>,
  signal: AbortSignal,
  finish: (surface: S) => Promise<T>,
): Promise<T> {
  const surface = await openSurface(surfaceSettings(settings), signal);
  try {
    for (const [index, layer] of settings.request.layers.entries()) {
      const plan = plans[index];
      if (layer.kind === 'coverage') {
        for await (const picture of coveragePictures(layer, settings, signal)) await surface.lay(picture);
      } else if (plan !== undefined && plan.groups.length > 0) {
        await paintVectorLayer(surface, layer, plan, settings, signal);
      }
    }
    return await finish(surface);
  } catch (error) {
    surface.close();
    throw error;
  }
}

const WHITE: Color = { red: 255, green: 255, blue: 255 };

function surfaceSettings({ request, frame, scaleDenominator, symbolFactor }: MapSettings): SurfaceSettings {
  const background = request.isTransparent ? undefined : (request.background ?? WHITE);
  return { frame, background, clip: request.clip, scaleDenominator, symbolFactor };
}
