/** A NetCDF file as a raster source: each variable on a grid is a coverage with one band. */
import { problem } from '../../lib/problems/problem.ts';
import { createGrid } from '../port/grid.ts';
import type { Band, CoverageDescription, RasterSource, RasterWindow, WindowRequest } from '../port/port.ts';
import { openRasterFile } from '../port/raster-file.ts';
import {
  createSamples,
  createSamplesView,
  getBytesPerSample,
  type Samples,
  type SampleType,
  toSample,
} from '../port/samples.ts';
import { finishBand } from '../support/band-window.ts';
import { readThroughBlocks } from '../support/block-reader.ts';
import { checkRequest, computeSamplePositions } from '../support/sampling.ts';
import { createUnsupportedError, describeDimension } from './cf-axes.ts';
import { readGridCrs } from './cf-crs.ts';
import { computeGeoreference, type GridGeoreference, type GridVariable, listGridVariables } from './cf-grid.ts';
import { isClassic, openClassic } from './classic-file.ts';
import { isHdf5, openHdf5 } from './hdf5-file.ts';
import { findNumber, findNumbers, findText, type NetcdfFile } from './netcdf-file.ts';

export function openNetcdf(path: string): RasterSource {
  let isClosed = false;
  let opening: Promise<NetcdfFile> | undefined;

  /** Keeps the file open until the source is closed, because a description usually follows a listing. */
  const withFile = async <T>(signal: AbortSignal, work: (file: NetcdfFile) => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('The raster source is closed.');
    signal.throwIfAborted();
    opening ??= openAny(path);
    return work(await opening);
  };

  return {
    listCoverages: (signal) =>
      withFile(signal, async (file) => listCoverageGrids(file).map(({ variable: { name } }) => ({ name }))),
    describe: (name, signal) =>
      withFile(signal, async (file) => {
        const grid = listCoverageGrids(file).find(({ variable }) => variable.name === name);
        return grid === undefined ? undefined : describe(file, grid, computeGeoreference(file, grid));
      }),
    read: (name, request, signal) =>
      withFile(signal, async (file) => {
        const grid = listCoverageGrids(file).find(({ variable }) => variable.name === name);
        if (grid === undefined) throw problem('raster-coverage-unknown', { name });
        return readWindow(file, grid, request);
      }),
    async close() {
      isClosed = true;
      await opening?.then(
        (file) => file.close(),
        // The failed call has already reported the error.
        () => undefined,
      );
    },
  };
}

async function openAny(path: string): Promise<NetcdfFile> {
  const file = openRasterFile(path);
  try {
    const head = file.read(0, Math.min(8, file.sizeBytes));
    if (isClassic(head)) return openClassic(file);
    if (isHdf5(head)) return await openHdf5(file);
    throw problem('raster-file-malformed', { file: file.name, reason: 'its NetCDF signature is missing' });
  } catch (error) {
    file.close();
    throw error;
  }
}

function listCoverageGrids(file: NetcdfFile): readonly GridVariable[] {
  const grids = listGridVariables(file);
  if (grids.length > 0) return grids;
  throw createUnsupportedError(file, 'it has no variable on a grid with x and y or longitude and latitude axes');
}

async function describe(file: NetcdfFile, grid: GridVariable, placed: GridGeoreference): Promise<CoverageDescription> {
  const { variable } = grid;
  if (variable.unreadable !== undefined)
    throw createUnsupportedError(file, `its variable '${variable.name}' uses ${variable.unreadable}`);
  const title = findText(variable, 'long_name') ?? findText(variable, 'standard_name');
  return {
    name: variable.name,
    ...(title === undefined || title === '' ? {} : { title }),
    grid: createGrid(grid, placed.transform, await readGridCrs(file, variable, placed.isGeographic)),
    bands: [createBand(grid)],
    overviews: [],
    dimensions: listDimensions(file, grid),
    hasMask: false,
  };
}

function listDimensions(file: NetcdfFile, { variable, xPlace, yPlace }: GridVariable) {
  return variable.dimensions.flatMap((name, index) =>
    index === xPlace || index === yPlace ? [] : [describeDimension(file, name, variable.shape[index] ?? 0)],
  );
}

/** The default fill values of the NetCDF library; bytes have none, because every value is valid. */
const defaultFills: Readonly<Partial<Record<SampleType, number | bigint>>> = {
  int16: -32_767,
  uint16: 65_535,
  int32: -2_147_483_647,
  uint32: 4_294_967_295,
  int64: -9_223_372_036_854_775_806n,
  uint64: 18_446_744_073_709_551_614n,
  float32: 9.969209968386869e36,
  float64: 9.969209968386869e36,
};

