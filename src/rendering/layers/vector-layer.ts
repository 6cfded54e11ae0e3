/** Queries the features of a layer that a map may show, and paints them. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { findImageKind } from '../../styling/legend/images/image-kind.ts';
import { listRuleHrefs } from '../../styling/legend/images/pictures.ts';
import type { FeatureBatch } from '../../vector/port/packed-features.ts';
import type { Feature, FeatureTypeDescription, PackedAttributes } from '../../vector/port/port.ts';
import type { FeatureQuery } from '../../vector/query/feature-query.ts';
import { checkSort, queryFeatures } from '../../vector/query/query-features.ts';
import { findDates, type PackedColumns, packFeatures } from '../../vector/support/pack-features.ts';
import type { VectorLayer } from '../request/map-request.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { findGeometryUsesInTurns } from '../rules/bind-style.ts';
import { buildPaintedFilter } from '../rules/painted-filter.ts';
import { resolveSpatialConditions } from '../rules/spatial-conditions.ts';
import { listPlanRules, type StylePlan } from '../rules/style-plan.ts';
import { computeVisibleBox, type Frame } from '../shapes/frame.ts';
import { resolveGeometry } from '../shapes/geometry-functions.ts';
import { computeFeatureBoxes, listWorldShifts, type MapSystem, resolveMapSystem } from '../shapes/map-area.ts';
import { buildBoxFilter } from './box-conditions.ts';
import { listFeatureAddresses } from './feature-addresses.ts';
import type { LayerSurface, PaintedLayer } from './map-surface.ts';
import type { LayerPart } from './painting-runs.ts';

export async function paintVectorLayer(
  surface: LayerSurface,
  part: LayerPart,
  settings: MapSettings,
  signal: AbortSignal,
): Promise<void> {
  const opened = await openVectorLayer(surface, part, settings, signal);
  if (opened === undefined) return;
  await surface.startLayer(opened.painted);
  for await (const batch of await opened.readBatches()) {
    signal.throwIfAborted();
    await surface.paint(batch);
    await yieldToEventLoop();
  }
}

/** A layer with the reader of its features. */
interface OpenedLayer {
  readonly painted: PaintedLayer;
  readBatches(): Promise<AsyncIterable<FeatureBatch>>;
}

/** Returns undefined if no part of the layer can be on the map. */
export async function openVectorLayer(
  surface: LayerSurface,
  { layer, plan }: LayerPart,
  { request, frame, system }: MapSettings,
  signal: AbortSignal,
): Promise<OpenedLayer | undefined> {
  const { source } = layer;
  const [drawn] = plan.geometries;
  if (drawn === undefined) return undefined;
  const from = getGeometryCrs(source.description, drawn);
  const seen = computeVisibleBox(frame, request.bufferPixels ?? plan.reachPixels);
  const shifts = listWorldShifts(system, seen);
  const boxes = await computeFeatureBoxes(system, seen, shifts, from);
  if (boxes.length === 0) return undefined;
  const area = system.area === undefined ? undefined : boxes[0];
  const { world } = await resolveMapSystem(from);
  const worldWidth = world?.width ?? Number.POSITIVE_INFINITY;
  // Each of the following passes visits all parts of the style.
  await yieldIfDue();
  const places = await resolveSpatialConditions(listPlanRules(plan), source, signal);
  const query: ReturnType<typeof buildLayerQuery> = {
    ...buildLayerQuery(layer, plan, boxes, world),
    ...(source.source.hasLevels ? { resolution: computeResolution(boxes, frame) } : {}),
  };
  await yieldIfDue();
  const tolerance = places.size > 0 ? undefined : await computeTolerance(plan, boxes, frame);
  const { geometries, values, hasIds } = plan;
  const attributes = { geometries, values, hasIds, ...(tolerance === undefined ? {} : { tolerance }) };
  const readPackedFor = (packedQuery: typeof query) => readPackedBySource(source, packedQuery, attributes, signal);
  await yieldIfDue();
  const narrowed = limitToPainted(query, plan, source.description);
  await yieldIfDue();
  const readBatches = async (): Promise<AsyncIterable<FeatureBatch>> =>
    (narrowed && (await readPackedFor(narrowed))) ??
    (await readPackedFor(query)) ??
    (await readAndPack(source, query, plan, signal));
  const addresses =
    layer.loadGraphic === undefined ? [] : await listFeatureAddresses(surface, plan, readBatches, signal);
  const graphics = await loadGraphics(layer, plan, addresses, request.onMissingGraphic);
  return {
    painted: {
      plan,
      spatialConditions: places,
      from,
      to: system.reference,
      area,
      world: worldWidth,
      seam: findSeam(system, world),
      shifts,
      mapWorld: system.world,
      graphics,
      addresses,
    },
    readBatches,
  };
}

