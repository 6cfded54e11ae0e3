/**
 * Finds the uppermost feature in each cell of a map, so that clients can identify the feature below the pointer
 * without a request.
 */

import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import { LINES, POINTS, SHAPE_FIELDS } from '../../vector/port/packed-features.ts';
import type { Feature, FeatureTypeDescription } from '../../vector/port/port.ts';
import { queryFeatures } from '../../vector/query/query-features.ts';
import type { FeatureShape } from '../../vector/query/shape-features.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { expandLayers, type RunTransformation } from '../layers/transformed-layers.ts';
import { applyTimeout, buildLayerQuery, findPackedColumns, getGeometryCrs } from '../layers/vector-layer.ts';
import { isWithinArea } from '../rasterizer/clip-area.ts';
import { Ink, Picture } from '../rasterizer/picture.ts';
import type { AreaPaint } from '../rasterizer/plain-paint.ts';
import { PlainPainter } from '../rasterizer/plain-painter.ts';
import { ScanlineRasterizer } from '../rasterizer/scanline-rasterizer.ts';
import type { MapBudget, MapRequest, VectorLayer } from '../request/map-request.ts';
import { type MapSettings, resolveMapSettings } from '../request/map-settings.ts';
import { loadStyleFunctions } from '../rules/bind-style.ts';
import { resolveSpatialConditions, startSpatialTests } from '../rules/spatial-conditions.ts';
import { listPlanRules, planStyle } from '../rules/style-plan.ts';
import { computeVisibleBox } from '../shapes/frame.ts';
import { computeFeatureBoxes, listWorldShifts, resolveMapSystem } from '../shapes/map-area.ts';
import { PixelShape } from '../shapes/pixel-shape.ts';
import { forEachMiddle } from '../shapes/shape-middles.ts';
import { createSymbolVisitor, hasMovedSymbols } from './drawn-symbols.ts';
import { placeShapes } from './place-shapes.ts';
import { computeLargestRadius } from './symbol-radius.ts';

