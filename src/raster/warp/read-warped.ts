/** Reads a coverage as an image of any box in any CRS. */
import { createConversion } from '../../crs/conversion.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import type { CoverageDescription, RasterSize, RasterSource, RasterWindow, WindowRequest } from '../port/port.ts';
import { findAxisPositions } from './axis-positions.ts';
import { createSampler, type Interpolation, isNearest, type SampledBand } from './interpolate.ts';
import { createEmptyPicture, type MutableBand, type PictureBuffer } from './picture-buffer.ts';
import { chooseReduction, readAligned } from './read-aligned.ts';
import {
  computeSourcePositions,
  createLocator,
  type PicturePart,
  type SourcePositions,
  type TargetPicture,
} from './source-positions.ts';

export interface WarpRequest extends Pick<WindowRequest, 'bands' | 'slice' | 'values'> {
  readonly target: TargetPicture;
  /** The CRS of the target box, with x first. */
  readonly crs: CrsReference;
  readonly interpolation: Interpolation;
  /** The configured CRS of the data; the CRS in the data if absent. */
  readonly dataCrs?: CrsReference;
}

/** The side length of the parts that are computed at a time, in pixels. */
const PART = 256;
/** Smaller parts are not divided any further. */
const SMALLEST_PART = 8;
/** A part is divided if it needs this many times more samples than it has pixels: it crosses a seam of the coverage. */
const TOO_MANY_SAMPLES = 8;

/** Masks mark pixels with data: the coverage has no data elsewhere. */
export async function readWarped(
  source: Pick<RasterSource, 'read'>,
  description: CoverageDescription,
  request: WarpRequest,
  signal: AbortSignal,
): Promise<RasterSize & { readonly bands: readonly MutableBand[] }> {
  const { target } = request;
  const { grid } = description;
  const dataCrs = request.dataCrs ?? grid.crs;
  const conversion = await createConversion(request.crs, dataCrs);
  const isGeographic = (await resolveCrs(dataCrs))?.model?.kind === 'geographic';
  const locate = createLocator(target, grid, conversion, isGeographic);
  const picture = createEmptyPicture(description, target, request);
  const finished = { width: target.width, height: target.height, bands: picture.bands };
  const { slice, values } = request;
  const reading = { ...(slice === undefined ? {} : { slice }), ...(values === undefined ? {} : { values }) };
  const positions = request.interpolation === 'nearest' ? findAxisPositions(target, locate) : undefined;
  if (positions !== undefined) {
    await readAligned(source, description, { picture, positions, request: reading }, signal);
    return finished;
  }
  let reused: SourcePositions | undefined;

  async function readPart(part: PicturePart): Promise<void> {
    signal.throwIfAborted();
    const places = computeSourcePositions(part, locate, reused);
    if (reused === undefined || reused.columns.length < places.columns.length) reused = places;
    const needed = findWindow(places, part, grid);
    if (needed === undefined) return;
    const { window, reduction } = needed;
    const samples = (window.width / reduction.columns) * (window.height / reduction.rows);
    const isLarge = samples > TOO_MANY_SAMPLES * part.width * part.height + PART * PART;
    if (isLarge && part.width > SMALLEST_PART && part.height > SMALLEST_PART) {
      for (const quarter of splitQuarters(part)) await readPart(quarter);
      return;
    }
    const size = {
      width: Math.max(1, Math.ceil(window.width / reduction.columns)),
      height: Math.max(1, Math.ceil(window.height / reduction.rows)),
    };
    const read = await source.read(description.name, { window, size, bands: picture.bandPlaces, ...reading }, signal);
    writeSamples(picture, part, places, { data: { window, read }, interpolation: request.interpolation });
  }

  for (let row = 0; row < target.height; row += PART) {
    for (let column = 0; column < target.width; column += PART) {
      const width = Math.min(PART, target.width - column);
      await readPart({ column, row, width, height: Math.min(PART, target.height - row) });
    }
  }
  return finished;
}

interface NeededWindow {
  readonly window: NonNullable<WindowRequest['window']>;
  /** The number of samples of the coverage per sample that is read. */
  readonly reduction: { readonly columns: number; readonly rows: number };
}

/** The number of samples around a position that interpolation needs. */
const MARGIN = 2;

/** Returns the window of the grid that contains all positions; undefined if none is on it. */
function findWindow(places: SourcePositions, part: PicturePart, grid: RasterSize): NeededWindow | undefined {
  const columns = findRange(places.columns, grid.width);
  const rows = findRange(places.rows, grid.height);
  if (columns === undefined || rows === undefined) return undefined;
  const reduction = { columns: measureStep(places.columns, part), rows: measureStep(places.rows, part) };
  const first = (low: number, step: number) => Math.max(0, Math.floor(low - MARGIN * step));
  const end = (high: number, step: number, length: number) => Math.min(length, Math.ceil(high + MARGIN * step) + 1);
  const column = first(columns[0], reduction.columns);
  const row = first(rows[0], reduction.rows);
  return {
    window: {
      column,
      row,
      width: end(columns[1], reduction.columns, grid.width) - column,
      height: end(rows[1], reduction.rows, grid.height) - row,
    },
    reduction,
  };
}

