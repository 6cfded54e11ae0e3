/** Draws maps: asks the sources of layers for what may be seen, and has it painted. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../data/crs/bounds.ts';
import type { CrsReference } from '../data/crs/crs-reference.ts';
import { joined } from '../data/filter/resolve/filter.ts';
import type { ResolvedFilter } from '../data/filter/resolved-filter.ts';
import type { Feature, FeatureTypeDescription } from '../data/vector/port.ts';
import { boxFilter } from '../data/vector/query/box-filter.ts';
import type { FeatureQuery } from '../data/vector/query/feature-query.ts';
import { queryFeatures } from '../data/vector/query/query-features.ts';
import { problem } from '../lib/problem.ts';
import { type PackedPlaces, packFeatures } from './feature-batch.ts';
import { featureBoxes, shiftsOf } from './map-area.ts';
import { MapPainter } from './map-painter.ts';
import type { Color, MapBudget, MapRequest, Pixels, VectorLayer } from './map-request.ts';
import { type MapSettings, settingsOf } from './map-settings.ts';
import { Ink } from './picture.ts';
import { createProjector } from './projector.ts';
import { coveragePictures } from './raster/coverage-layer.ts';
import { planStyle, type StylePlan } from './style-plan.ts';

/** A Problem where it is too large, takes too long, or cannot be drawn in that system. */
export async function drawMap(request: MapRequest, budget: MapBudget, signal: AbortSignal): Promise<Pixels> {
  const settings = await settingsOf(request);
  const plans = request.layers.map((layer) =>
    layer.kind === 'vector' ? planStyle(layer.style, layer.source.description, settings) : nothingOfFeatures,
  );
  checkSize(request, plans, budget);
  const late = AbortSignal.timeout(budget.milliseconds);
  const ended = AbortSignal.any([signal, late]);
  try {
    return await paintLayers(settings, plans, ended);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw problem('map-too-slow', { seconds: budget.milliseconds / 1_000 });
    throw error;
  }
}

/** Of a coverage. */
const nothingOfFeatures: StylePlan = { groups: [], values: [], geometries: [], hasIds: false, reachPixels: 0 };

const BYTES_PER_PIXEL = 4;

/** The picture, how much of each pixel is covered, and each group of a style that is painted above another. */
function checkSize({ width, height }: MapRequest, plans: readonly StylePlan[], { bytes }: MapBudget): void {
  const groups = Math.max(1, ...plans.map((plan) => plan.groups.length));
  const needed = width * height * BYTES_PER_PIXEL * (groups + 1);
  if (needed > bytes) throw problem('map-too-large', { width, height, megabytes: Math.floor(bytes / 1_048_576) });
}

async function paintLayers(settings: MapSettings, plans: readonly StylePlan[], signal: AbortSignal): Promise<Pixels> {
  const { request, frame, lengthsFor } = settings;
  const painter = new MapPainter(frame, request.isTransparent ? undefined : inkOf(request.background), lengthsFor);
  for (const [index, layer] of request.layers.entries()) {
    const plan = plans[index];
    if (layer.kind === 'coverage') {
      for await (const picture of coveragePictures(layer, settings, signal)) painter.lay(picture);
    } else if (plan !== undefined && plan.groups.length > 0) {
      await paintLayer(painter, layer, plan, settings, signal);
    }
  }
  return painter.finish();
}

function inkOf({ red, green, blue }: Color = { red: 255, green: 255, blue: 255 }): Ink {
  return new Ink(red / 255, green / 255, blue / 255, 1);
}

async function paintLayer(
  painter: MapPainter,
  layer: VectorLayer,
  plan: StylePlan,
  { request, frame, system }: MapSettings,
  signal: AbortSignal,
): Promise<void> {
  const { source } = layer;
  const [drawn] = plan.geometries;
  if (drawn === undefined) return;
  const crs = systemOf(source.description, drawn);
  const shifts = shiftsOf(system, frame);
  const margin = request.bufferPixels ?? plan.reachPixels;
  const boxes = await featureBoxes(system, frame, margin, shifts, crs);
  if (boxes.length === 0) return;
  const project = await createProjector(crs, system.reference);
  const layerPainter = painter.startLayer({ ...plan, project, shifts });
  const answer = await queryFeatures(source, queryFor(layer, plan, boxes), signal);
  const places = placesIn(answer.description, plan);
  for await (const batch of featuresOf(source, answer.batches)) {
    signal.throwIfAborted();
    layerPainter.paint(packFeatures(batch, places));
    await othersFirst();
  }
  layerPainter.finish();
}

export function featuresOf(
  { inTime }: VectorLayer['source'],
  batches: AsyncIterable<readonly Feature[]>,
): AsyncIterable<readonly Feature[]> {
  return inTime === undefined ? batches : inTime(batches);
}

export function systemOf({ attributes }: FeatureTypeDescription, name: string): CrsReference {
  const found = attributes.find((each) => each.name === name);
  return found?.kind === 'geometry' ? found.crs : {};
}

export function queryFor(layer: VectorLayer, plan: StylePlan, boxes: readonly Bounds[]): FeatureQuery {
  const { description } = layer.source;
  const filters = [layer.filter, conditionOf(description, boxes)].filter((each) => each !== undefined);
  const [filter] = filters.length > 1 ? [joined('and', filters)] : filters;
  return {
    attributes: [...plan.values, ...plan.geometries],
    ...(filter === undefined ? {} : { filter }),
    ...(layer.sort === undefined ? {} : { sort: layer.sort }),
    ...(layer.limit === undefined ? {} : { limit: layer.limit }),
  };
}

/** Undefined where all there is lies within: to look at each feature would be for nothing. */
function conditionOf(
  { defaultGeometry, bounds }: FeatureTypeDescription,
  boxes: readonly Bounds[],
): ResolvedFilter | undefined {
  if (defaultGeometry === undefined) return undefined;
  if (bounds !== undefined && boxes.some((box) => holds(box, bounds))) return undefined;
  const [first, ...others] = boxes.map((box) => boxFilter(defaultGeometry, box));
  return first === undefined || others.length === 0 ? first : joined('or', [first, ...others]);
}

function holds(outer: Bounds, inner: Bounds): boolean {
  return outer.minX <= inner.minX && outer.minY <= inner.minY && outer.maxX >= inner.maxX && outer.maxY >= inner.maxY;
}

export function placesIn({ attributes }: FeatureTypeDescription, plan: StylePlan): PackedPlaces {
  const placeOf = (name: string): number => attributes.findIndex((each) => each.name === name);
  return {
    geometries: plan.geometries.map(placeOf),
    values: plan.values.map(placeOf),
    hasIds: plan.hasIds,
  };
}