export interface KeyedFeature {
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
  transform?: RunTransformation,
): Promise<KeyGrid> {
  const settings = await resolveMapSettings(request);
  const late = AbortSignal.timeout(budget.milliseconds);
  const grid = new GridPainter(request.width, request.height);
  const { clip, onPartial } = request;
  const finish = async (): Promise<KeyGrid> => {
    const found = grid.finish((x, y) => clip === undefined || isWithinArea(clip, settings.frame, x, y));
    return { ...found, features: await shapeFeatures(found.features) };
  };
  try {
    for (const { layer, prepare } of await expandLayers(request.layers, settings, { transform, isQuery: true })) {
      if (layer.kind !== 'vector') continue;
      const ended = AbortSignal.any([signal, late]);
      await prepare(ended);
      await paintLayerKeys(grid, layer, settings, ended);
    }
    return await finish();
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

async function paintLayerKeys(
  grid: GridPainter,
  layer: VectorLayer,
  settings: MapSettings,
  signal: AbortSignal,
): Promise<void> {
  const { frame, system } = settings;
  const { source } = layer;
  const plan = await planStyle(layer.style, source.description, settings);
  const [drawn] = plan.geometries;
  if (drawn === undefined || plan.groups.length === 0) return;
  const size = 2 * computeLargestRadius(plan, settings);
  const seen = computeVisibleBox(frame, hasMovedSymbols(plan) ? size + plan.reachPixels : size);
  const shifts = listWorldShifts(system, seen);
  const crs = getGeometryCrs(source.description, drawn);
  const boxes = await computeFeatureBoxes(system, seen, shifts, crs);
  if (boxes.length === 0) return;
  const { world } = await resolveMapSystem(crs);
  const { attributes: _, ...query } = buildLayerQuery(layer, plan, boxes, world);
  const answer = await queryFeatures(source, { ...query, crs: system.reference }, signal);
  const columns = { ...findPackedColumns(source.description, plan), hasIds: plan.hasIds };
  const conditions = await resolveSpatialConditions(listPlanRules(plan), source, signal);
  const inPlace = await startSpatialTests(conditions, source, signal);
  await loadStyleFunctions(listPlanRules(plan));
  const placement = await placeShapes(plan, settings, shifts, crs);
  const shape = new PixelShape();
  const visitSymbols = createSymbolVisitor(plan, inPlace.tests, { settings, placement }, shape);
  const output = answer.unshaped.shape;
  // Symbols are computed in the CRS of the data, as they are drawn.
  for await (const features of applyTimeout(source, answer.unshaped.batches)) {
    for (let start = 0; start < features.length; start += FEATURES_AT_ONCE) {
      const some = features.slice(start, start + FEATURES_AT_ONCE);
      await inPlace.load(some);
      const batch = packFeatures(some, columns);
      const count = batch.shapes.length / SHAPE_FIELDS;
      for (let first = 0, last = 0; first < count; first = last) {
        const others = yieldIfDue();
        if (others !== undefined) await others;
        signal.throwIfAborted();
        const index = batch.shapes[first * SHAPE_FIELDS] ?? 0;
        for (last = first + 1; last < count && batch.shapes[last * SHAPE_FIELDS] === index; ) last += 1;
        const feature = some[index];
        if (feature === undefined) continue;
        visitSymbols(batch, index, { first, last }, (radius) => {
          if (shape.isNear(frame, 2 * radius)) grid.paint(shape, 2 * radius, { feature, output });
          return false;
        });
      }
    }
  }
}

/** A feature as it was read. */
interface UnshapedFeature {
  readonly feature: Feature;
  /** Selects and reprojects what is returned of it. */
  readonly output: FeatureShape;
}

/** Each layer is shaped at once. */
async function shapeFeatures(unshaped: readonly UnshapedFeature[]): Promise<readonly KeyedFeature[]> {
  const shaped = new Map<Feature, KeyedFeature>();
  for (const [output, entries] of Map.groupBy(unshaped, (each) => each.output)) {
    const features = await output.apply(entries.map(({ feature }) => feature));
    for (const [index, feature] of features.entries()) {
      const source = entries[index]?.feature;
      if (source !== undefined) shaped.set(source, { feature, description: output.description });
    }
  }
  return unshaped.flatMap(({ feature }) => shaped.get(feature) ?? []);
}

/** A shape owns a cell if it covers half of it. */
const HALF = 128;

/** The number of features that are retained beyond one for each cell. */
const MAX_KEPT_FEATURES = 10_000;

/** Fills shapes independent of their style: the inside of an outline counts too. */
class GridPainter {
  readonly #picture: Picture;
  readonly #painter: PlainPainter;
  readonly #cells: Int32Array;
  #features: UnshapedFeature[] = [];

  constructor(columns: number, rows: number) {
    this.#picture = new Picture(columns, rows);
    this.#painter = new PlainPainter(this.#picture, new ScanlineRasterizer(columns, rows));
    this.#cells = new Int32Array(columns * rows).fill(-1);
  }

  paint(shape: PixelShape, diameter: number, keyed: UnshapedFeature): void {
    const last = this.#features.at(-1);
    if (last?.feature !== keyed.feature) {
      if (this.#features.length > this.#cells.length + MAX_KEPT_FEATURES) this.#deleteHiddenFeatures();
      this.#features.push(keyed);
    }
    const key = this.#features.length - 1;
    const width = Math.max(1, diameter);
    if (shape.kind === POINTS) {
      forEachMiddle(shape, (x, y) => this.#mark(x - width / 2, y - width / 2, x + width / 2, y + width / 2, key));
      return;
    }
    this.#painter.paintArea(shape, shape.kind === LINES ? createRoundLinePaint(width) : area);
    this.#writeKeys(shape, width, key);
    // A shape smaller than a cell owns the cell of its centre.
    forEachMiddle(shape, (x, y) => this.#mark(x, y, x, y, key));
  }

  /** Returns the cells whose centre is shown. */
  finish(
    isShown: (x: number, y: number) => boolean,
  ): Omit<KeyGrid, 'features'> & { readonly features: readonly UnshapedFeature[] } {
    const { width: columns, height: rows } = this.#picture;
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

  #mark(minX: number, minY: number, maxX: number, maxY: number, key: number): void {
    const { width, height } = this.#picture;
    for (let row = Math.max(0, Math.floor(minY)); row <= Math.min(height - 1, Math.floor(maxY)); row += 1) {
      const first = row * width + Math.max(0, Math.floor(minX));
      const end = row * width + Math.min(width - 1, Math.floor(maxX)) + 1;
      if (end > first) this.#cells.fill(key, first, end);
    }
  }

  /** Writes the key into the painted cells and clears the picture. */
  #writeKeys(shape: PixelShape, margin: number, key: number): void {
    const { width, height, bytes, pixels } = this.#picture;
    const { minY, maxY } = measureVerticalExtent(shape);
    const last = Math.min(height - 1, Math.ceil(maxY + margin));
    for (let row = Math.max(0, Math.floor(minY - margin)); row <= last; row += 1) {
      for (let cell = row * width; cell < (row + 1) * width; cell += 1) {
        if ((bytes[cell * 4 + 3] ?? 0) >= HALF) this.#cells[cell] = key;
        pixels[cell] = 0;
      }
    }
  }
}

const ink = new Ink(1, 1, 1, 1);
const area: AreaPaint = { fill: ink, line: undefined, offset: 0, shiftX: 0, shiftY: 0 };

function createRoundLinePaint(width: number): AreaPaint {
  const line = { ink, pen: { width, join: 'round', cap: 'round' }, dashes: [], dashOffset: 0 } as const;
  return { ...area, fill: undefined, line };
}

function measureVerticalExtent({ places, ends, rings }: PixelShape): { readonly minY: number; readonly maxY: number } {
  let [minY, maxY] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 1; at < (ends[rings - 1] ?? 0) * 2; at += 2) {
    minY = Math.min(minY, places[at] ?? 0);
    maxY = Math.max(maxY, places[at] ?? 0);
  }
  return { minY, maxY };
}
