/**
 * Finds the uppermost feature in each cell of a map, so that clients can identify the feature below the pointer
 * without a request.
 */

import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature, FeatureTypeDescription } from '../../vector/port/port.ts';
import { queryFeatures } from '../../vector/query/query-features.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { expandLayers } from '../layers/transformed-layers.ts';
import { applyTimeout, buildLayerQuery, findPackedColumns, getGeometryCrs } from '../layers/vector-layer.ts';
import { isWithinArea } from '../rasterizer/clip-area.ts';
import type { MapBudget, MapRequest, VectorLayer } from '../request/map-request.ts';
import { getMapScale, type MapSettings, resolveMapSettings } from '../request/map-settings.ts';
import { resolveSpatialConditions } from '../rules/spatial-conditions.ts';
import { listPlanRules, planStyle } from '../rules/style-plan.ts';
import { computeVisibleBox } from '../shapes/frame.ts';
import { computeFeatureBoxes, listWorldShifts, resolveMapSystem } from '../shapes/map-area.ts';
import { type QueryThreads, type SearchOptions, startBatchSearch } from './batch-search.ts';
import { hasMovedSymbols } from './drawn-symbols.ts';
import { type ChangedRows, gridSearch } from './grid-search.ts';
import { computeLargestRadius } from './symbol-radius.ts';

export interface KeyedFeature {
  /** In the CRS of the data. */
  readonly feature: Feature;
  readonly description: FeatureTypeDescription;
}

export interface KeyGrid {
  readonly columns: number;
  readonly rows: number;
  /** The index of the feature of each cell, row by row from the top; -1 for none. */
  readonly cells: Int32Array;
  readonly features: readonly KeyedFeature[];
}

/** Each pixel of the request is a cell of the grid. Rasters have no features and hide none. */
export async function findOnGrid(
  request: MapRequest,
  budget: Pick<MapBudget, 'milliseconds'>,
  signal: AbortSignal,
  { transform, search: runInThread }: QueryThreads = {},
): Promise<KeyGrid> {
  const settings = await resolveMapSettings(request);
  const late = AbortSignal.timeout(budget.milliseconds);
  const keys = new GridKeys(request.width, request.height);
  const { clip, onPartial } = request;
  const finish = (): KeyGrid => keys.finish((x, y) => clip === undefined || isWithinArea(clip, settings.frame, x, y));
  try {
    for (const { layer, prepare } of await expandLayers(request.layers, settings, {
      transform,
      isQuery: true,
      signal: late,
    })) {
      if (layer.kind !== 'vector') continue;
      const ended = AbortSignal.any([signal, late]);
      await prepare(ended);
      await addLayer(keys, layer, settings, { signal: ended, runInThread });
    }
    return finish();
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted && onPartial !== undefined) {
      onPartial();
      return finish();
    }
    if (late.aborted) throw problem('map-too-slow', { seconds: budget.milliseconds / 1_000 });
    throw error;
  }
}

/** The number of features that are packed together. */
const FEATURES_AT_ONCE = 200;

/** The work for a cell that a feature covers, compared to a position. */
const WORK_PER_CELL = 0.2;

async function addLayer(
  keys: GridKeys,
  layer: VectorLayer,
  settings: MapSettings,
  { signal, runInThread }: SearchOptions,
): Promise<void> {
  const { frame, system } = settings;
  const { source } = layer;
  const plan = await planStyle(layer.style, source.description, settings);
  const [drawn] = plan.geometries;
  if (drawn === undefined || plan.groups.length === 0) return;
  const size = 2 * (await computeLargestRadius(plan, settings));
  await yieldIfDue();
  const seen = computeVisibleBox(frame, hasMovedSymbols(plan) ? size + plan.reachPixels : size);
  const shifts = listWorldShifts(system, seen);
  const crs = getGeometryCrs(source.description, drawn);
  const boxes = await computeFeatureBoxes(system, seen, shifts, crs);
  if (boxes.length === 0) return;
  const { world } = await resolveMapSystem(crs);
  const { attributes: _, ...query } = buildLayerQuery(layer, plan, boxes, world);
  const { description, batches } = await queryFeatures(source, query, signal);
  const columns = { ...findPackedColumns(source.description, plan), hasIds: plan.hasIds };
  const search = startBatchSearch(
    gridSearch,
    {
      plan,
      spatialConditions: await resolveSpatialConditions(listPlanRules(plan), source, signal),
      placement: { frame, system, shifts, crs },
      scale: getMapScale(settings),
    },
    { signal, runInThread, extraWork: frame.width * frame.height * WORK_PER_CELL },
  );
  for await (const features of applyTimeout(source, batches)) {
    for (let start = 0; start < features.length; start += FEATURES_AT_ONCE) {
      signal.throwIfAborted();
      const some = features.slice(start, start + FEATURES_AT_ONCE);
      keys.add(await search(packFeatures(some, columns)), some, description);
    }
  }
}

/** The number of features that are retained beyond one for each cell. */
const MAX_KEPT_FEATURES = 10_000;

/** Collects the uppermost features of a map. */
class GridKeys {
  readonly #columns: number;
  readonly #rows: number;
  readonly #cells: Int32Array;
  #features: KeyedFeature[] = [];

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
    this.#cells = new Int32Array(columns * rows).fill(-1);
  }

  /** Adds features above the earlier ones. */
  add({ firstRow, cells }: ChangedRows, features: readonly Feature[], description: FeatureTypeDescription): void {
    if (this.#features.length > this.#cells.length + MAX_KEPT_FEATURES) this.#deleteHiddenFeatures();
    const keys = new Map<number, number>();
    const start = firstRow * this.#columns;
    for (const [at, index] of cells.entries()) {
      const feature = features[index];
      if (feature === undefined) continue;
      const key = keys.get(index) ?? this.#features.push({ feature, description }) - 1;
      keys.set(index, key);
      this.#cells[start + at] = key;
    }
  }

  /** Returns the cells whose centre is shown. */
  finish(isShown: (x: number, y: number) => boolean): KeyGrid {
    const [columns, rows] = [this.#columns, this.#rows];
    for (const cell of this.#cells.keys()) {
      if (!isShown((cell % columns) + 0.5, Math.floor(cell / columns) + 0.5)) this.#cells[cell] = -1;
    }
    this.#deleteHiddenFeatures();
    return { columns, rows, cells: this.#cells, features: this.#features };
  }

  /** Deletes features that later features cover completely. */
  #deleteHiddenFeatures(): void {
    const keys = new Map<number, number>();
    for (const [cell, key] of this.#cells.entries()) {
      if (key < 0) continue;
      const kept = keys.get(key) ?? keys.size;
      keys.set(key, kept);
      this.#cells[cell] = kept;
    }
    this.#features = [...keys.keys()].flatMap((key) => this.#features[key] ?? []);
  }
}
