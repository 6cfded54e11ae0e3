/** Reads the data of a layer that a transformation needs: features around the map, or the cells of a coverage. */
import type { Bounds } from '../../crs/bounds.ts';
import { createUprightTransform } from '../../raster/port/grid.ts';
import type { Grid } from '../../raster/port/port.ts';
import type { WarpRequest } from '../../raster/warp/read-warped.ts';
import type { FeatureBatch } from '../../vector/port/packed-features.ts';
import type { CoverageLayer, MapLayer, VectorLayer } from '../request/map-request.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { computeVisibleBox } from '../shapes/frame.ts';
import { computeFeatureBoxes, resolveMapSystem } from '../shapes/map-area.ts';
import { type Reach, rejectTransformation } from '../transformations/model/transformation.ts';
import {
  type CoverageData,
  describePackedValues,
  type FeatureData,
  findGeometryAttribute,
  listValueNames,
  type TransformedData,
  type TransformedMap,
} from '../transformations/model/transformed-data.ts';
import type { TransformationPlan } from '../transformations/plan-transformation.ts';
import { buildLayerQuery, readPackedBatches } from './vector-layer.ts';

/** The memory of the input of one transformation: six million points, or a map of 4,000 by 4,000 in two bands. */
const MAX_INPUT_BYTES = 268_435_456;

export interface InputOptions {
  readonly settings: MapSettings;
  readonly map: TransformedMap;
  /** The attributes of the output that are used. */
  readonly wanted: readonly string[];
  readonly hasIds: boolean;
}

/** Returns undefined if no data is on the map. */
export function readTransformationInput(
  layer: MapLayer,
  plan: TransformationPlan,
  options: InputOptions,
  signal: AbortSignal,
): Promise<TransformedData | undefined> {
  return layer.kind === 'vector'
    ? readFeatures(layer, plan, options, signal)
    : readCoverage(layer, plan, options, signal);
}

async function readFeatures(
  layer: VectorLayer,
  { step, reach, listAttributes }: TransformationPlan,
  { settings: { system, frame }, map, wanted, hasIds }: InputOptions,
  signal: AbortSignal,
): Promise<FeatureData | undefined> {
  const description = describePackedValues(layer.source.description);
  const geometry = findGeometryAttribute(description);
  if (geometry === undefined) return undefined;
  const known = listValueNames(description);
  const columns = [...new Set(listAttributes(wanted))];
  const missing = columns.find((name) => !known.includes(name));
  if (missing !== undefined)
    throw rejectTransformation({ name: step.process }, `attribute '${missing}' does not exist in layer ${layer.title}`);
  const seen = computeVisibleBox(frame, reach.pixels);
  const boxes = await computeFeatureBoxes(system, seen, map.shifts, geometry.crs);
  if (boxes.length === 0) return undefined;
  const plan = { groups: [], values: columns, geometries: [geometry.name], hasIds, sort: undefined, reachPixels: 0 };
  const query = buildLayerQuery(
    layer,
    plan,
    boxes.map((box) => widenBox(box, reach)),
    (await resolveMapSystem(geometry.crs)).world,
  );
  const batches: FeatureBatch[] = [];
  let bytes = 0;
  for await (const batch of await readPackedBatches(layer.source, query, plan, signal)) {
    signal.throwIfAborted();
    batches.push(batch);
    bytes += batch.ordinates.byteLength + batch.shapes.byteLength + batch.count * columns.length * 8;
    if (bytes > MAX_INPUT_BYTES) throw rejectSize(step.process);
  }
  return { kind: 'features', description, columns, batches };
}

function rejectSize(process: string): Error {
  const megabytes = MAX_INPUT_BYTES / 1_048_576;
  return rejectTransformation({ name: process }, `its input exceeds the limit of ${megabytes} MB for one map`);
}

function widenBox({ minX, minY, maxX, maxY }: Bounds, { units }: Reach): Bounds {
  return { minX: minX - units, minY: minY - units, maxX: maxX + units, maxY: maxY + units };
}