/** Returns the lowest and the highest position on the grid. */
function findRange(places: Float64Array, length: number): readonly [number, number] | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] ?? Number.NaN;
    if (!(place >= 0 && place < length)) continue;
    if (place < low) low = place;
    if (place > high) high = place;
  }
  return low > high ? undefined : [low, high];
}

/** Returns the median distance between neighbours in a part; 1 if it is close enough for full resolution. */
function measureStep(places: Float64Array, { width, height }: PicturePart): number {
  const across: number[] = [];
  const down: number[] = [];
  for (const row of PROBES.map((share) => Math.floor(share * height))) {
    for (const index of PROBES.map((share) => row * width + Math.floor(share * width))) {
      const here = places[index] ?? Number.NaN;
      across.push(Math.abs((places[index + 1] ?? Number.NaN) - here));
      down.push(Math.abs((places[index + width] ?? Number.NaN) - here));
    }
  }
  return Math.max(chooseReduction(across), chooseReduction(down));
}

/** The positions at which neighbours are compared: some may be on both sides of a seam. */
const PROBES = [0.1, 0.35, 0.6, 0.85];

function splitQuarters({ column, row, width, height }: PicturePart): readonly PicturePart[] {
  const [left, top] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  return [
    { column, row, width: left, height: top },
    { column: column + left, row, width: width - left, height: top },
    { column, row: row + top, width: left, height: height - top },
    { column: column + left, row: row + top, width: width - left, height: height - top },
  ];
}

interface WindowData {
  readonly window: NonNullable<WindowRequest['window']>;
  readonly read: RasterWindow;
}

function writeSamples(
  picture: PictureBuffer,
  part: PicturePart,
  places: SourcePositions,
  { data: { window, read }, interpolation }: { readonly data: WindowData; readonly interpolation: Interpolation },
): void {
  const across = read.width / window.width;
  const down = read.height / window.height;
  let nearest: Int32Array | undefined;
  for (const [index, band] of read.bands.entries()) {
    const target = picture.bands[index];
    if (target === undefined) continue;
    const source = { ...band, width: read.width, height: read.height };
    if (isNearest(interpolation, source.samples)) {
      nearest ??= findNearest(places, window, read);
      copySamples(source, nearest, target, { part, width: picture.width });
      continue;
    }
    const take = createSampler(source, target.samples, interpolation);
    let at = 0;
    for (let row = 0; row < part.height; row += 1) {
      let to = (part.row + row) * picture.width + part.column;
      for (let column = 0; column < part.width; column += 1, at += 1, to += 1) {
        const x = ((places.columns[at] ?? Number.NaN) - window.column) * across;
        const y = ((places.rows[at] ?? Number.NaN) - window.row) * down;
        if (take(x, y, to)) target.mask[to] = 255;
      }
    }
  }
}

/** Returns the index of the nearest sample of each position; -1 outside of the window. */
function findNearest(
  { columns, rows }: SourcePositions,
  window: WindowData['window'],
  { width, height }: RasterSize,
): Int32Array {
  const across = width / window.width;
  const down = height / window.height;
  const indexes = new Int32Array(columns.length).fill(-1);
  for (let at = 0; at < indexes.length; at += 1) {
    const x = ((columns[at] ?? 0) - window.column) * across;
    const y = ((rows[at] ?? 0) - window.row) * down;
    // Also false for NaN.
    if (x >= 0 && y >= 0 && x < width && y < height) indexes[at] = Math.trunc(y) * width + Math.trunc(x);
  }
  return indexes;
}

function copySamples(
  { samples, mask }: SampledBand,
  indexes: Int32Array,
  target: MutableBand,
  { part, width }: { readonly part: PicturePart; readonly width: number },
): void {
  // Both arrays have the type of the band.
  const from = samples as Float64Array;
  const to = target.samples as Float64Array;
  let at = 0;
  for (let row = 0; row < part.height; row += 1) {
    let pixel = (part.row + row) * width + part.column;
    for (let column = 0; column < part.width; column += 1, at += 1, pixel += 1) {
      const index = indexes[at] ?? -1;
      if (index < 0 || (mask !== undefined && mask[index] === 0)) continue;
      to[pixel] = from[index] ?? 0;
      target.mask[pixel] = 255;
    }
  }
}