function createBand({ variable }: GridVariable): Band {
  const type = getSampleType(variable);
  const [noData] = listNoDataValues(variable);
  const range = findNumbers(variable, 'valid_range') ?? findNumbers(variable, 'actual_range') ?? [];
  const minimum = findNumber(variable, 'valid_min') ?? toNumber(range[0]);
  const maximum = findNumber(variable, 'valid_max') ?? toNumber(range[1]);
  const scale = findNumber(variable, 'scale_factor');
  const offset = findNumber(variable, 'add_offset');
  const unit = findText(variable, 'units');
  return {
    name: variable.name,
    type,
    colorInterpretation: 'undefined',
    ...(unit === undefined || unit === '' ? {} : { unit }),
    ...(noData === undefined ? {} : { noData }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(scale === undefined ? {} : { scale }),
    ...(offset === undefined ? {} : { offset }),
  };
}

function toNumber(value: number | bigint | undefined): number | undefined {
  return value === undefined || !Number.isFinite(Number(value)) ? undefined : Number(value);
}

/** Returns all no-data values, the preferred one first. */
function listNoDataValues(variable: GridVariable['variable']): readonly (number | bigint)[] {
  const type = getSampleType(variable);
  const declared = [...(findNumbers(variable, '_FillValue') ?? []), ...(findNumbers(variable, 'missing_value') ?? [])];
  const filled = defaultFills[type];
  const all = declared.length > 0 ? declared : filled === undefined ? [] : [filled];
  return all.flatMap((value) => toSample(type, toUnsigned(variable, value)) ?? []);
}

/** CDF-1 files have no unsigned types and mark signed ones with an attribute. */
function isUnsigned(variable: GridVariable['variable']): boolean {
  return findText(variable, '_Unsigned')?.toLowerCase() === 'true' && /^int(?:8|16|32)$/.test(variable.type ?? '');
}

function getSampleType(variable: GridVariable['variable']): SampleType {
  const type = variable.type ?? 'float64';
  return isUnsigned(variable) ? (`u${type}` as SampleType) : type;
}

function toUnsigned(variable: GridVariable['variable'], value: number | bigint): number | bigint {
  const isNegative = isUnsigned(variable) && typeof value === 'number' && value < 0;
  return isNegative ? value + 2 ** (8 * getBytesPerSample(variable.type ?? 'int8')) : value;
}

/** The block size if the file is not chunked. */
const BLOCK_BYTES = 4_194_304;

async function readWindow(file: NetcdfFile, grid: GridVariable, request: WindowRequest): Promise<RasterWindow> {
  const { variable, width, height } = grid;
  const band = createBand(grid);
  const dimensions = listDimensions(file, grid);
  const checked = checkRequest({ name: variable.name, width, height, bands: [band], dimensions }, request);
  const samples = createSamples(band.type, checked.size.width * checked.size.height);
  const source = createBlockSource(file, grid, computeGeoreference(file, grid), request.slice ?? {});
  await readThroughBlocks(source, computeSamplePositions(grid, grid, checked.positions), [
    { sample: 0, samples, empty: 0 },
  ]);
  return {
    ...checked.size,
    bands: checked.bands.map((_, index) =>
      finishBand(
        band,
        { samples: index === 0 ? samples : samples.slice() },
        request.values,
        listNoDataValues(variable),
      ),
    ),
  };
}

function createBlockSource(
  file: NetcdfFile,
  grid: GridVariable,
  placed: GridGeoreference,
  slice: Readonly<Record<string, number>>,
) {
  const { variable, xPlace, yPlace, width, height } = grid;
  const type = getSampleType(variable);
  const size = getBytesPerSample(type);
  const pieceWidth = Math.min(width, variable.chunks?.[xPlace] ?? width);
  const pieceHeight = Math.min(height, variable.chunks?.[yPlace] ?? 1);
  // As many whole chunks as fit.
  const blockWidth = Math.min(
    width,
    pieceWidth * Math.max(1, Math.floor(BLOCK_BYTES / (pieceWidth * pieceHeight * size))),
  );
  const rows = Math.max(1, Math.floor(BLOCK_BYTES / (blockWidth * pieceHeight * size)));
  const blockHeight = Math.min(height, pieceHeight * rows);

  const readBlock = async (across: number, down: number): Promise<Samples> => {
    const left = across * blockWidth;
    const top = down * blockHeight;
    const columns = Math.min(blockWidth, width - left);
    const lines = Math.min(blockHeight, height - top);
    const start = variable.dimensions.map((name) => slice[name] ?? 0);
    const count = variable.dimensions.map(() => 1);
    start[xPlace] = placed.isXReversed ? width - left - columns : left;
    start[yPlace] = placed.isYReversed ? height - top - lines : top;
    count[xPlace] = columns;
    count[yPlace] = lines;
    const read = file.read(variable, start, count);
    const part = isUnsigned(variable)
      ? createSamplesView(type, new Uint8Array(read.buffer, read.byteOffset, read.byteLength))
      : read;
    const isPlain = columns === blockWidth && xPlace > yPlace && !placed.isXReversed && !placed.isYReversed;
    if (isPlain) return part;
    return arrangeSamples(part, { columns, lines, blockWidth, isTurned: xPlace < yPlace, ...placed });
  };
  return { blockWidth, blockHeight, stride: 1, readBlock };

  /** Arranges samples in grid order: west to east, north to south, row by row. */
  function arrangeSamples(
    part: Samples,
    how: Pick<GridGeoreference, 'isXReversed' | 'isYReversed'> & {
      readonly columns: number;
      readonly lines: number;
      readonly blockWidth: number;
      readonly isTurned: boolean;
    },
  ): Samples {
    const block = createSamples(type, how.blockWidth * how.lines);
    // Both arrays have the same type.
    const [from, to] = [part as Float64Array, block as Float64Array];
    for (let line = 0; line < how.lines; line += 1) {
      const y = how.isYReversed ? how.lines - 1 - line : line;
      for (let column = 0; column < how.columns; column += 1) {
        const x = how.isXReversed ? how.columns - 1 - column : column;
        to[line * how.blockWidth + column] = from[how.isTurned ? x * how.lines + y : y * how.columns + x] ?? 0;
      }
    }
    return block;
  }
}
