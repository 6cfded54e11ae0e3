/** Grids and samples of the coverages that transformations read and compute. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import { createGrid, createUprightTransform } from '../../../raster/port/grid.ts';
import type { CoverageDescription, RasterSource, WindowRequest } from '../../../raster/port/port.ts';
import { createSamples, type Samples } from '../../../raster/port/samples.ts';
import { computeSamplePositions, resolvePositions } from '../../../raster/support/sampling.ts';
import { readWarped, type WarpRequest } from '../../../raster/warp/read-warped.ts';
import type { Process } from '../../../styling/transformations/processes.ts';
import { rejectTransformation } from './transformation.ts';
import type { CoverageBand, CoverageData, TransformedMap } from './transformed-data.ts';

/** The cells of one grid: twice as many as a map of 4,000 by 4,000 pixels. */
const MAX_CELLS = 2 ** 25;

export interface OutputGrid {
  readonly columns: number;
  readonly rows: number;
  readonly bounds: Bounds;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

export interface GridOptions {
  readonly box: Bounds | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly pixelsPerCell?: number;
}

/** Returns the grid that a style requests, by default a cell for each pixel of the map. */
export function createOutputGrid(
  process: Pick<Process, 'name'>,
  options: GridOptions,
  map: TransformedMap,
): OutputGrid {
  const { pixelsPerCell = 1, box = map.box, width = map.width, height = map.height } = options;
  const cellWidth = ((box.maxX - box.minX) / width) * pixelsPerCell;
  const cellHeight = ((box.maxY - box.minY) / height) * pixelsPerCell;
  const [columns, rows] = [Math.ceil(width / pixelsPerCell), Math.ceil(height / pixelsPerCell)];
  checkCells(process, columns, rows);
  const isWhole = pixelsPerCell === 1;
  const { minX, maxX, minY, maxY } = box;
  return {
    columns,
    rows,
    // The last cells can be larger than the rest of the map.
    bounds: isWhole
      ? box
      : {
          minX,
          maxY,
          maxX: Math.max(maxX, minX + columns * cellWidth),
          minY: Math.min(minY, maxY - rows * cellHeight),
        },
    cellWidth,
    cellHeight,
  };
}

export function checkCells(process: Pick<Process, 'name'>, columns: number, rows: number): void {
  if (columns * rows > MAX_CELLS)
    throw rejectTransformation(
      process,
      `a grid of ${columns} by ${rows} cells exceeds the limit of ${MAX_CELLS} cells`,
    );
}

/** Returns whether a cell has data. */
export function createDataTest({ samples, mask }: Pick<CoverageBand, 'samples' | 'mask'>): (cell: number) => boolean {
  return (cell) => mask?.[cell] !== 0 && !Number.isNaN(Number(samples[cell]));
}

/** Returns the band, or throws a Problem that names the parameter. */
export function getBand(process: Pick<Process, 'name'>, { bands }: CoverageData, index: number): CoverageBand {
  const band = bands[index];
  if (band !== undefined) return band;
  throw rejectTransformation(process, `band ${index} does not exist: the coverage has ${bands.length} bands, from 0`);
}

/** Returns the values as numbers, with NaN for cells without data. */
export function readBandNumbers({ samples, mask }: CoverageBand): Float64Array {
  const numbers = new Float64Array(samples.length);
  for (let cell = 0; cell < numbers.length; cell += 1)
    numbers[cell] = mask !== undefined && mask[cell] === 0 ? Number.NaN : Number(samples[cell]);
  return numbers;
}

/** Returns 1 for each cell whose centre is in the polygons, which are in the CRS of the layer. */
export async function createAreaMask(
  area: Geometry,
  { width, height, bounds, crs }: CoverageData,
  map: TransformedMap,
): Promise<Uint8Array> {
  const reprojection = await createReprojection(map.dataCrs, crs);
  const placed = reprojection === undefined ? area : reprojection.reprojectGeometry(area);
  const mask = new Uint8Array(width * height);
  if (placed === null) return mask;
  const cell = { width: (bounds.maxX - bounds.minX) / width, height: (bounds.maxY - bounds.minY) / height };
  fillPolygons(
    placed,
    (x) => (x - bounds.minX) / cell.width,
    (y) => (bounds.maxY - y) / cell.height,
    {
      width,
      height,
      paint: (from, to) => mask.fill(1, from, to),
    },
  );
  return mask;
}

export interface FilledCells {
  readonly width: number;
  readonly height: number;
  /** Called for each range of cells in a row. */
  paint(from: number, to: number): void;
}

/** Finds the cells whose centres are in the polygons, by the even-odd rule. */
export function fillPolygons(
  geometry: Geometry,
  toColumn: (x: number) => number,
  toRow: (y: number) => number,
  { width, height, paint }: FilledCells,
): void {
  for (const member of geometry.members ?? []) fillPolygons(member, toColumn, toRow, { width, height, paint });
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return;
  const { ordinates, ends, dimension } = geometry;
  const size = dimension.length;
  const crossings = new Map<number, number[]>();
  let start = 0;
  for (const end of ends) {
    for (let at = start; at + 1 < end; at += 1) {
      const [x1, y1] = [toColumn(ordinates[at * size] ?? 0), toRow(ordinates[at * size + 1] ?? 0)];
      const [x2, y2] = [toColumn(ordinates[(at + 1) * size] ?? 0), toRow(ordinates[(at + 1) * size + 1] ?? 0)];
      const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
      const last = Math.min(height - 1, Math.ceil(bottom - 0.5) - 1);
      for (let row = Math.max(0, Math.ceil(top - 0.5)); row <= last; row += 1) {
        const x = x1 + ((row + 0.5 - y1) / (y2 - y1)) * (x2 - x1);
        const found = crossings.get(row);
        if (found === undefined) crossings.set(row, [x]);
        else found.push(x);
      }
    }
    start = end;
  }
  for (const [row, xs] of crossings) {
    xs.sort((a, b) => a - b);
    for (let index = 0; index + 1 < xs.length; index += 2) {
      const from = Math.max(0, Math.ceil((xs[index] ?? 0) - 0.5));
      const to = Math.min(width, Math.ceil((xs[index + 1] ?? 0) - 0.5));
      if (to > from) paint(row * width + from, row * width + to);
    }
  }
}

/** Resamples a coverage to a picture in any CRS. */
export async function warpCoverage(data: CoverageData, request: WarpRequest): Promise<CoverageData['bands']> {
  const { width, height, bounds, crs, bands } = data;
  const grid = createGrid({ width, height }, createUprightTransform({ width, height }, bounds), crs);
  const description: CoverageDescription = {
    name: 'transformed',
    grid,
    bands: bands.map(({ band }) => band),
    overviews: [],
    dimensions: [],
    hasMask: true,
  };
  const source: Pick<RasterSource, 'read'> = { read: async (_, window) => readWindow(data, window) };
  const warped = await readWarped(source, description, request, new AbortController().signal);
  const wanted = request.bands ?? bands.map((_, index) => index);
  return wanted.flatMap((place, index) => {
    const [band, read] = [bands[place]?.band, warped.bands[index]];
    return band === undefined || read === undefined ? [] : [{ band, samples: read.samples, mask: read.mask }];
  });
}

function readWindow(data: CoverageData, request: WindowRequest) {
  const { columns, rows } = computeSamplePositions(data, data, resolvePositions(request, data));
  const [width, height] = [columns.length, rows.length];
  const copy = (from: Samples, into: Samples): void => {
    let at = 0;
    for (const row of rows) {
      for (const column of columns) {
        into[at] = from[row * data.width + column] ?? 0;
        at += 1;
      }
    }
  };
  const wanted = request.bands ?? data.bands.map((_, index) => index);
  const bands = wanted.flatMap((place) => {
    const found = data.bands[place];
    if (found === undefined) return [];
    const samples = createSamples(found.band.type, width * height);
    copy(found.samples, samples);
    if (found.mask === undefined) return [{ samples }];
    const mask = new Uint8Array(width * height);
    copy(found.mask, mask);
    return [{ samples, mask }];
  });
  return { width, height, bands };
}