/** Returns the left edge of a map whose edges do not meet, in the CRS of features with an extent of the Earth. */
export function findSeam({ seamLongitude }: MapSystem, world: MapSystem['world']): number | undefined {
  return world === undefined || seamLongitude === undefined ? undefined : (seamLongitude * world.width) / 360;
}

/**
 * Restricts the query to features that a rule may paint. Returns undefined if that excludes nothing, or if limit and
 * offset apply before the rules.
 */
function limitToPainted(
  query: ReturnType<typeof buildLayerQuery>,
  plan: StylePlan,
  description: FeatureTypeDescription,
): ReturnType<typeof buildLayerQuery> | undefined {
  const isCounted = query.limit !== undefined || query.offset !== undefined;
  const condition = isCounted ? undefined : buildPaintedFilter(plan, description);
  if (condition === undefined) return undefined;
  return {
    ...query,
    filter: query.filter === undefined ? condition : joinResolvedFilters('and', [query.filter, condition]),
  };
}

/** Reads features that the source packs itself; returns undefined if the source does not support that. */
async function readPackedBySource(
  layer: VectorLayer['source'],
  query: ReturnType<typeof buildLayerQuery>,
  attributes: PackedAttributes,
  signal: AbortSignal,
): Promise<AsyncIterable<FeatureBatch> | undefined> {
  const { source, view, description } = layer;
  checkSort(description, query);
  const batches = await source.pack?.(view ?? description.name, query, attributes, signal);
  return batches && applyTimeout(layer, batches);
}

/** Moving a line by this share of a pixel is invisible, even if reprojection enlarges it. */
const UNSEEN_PIXELS = 0.1;

/** Returns the tolerance in units of the features; undefined if a geometry function depends on each vertex. */
async function computeTolerance(plan: StylePlan, boxes: readonly Bounds[], frame: Frame): Promise<number | undefined> {
  for (const rule of listPlanRules(plan)) {
    if ((await findGeometryUsesInTurns(rule)).size > 0) return undefined;
    if (rule.symbolizers.some((each) => resolveGeometry(each)?.change !== undefined)) return undefined;
  }
  return computeResolution(boxes, frame) * UNSEEN_PIXELS;
}

/** Returns the side of a pixel in units of the features. */
function computeResolution(boxes: readonly Bounds[], { width, height }: Frame): number {
  const units = boxes.map(({ minX, minY, maxX, maxY }) => Math.min((maxX - minX) / width, (maxY - minY) / height));
  // Boxes behind the antimeridian show only a part of the width.
  return Math.max(...units);
}

/** Reads the packed features of a query; by the source itself if it supports that. */
export async function readPackedBatches(
  source: VectorLayer['source'],
  query: ReturnType<typeof buildLayerQuery>,
  plan: StylePlan,
  signal: AbortSignal,
): Promise<AsyncIterable<FeatureBatch>> {
  const { geometries, values, hasIds } = plan;
  const packed = await readPackedBySource(source, query, { geometries, values, hasIds }, signal);
  return packed ?? readAndPack(source, query, plan, signal);
}