async function readCoverage(
  { source, interpolation = 'nearest' }: CoverageLayer,
  plan: TransformationPlan,
  options: InputOptions,
  signal: AbortSignal,
): Promise<CoverageData | undefined> {
  const { grid } = source.description ?? {};
  const cells =
    plan.readsCells && grid !== undefined ? await selectCells(grid, plan.reach, options) : selectPixels(options);
  if (cells === undefined) return undefined;
  const { width, height } = cells.target;
  if (width * height * Math.max(1, source.bands.length) * 8 > MAX_INPUT_BYTES) throw rejectSize(plan.step.process);
  const isNative = cells.crs !== options.map.crs;
  const request = { ...cells, interpolation: isNative ? 'nearest' : interpolation, values: 'scaled' } as const;
  const picture = await source.read(request, signal);
  if (picture === undefined) return undefined;
  return {
    kind: 'coverage',
    width: picture.width,
    height: picture.height,
    bounds: cells.target.bounds,
    crs: cells.crs,
    bands: picture.bands.flatMap(({ samples, mask }, index) => {
      const described = picture.described[index];
      if (described === undefined) return [];
      const { scale: _, offset: __, ...stored } = described;
      const { publishedName } = source.bands[index] ?? {};
      const band = publishedName === undefined ? stored : { ...stored, publishedName };
      const isScaled = samples instanceof Float64Array && described.type !== 'float64';
      return [{ band: isScaled ? { ...band, type: 'float64' as const } : band, samples, mask }];
    }),
  };
}

function selectPixels({ map: { width, height, box, crs } }: InputOptions): Pick<WarpRequest, 'target' | 'crs'> {
  return { target: { width, height, bounds: box }, crs };
}

/** The number of cells of one read, beyond those that a map can show. */
const MAX_CELLS = 4_194_304;

/**
 * Selects the cells of the coverage on the map. On a map of lower resolution, groups of cells are read as one, which
 * start at the origin of the grid so that they do not change when the map is moved.
 */
async function selectCells(
  grid: Grid,
  { pixels, units }: Reach,
  { settings: { system, frame }, map }: InputOptions,
): Promise<Pick<WarpRequest, 'target' | 'crs'> | undefined> {
  const { transform } = grid;
  if (
    transform === undefined ||
    transform.rowX !== 0 ||
    transform.columnY !== 0 ||
    !(transform.columnX > 0) ||
    !(transform.rowY < 0)
  )
    return { target: { width: map.width, height: map.height, bounds: map.box }, crs: map.crs };
  const seen = computeVisibleBox(frame, pixels);
  const boxes = await computeFeatureBoxes(system, seen, map.shifts, grid.crs);
  const [first, ...others] = boxes.map((box) => widenBox(box, { pixels, units }));
  if (first === undefined) return undefined;
  const area = others.reduce(
    (one, other) => ({
      minX: Math.min(one.minX, other.minX),
      minY: Math.min(one.minY, other.minY),
      maxX: Math.max(one.maxX, other.maxX),
      maxY: Math.max(one.maxY, other.maxY),
    }),
    first,
  );
  const { originX, columnX, originY, rowY } = transform;
  // One more cell on each side, because contours end at the centres of cells.
  const limit = (value: number, most: number): number => Math.min(most, Math.max(0, value));
  const left = limit(Math.floor((area.minX - originX) / columnX) - 1, grid.width);
  const right = limit(Math.ceil((area.maxX - originX) / columnX) + 1, grid.width);
  const top = limit(Math.floor((area.maxY - originY) / rowY) - 1, grid.height);
  const bottom = limit(Math.ceil((area.minY - originY) / rowY) + 1, grid.height);
  if (right <= left || bottom <= top) return undefined;
  const shown = Math.min((right - left) / map.width, (bottom - top) / map.height);
  const capped = Math.sqrt(((right - left) * (bottom - top)) / MAX_CELLS);
  const group = Math.max(1, Math.floor(shown), Math.ceil(capped));
  const [firstColumn, firstRow] = [Math.floor(left / group), Math.floor(top / group)];
  const [width, height] = [Math.ceil(right / group) - firstColumn, Math.ceil(bottom / group) - firstRow];
  const bounds = {
    minX: originX + firstColumn * group * columnX,
    maxX: originX + (firstColumn + width) * group * columnX,
    maxY: originY + firstRow * group * rowY,
    minY: originY + (firstRow + height) * group * rowY,
  };
  return {
    target: { width, height, bounds, transform: createUprightTransform({ width, height }, bounds) },
    crs: grid.crs,
  };
}
