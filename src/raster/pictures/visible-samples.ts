/** Hides the samples of a coverage outside of areas before they are interpolated, so that neighbours reveal nothing. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { WrittenArea } from '../../geometry/written-area.ts';
import type {
  BandWindow,
  CoverageDescription,
  Grid,
  GridPositions,
  GridTransform,
  RasterSize,
  RasterSource,
  WindowRequest,
} from '../port/port.ts';
import { chooseLevel, computeSamplePositions, resolvePositions } from '../support/sampling.ts';
import type { WarpRequest } from '../warp/read-warped.ts';
import { createVisibilityTest } from './visible-areas.ts';

type Readable = Pick<RasterSource, 'read'>;

/** Without interpolation and overviews, each pixel has one sample, and the test of the pixels is enough. */
export function limitToAreas(
  source: Readable,
  { grid, overviews }: Pick<CoverageDescription, 'grid' | 'overviews'>,
  {
    interpolation,
    dataCrs,
    areas,
  }: Pick<WarpRequest, 'interpolation' | 'dataCrs'> & {
    readonly areas?: readonly WrittenArea[] | undefined;
  },
): Readable {
  const isNearest = interpolation === 'nearest';
  if (areas === undefined || (isNearest && overviews.length === 0)) return source;
  const limited = { grid, crs: dataCrs ?? grid.crs, areas };
  const levels = [grid, ...overviews];
  return {
    read: async (name, request, signal) => {
      const read = await source.read(name, request, signal);
      const positions = resolvePositions(request, grid);
      const level = levels[chooseLevel(positions, levels)] ?? grid;
      if (isNearest && level === grid) return read;
      const isVisible =
        level === grid
          ? await createSampleTest(read, request.window, limited)
          : await createReducedSampleTest(positions, level, limited);
      return { ...read, bands: read.bands.map((band) => maskHidden(band, isVisible)) };
    },
  };
}

interface LimitedGrid {
  readonly grid: Grid;
  readonly crs: CrsReference;
  readonly areas: readonly WrittenArea[];
}

/**
 * A sample is visible if the centre of one of its quarters is inside an area: the sample then covers a part of it, which
 * pixels without interpolation show as well. A sample that only touches an area is hidden.
 */
async function createSampleTest(
  { width, height }: RasterSize,
  window: WindowRequest['window'],
  { grid, crs, areas }: LimitedGrid,
): Promise<(index: number) => boolean> {
  const { transform, bounds } = grid;
  if (transform === undefined || bounds === undefined) return () => false;
  const part = window ?? { column: 0, row: 0, ...grid };
  const size = { width: width * 2, height: height * 2 };
  const target = { ...size, bounds, transform: createPartTransform(transform, part, size) };
  const isInside = await createVisibilityTest({ target, crs }, areas);
  return (index) => {
    const row = Math.floor(index / width);
    const first = row * 2 * size.width + (index - row * width) * 2;
    const below = first + size.width;
    return isInside(first) || isInside(first + 1) || isInside(below) || isInside(below + 1);
  };
}

/** Moves outer corners inside, so that an area with the extent of the coverage contains them. */
const INSET = 1e-6;

/** A sample of an overview stands for several samples: it is visible if all of its corners are inside an area. */
async function createReducedSampleTest(
  positions: GridPositions,
  level: RasterSize,
  { grid, crs, areas }: LimitedGrid,
): Promise<(index: number) => boolean> {
  const { transform, bounds } = grid;
  if (transform === undefined || bounds === undefined) return () => false;
  const { columns, rows } = computeSamplePositions(level, grid, positions);
  const [column, row] = [findLowest(columns), findLowest(rows)];
  // A corner is the centre of a pixel of this picture.
  const size = { width: findHighest(columns) - column + 2, height: findHighest(rows) - row + 2 };
  const [across, down] = [grid.width / level.width, grid.height / level.height];
  const part = {
    column: (column - 0.5 + (INSET * size.width) / 2) * across,
    row: (row - 0.5 + (INSET * size.height) / 2) * down,
    width: size.width * (1 - INSET) * across,
    height: size.height * (1 - INSET) * down,
  };
  const target = { ...size, bounds, transform: createPartTransform(transform, part, size) };
  const isInside = await createVisibilityTest({ target, crs }, areas);
  return (index) => {
    const line = Math.floor(index / columns.length);
    const upper = ((rows[line] ?? 0) - row) * size.width + (columns[index - line * columns.length] ?? 0) - column;
    const lower = upper + size.width;
    return isInside(upper) && isInside(upper + 1) && isInside(lower) && isInside(lower + 1);
  };
}

function findLowest(values: Int32Array): number {
  return values.reduce((lowest, value) => Math.min(lowest, value), Number.POSITIVE_INFINITY);
}

function findHighest(values: Int32Array): number {
  return values.reduce((highest, value) => Math.max(highest, value), Number.NEGATIVE_INFINITY);
}

/** Returns the transform of a picture of a part of a grid. */
function createPartTransform(
  { originX, originY, columnX, columnY, rowX, rowY }: GridTransform,
  part: NonNullable<WindowRequest['window']>,
  size: RasterSize,
): GridTransform {
  const [columns, rows] = [part.width / size.width, part.height / size.height];
  return {
    originX: originX + part.column * columnX + part.row * rowX,
    originY: originY + part.column * columnY + part.row * rowY,
    columnX: columnX * columns,
    columnY: columnY * columns,
    rowX: rowX * rows,
    rowY: rowY * rows,
  };
}

function maskHidden({ samples, mask }: BandWindow, isVisible: (index: number) => boolean): BandWindow {
  const visible = mask?.slice() ?? new Uint8Array(samples.length).fill(255);
  for (let index = 0; index < visible.length; index += 1) if (!isVisible(index)) visible[index] = 0;
  return { samples, mask: visible };
}
