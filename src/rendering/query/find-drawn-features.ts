/** Finds the features that are painted at a point of a map, by the rules that are in scale. */

import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import { SHAPE_FIELDS } from '../../vector/port/packed-features.ts';
import type { Feature } from '../../vector/port/port.ts';
import { queryFeatures } from '../../vector/query/query-features.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { expandLayers, type RunTransformation } from '../layers/transformed-layers.ts';
import { applyTimeout, buildLayerQuery, findPackedColumns, getGeometryCrs } from '../layers/vector-layer.ts';
import { findInCoverage } from '../raster/find-in-coverage.ts';
import { isWithinArea } from '../rasterizer/clip-area.ts';
import type { FoundFeatures, MapPointQuery } from '../request/found-features.ts';
import type { MapBudget, MapRequest, VectorLayer } from '../request/map-request.ts';
import { type MapSettings, resolveMapSettings } from '../request/map-settings.ts';
import { loadStyleFunctions } from '../rules/bind-style.ts';
import { resolveSpatialConditions, startSpatialTests } from '../rules/spatial-conditions.ts';
import { listPlanRules, planStyle } from '../rules/style-plan.ts';
import { computeVisibleBox, type Frame } from '../shapes/frame.ts';
import { computeFeatureBoxes, listWorldShifts, resolveMapSystem } from '../shapes/map-area.ts';
import { PixelShape } from '../shapes/pixel-shape.ts';
import { createWrapping, visitCopies } from '../shapes/wrapping.ts';
import { isWithin } from './shape-distance.ts';
import { computeLargestRadius, createRadiusReader } from './symbol-radius.ts';

const MIN_RADIUS_PIXELS = 3;

export interface QueryBudget extends Pick<MapBudget, 'milliseconds'> {
  /** Computes transformations; this thread by default. */
  readonly transform?: RunTransformation;
}

/** Returns one result for each layer, and for each transformation of its style, in order. */
export async function findDrawnFeatures(
  request: MapRequest,
  place: MapPointQuery,
  budget: QueryBudget,
  signal: AbortSignal,
): Promise<readonly FoundFeatures[]> {
  const settings = await resolveMapSettings(request);
  const { transform } = budget;
  const late = AbortSignal.timeout(budget.milliseconds);
  const found: FoundFeatures[] = [];
  const { clip } = request;
  const isShown = clip === undefined || isWithinArea(clip, settings.frame, place.x, place.y);
  try {
    const expanded = isShown ? await expandLayers(request.layers, settings, { transform, isQuery: true }) : [];
    for (const { layer, original, prepare } of expanded) {
      const ended = AbortSignal.any([signal, late]);
      await prepare(ended);
      const inLayer =
        layer.kind === 'coverage'
          ? await findInCoverage(layer, settings, place, ended)
          : await findInLayer(layer, settings, place, ended);
      found.push({ ...inLayer, layer: original });
    }
    return found;
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw problem('map-too-slow', { seconds: budget.milliseconds / 1_000 });
    throw error;
  }
}

async function findInLayer(
  layer: VectorLayer,
  settings: MapSettings,
  { x, y, count, radiusPixels }: MapPointQuery,
  signal: AbortSignal,
): Promise<FoundFeatures> {
  const { frame, system } = settings;
  const { source } = layer;
  const plan = await planStyle(layer.style, source.description, settings);
  const nothing = { layer, description: source.description, features: [] };
  const [drawn] = plan.geometries;
  if (drawn === undefined || plan.groups.length === 0) return nothing;
  const around = cropFrame(
    frame,
    x,
    y,
    radiusPixels ?? Math.max(MIN_RADIUS_PIXELS, computeLargestRadius(plan, settings)),
  );
  const seen = computeVisibleBox(around, 0);
  const shifts = listWorldShifts(system, seen);
  const wrapping = system.world && createWrapping(system.world, shifts, frame);
  const crs = getGeometryCrs(source.description, drawn);
  const boxes = await computeFeatureBoxes(system, seen, shifts, crs);
  if (boxes.length === 0) return nothing;
  const { world } = await resolveMapSystem(crs);
  const { limit: _, attributes: __, ...query } = buildLayerQuery(layer, plan, boxes, world);
  const answer = await queryFeatures(source, { ...query, crs: system.reference }, signal);
  const places = { ...findPackedColumns(answer.description, plan), hasIds: plan.hasIds };
  const shown = { ...source, description: answer.description };
  const conditions = await resolveSpatialConditions(listPlanRules(plan), shown, signal);
  const inPlace = await startSpatialTests(conditions, shown, signal);
  await loadStyleFunctions(listPlanRules(plan));
  const readRadius = createRadiusReader(plan, inPlace.tests, settings);
  const shape = new PixelShape();
  const features: Feature[] = [];

  for await (const batch of applyTimeout(source, answer.batches)) {
    await inPlace.load(batch);
    const packed = packFeatures(batch, places);
    for (let each = 0; each < packed.shapes.length / SHAPE_FIELDS; each += 1) {
      const others = yieldIfDue();
      if (others !== undefined) await others;
      signal.throwIfAborted();
      const feature = batch[packed.shapes[each * SHAPE_FIELDS] ?? 0];
      if (feature === undefined || features.at(-1) === feature) continue;
      const painted = readRadius(packed, packed.shapes[each * SHAPE_FIELDS] ?? 0);
      if (painted === undefined) continue;
      const radius = radiusPixels ?? Math.max(MIN_RADIUS_PIXELS, painted);
      const isNearPoint = visitCopies(
        shape,
        { shifts, wrapping },
        (shift) => shape.load(packed, each, undefined, frame, shift),
        () => isWithin(shape, x, y, radius),
      );
      if (isNearPoint) features.push(feature);
      if (features.length >= count) return { layer, description: answer.description, features };
    }
  }
  return { layer, description: answer.description, features };
}

/** Returns the part of a map around a point, as a frame of its own. */
function cropFrame(frame: Frame, x: number, y: number, radius: number): Frame {
  const [left, top] = [x - radius, y - radius];
  const size = Math.max(1, radius * 2);
  return { ...frame, width: size, height: size, x0: frame.x0 - left, y0: frame.y0 - top };
}