async function readAndPack(
  source: VectorLayer['source'],
  query: ReturnType<typeof buildLayerQuery>,
  plan: StylePlan,
  signal: AbortSignal,
): Promise<AsyncIterable<FeatureBatch>> {
  const answer = await queryFeatures(source, query, signal);
  return packBatches(mergeBatches(applyTimeout(source, answer.batches)), findPackedColumns(answer.description, plan));
}

async function* packBatches(
  batches: AsyncIterable<readonly Feature[]>,
  places: PackedColumns,
): AsyncGenerator<FeatureBatch> {
  for await (const batch of batches) yield packFeatures(batch, places);
}

/** Loads the pictures of the painted rules; omits those that are unavailable or no pictures. */
async function loadGraphics(
  { loadGraphic }: VectorLayer,
  { groups }: StylePlan,
  addresses: readonly string[],
  onMissing: ((href: string) => void) | undefined,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const graphics = new Map<string, Uint8Array>();
  if (loadGraphic === undefined) return graphics;
  // Load sequentially: a style with a hundred pictures must not open a hundred connections.
  for (const href of [...(await listRuleHrefs(groups.flatMap(({ rules }) => rules))), ...addresses]) {
    const bytes = await loadGraphic(href);
    if (bytes === undefined || findImageKind(bytes) === undefined) onMissing?.(href);
    else graphics.set(href, bytes);
  }
  return graphics;
}

/** Some sources return few features at a time, and each message to a worker has a cost. */
const MIN_BATCH_FEATURES = 4_000;

async function* mergeBatches(batches: AsyncIterable<readonly Feature[]>): AsyncGenerator<readonly Feature[]> {
  let features: Feature[] = [];
  for await (const batch of batches) {
    if (features.length === 0 && batch.length >= MIN_BATCH_FEATURES) {
      yield batch;
      continue;
    }
    for (const feature of batch) features.push(feature);
    if (features.length < MIN_BATCH_FEATURES) continue;
    yield features;
    features = [];
  }
  if (features.length > 0) yield features;
}

export function applyTimeout<B>({ inTime }: VectorLayer['source'], batches: AsyncIterable<B>): AsyncIterable<B> {
  return inTime === undefined ? batches : inTime(batches);
}

export function getGeometryCrs({ attributes }: FeatureTypeDescription, name: string): CrsReference {
  const found = attributes.find((each) => each.name === name);
  return found?.kind === 'geometry' ? found.crs : {};
}

/** The boxes and the extent of the Earth are in the CRS of the features. */
export function buildLayerQuery(
  layer: VectorLayer,
  plan: StylePlan,
  boxes: readonly Bounds[],
  world: MapSystem['world'],
): Pick<FeatureQuery, 'attributes' | 'filter' | 'sort' | 'limit' | 'offset' | 'resolution'> {
  const { description } = layer.source;
  const isOrdered = plan.groups.some(({ zOrder }) => zOrder !== undefined);
  const sort = isOrdered ? plan.sort : (layer.sort ?? plan.sort);
  const filters = [layer.filter, buildBoxFilter(description, boxes, world)].filter((each) => each !== undefined);
  const [filter] = filters.length > 1 ? [joinResolvedFilters('and', filters)] : filters;
  return {
    attributes: [...plan.values, ...plan.geometries],
    ...(filter === undefined ? {} : { filter }),
    ...(sort === undefined ? {} : { sort }),
    ...(layer.limit === undefined ? {} : { limit: layer.limit }),
    ...(layer.offset ? { offset: layer.offset } : {}),
  };
}

export function findPackedColumns({ attributes }: FeatureTypeDescription, plan: StylePlan): PackedColumns {
  const findColumn = (name: string): number => attributes.findIndex((each) => each.name === name);
  return {
    geometries: plan.geometries.map(findColumn),
    values: plan.values.map(findColumn),
    hasIds: plan.hasIds,
    dates: findDates(plan.values, attributes),
  };
}
