/** Finds the features that are painted at a point of a map, by the rules that are in scale. */

import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature } from '../../vector/port/port.ts';
import { queryFeatures } from '../../vector/query/query-features.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { expandLayers } from '../layers/transformed-layers.ts';
import { applyTimeout, buildLayerQuery, findPackedColumns, getGeometryCrs } from '../layers/vector-layer.ts';
import { findInCoverage } from '../raster/find-in-coverage.ts';
import { isWithinArea } from '../rasterizer/clip-area.ts';
import type { FoundFeatures, MapPointQuery } from '../request/found-features.ts';
import type { MapBudget, MapRequest, VectorLayer } from '../request/map-request.ts';
import { getMapScale, type MapSettings, resolveMapSettings } from '../request/map-settings.ts';
import { resolveSpatialConditions } from '../rules/spatial-conditions.ts';
import { listPlanRules, planStyle } from '../rules/style-plan.ts';
import { computeVisibleBox, type Frame } from '../shapes/frame.ts';
import { computeFeatureBoxes, listWorldShifts, resolveMapSystem } from '../shapes/map-area.ts';
import { type QueryThreads, type SearchOptions, startBatchSearch } from './batch-search.ts';
import { hasMovedSymbols } from './drawn-symbols.ts';
import { MIN_RADIUS_PIXELS, pointSearch } from './point-search.ts';
import { computeLargestRadius } from './symbol-radius.ts';

export interface QueryBudget extends Pick<MapBudget, 'milliseconds'>, QueryThreads {}

/** Returns one result for each layer, and for each transformation of its style, in order. */
export async function findDrawnFeatures(
  request: MapRequest,
  place: MapPointQuery,
  budget: QueryBudget,
  signal: AbortSignal,
): Promise<readonly FoundFeatures[]> {
  const settings = await resolveMapSettings(request);
  const { transform, search: runInThread } = budget;
  const late = AbortSignal.timeout(budget.milliseconds);
  const found: FoundFeatures[] = [];
  const { clip } = request;
  const isShown = clip === undefined || isWithinArea(clip, settings.frame, place.x, place.y);
  try {
    const expanded = isShown
      ? await expandLayers(request.layers, settings, { transform, isQuery: true, signal: late })
      : [];
    for (const { layer, original, prepare } of expanded) {
      const ended = AbortSignal.any([signal, late]);
      await prepare(ended);
      const inLayer =
        layer.kind === 'coverage'
          ? await findInCoverage(layer, settings, place, ended)
          : await findInLayer(layer, settings, place, { signal: ended, runInThread });
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
  point: MapPointQuery,
  { signal, runInThread }: SearchOptions,
): Promise<FoundFeatures> {
  const { frame, system } = settings;
  const { x, y, radiusPixels } = point;
  const { source } = layer;
  const plan = await planStyle(layer.style, source.description, settings);
  const nothing = { layer, description: source.description, features: [] };
  const [drawn] = plan.geometries;
  if (drawn === undefined || plan.groups.length === 0) return nothing;
  const size = radiusPixels ?? Math.max(MIN_RADIUS_PIXELS, await computeLargestRadius(plan, settings));
  await yieldIfDue();
  const around = cropFrame(frame, x, y, hasMovedSymbols(plan) ? size + plan.reachPixels : size);
  const seen = computeVisibleBox(around, 0);
  const shifts = listWorldShifts(system, seen);
  const crs = getGeometryCrs(source.description, drawn);
  const boxes = await computeFeatureBoxes(system, seen, shifts, crs);
  if (boxes.length === 0) return nothing;
  const { world } = await resolveMapSystem(crs);
  const { limit: _, attributes: __, ...query } = buildLayerQuery(layer, plan, boxes, world);
  const answer = await queryFeatures(source, { ...query, crs: system.reference }, signal);
  const search = startBatchSearch(
    pointSearch,
    {
      plan,
      spatialConditions: await resolveSpatialConditions(listPlanRules(plan), source, signal),
      placement: { frame, system, shifts, crs },
      scale: getMapScale(settings),
      point,
    },
    { signal, runInThread },
  );
  const columns = { ...findPackedColumns(source.description, plan), hasIds: plan.hasIds };
  const features: Feature[] = [];
  // Symbols are tested in the CRS of the data, as they are drawn. Only the features that are found are reprojected.
  for await (const batch of applyTimeout(source, answer.unshaped.batches)) {
    signal.throwIfAborted();
    for (const index of await search(packFeatures(batch, columns))) {
      const feature = batch[index];
      if (feature !== undefined && features.length < point.count) features.push(feature);
    }
    if (features.length >= point.count) break;
  }
  return { layer, description: answer.description, features: await answer.unshaped.shape.apply(features) };
}

/** Returns the part of a map around a point, as a frame of its own. */
function cropFrame(frame: Frame, x: number, y: number, radius: number): Frame {
  const [left, top] = [x - radius, y - radius];
  const size = Math.max(1, radius * 2);
  return { ...frame, width: size, height: size, x0: frame.x0 - left, y0: frame.y0 - top };
}
