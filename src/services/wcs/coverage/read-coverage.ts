/** Reads the samples of a part of a coverage, for all versions of WCS. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { readCrsName } from '../../../crs/axis-order.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { WrittenRaster } from '../../../formats/geotiff/geotiff.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DimensionOptions, DimensionRange } from '../../../raster/pictures/dimension-options.ts';
import { createUprightTransform } from '../../../raster/port/grid.ts';
import type { Grid } from '../../../raster/port/port.ts';
import { createSamples, getBytesPerSample, type SampleType } from '../../../raster/port/samples.ts';
import type { Interpolation } from '../../../raster/warp/interpolate.ts';
import type { OpenedCoverage } from '../../access/open-coverage.ts';
import { findPlaneAxis } from './axes.ts';
import {
  formatCoverageId,
  getServedCoverage,
  openServedCoverage,
  type ServedCoverage,
  type WcsContext,
} from './context.ts';
import type { CoverageFormat } from './coverage-formats.ts';
import type { TextCoverage } from './gml-coverage.ts';
import type { OutputGrid, ResponseGrid } from './output-grid.ts';
import { formatSubset, type Subset } from './subset.ts';

/** The requested part of a coverage. The versions of WCS differ in how they select bands and define the output grid. */
export interface CoverageSelection {
  readonly id: string;
  /** The parameter that contains the id, for errors. */
  readonly idField: string;
  /** Several subsets of one dimension are alternatives. Subsets of x and y are ignored. */
  readonly subsets: readonly Subset[];
  /** Returns the indexes of the requested bands. */
  readonly selectBands: (names: readonly string[]) => readonly number[];
  /** `visible` is a box around the visible areas in the CRS of the grid; undefined for no limit. */
  readonly computeGrid: (grid: Grid, visible: Bounds | undefined) => Promise<ResponseGrid>;
  readonly interpolation: Interpolation;
  readonly format: CoverageFormat;
}

export interface ReadCoverage extends TextCoverage {
  readonly served: ServedCoverage;
}

export async function readCoverage(context: WcsContext, selection: CoverageSelection): Promise<ReadCoverage> {
  const { id, idField, format, interpolation } = selection;
  const served = await getServedCoverage(context, { id, field: idField }, 'read');
  const whole = await openServedCoverage(context, served);
  const opened = whole.selectDimensions(await resolveDimensionSubsets(selection.subsets, whole, context));
  const bands = selection.selectBands(opened.coverage.bands.map(({ name }) => name));
  const visible = (await opened.measureVisible(context.signal)) ?? undefined;
  const output = await selection.computeGrid(opened.description.grid, visible);
  checkInput(output, bands, opened, context.maxInputBytes);
  checkSize(output, bands, opened, format === 'gml' ? MAX_TEXT_BYTES : context.maxBytes);
  return {
    served,
    id: formatCoverageId(served),
    raster: await readSamples(opened, { output, bands, interpolation }, context.signal),
    bounds: output.bounds,
    bands: bands.flatMap((place) => opened.coverage.bands[place] ?? []),
  };
}

/** Samples take many times as much space in text. */
const MAX_TEXT_BYTES = 16 * 1_048_576;

/** Throws a Problem for an unknown CRS. */
export async function readCrs(text: string, field: string): Promise<CrsReference> {
  const named = await readCrsName(text);
  if (named === undefined) throw problem('wcs-crs-unknown', { crs: text, field });
  return { code: named.code };
}

interface RequestedSamples extends Pick<CoverageSelection, 'interpolation'> {
  readonly output: OutputGrid;
  readonly bands: readonly number[];
}

async function readSamples(
  opened: OpenedCoverage,
  { output, bands, interpolation }: RequestedSamples,
  signal: AbortSignal,
): Promise<WrittenRaster> {
  const { width, height, bounds, crs } = output;
  const target = { width, height, bounds };
  // A band can be requested repeatedly but is read once.
  const places = [...new Set(bands)];
  const picture = await opened.read({ target, crs, bands: places, interpolation }, signal);
  const written = bands.flatMap((place) => {
    const index = places.indexOf(place);
    const described = picture?.described[index] ?? opened.bands[place];
    const createEmptySamples = (type: SampleType) => ({
      samples: createSamples(type, width * height),
      mask: new Uint8Array(width * height),
    });
    return described === undefined
      ? []
      : [{ ...(picture?.bands[index] ?? createEmptySamples(described.type)), described }];
  });
  return { width, height, transform: createUprightTransform(target, bounds), crs, bands: written };
}

/** The maximum number of dimension values that are searched. */
const MAX_COUNTED = 100_000;

/** Axes other than x and y are dimensions. */
async function resolveDimensionSubsets(
  subsets: readonly Subset[],
  { description: { dimensions }, values }: OpenedCoverage,
  { maxDimensionValues: most }: WcsContext,
): Promise<readonly DimensionOptions[]> {
  const ranges = new Map<string, DimensionRange[]>();
  const loaded = new Map<string, ReturnType<typeof values>>();
  // A request can have many ranges of one dimension, whose values are loaded once.
  const load: typeof values = (name, wanted) => {
    const key = JSON.stringify([name, wanted]);
    const known = loaded.get(key) ?? values(name, wanted);
    loaded.set(key, known);
    return known;
  };
  for (const subset of subsets) {
    const { axis, low, high, field = 'subset' } = subset;
    if (findPlaneAxis(axis) !== undefined) continue;
    const lower = axis.toLowerCase();
    const found = dimensions.find(({ name, kind }) => name.toLowerCase() === lower || kind === lower);
    if (found === undefined) {
      const axes = ['x', 'y', ...dimensions.map(({ name }) => name)];
      throw problem('wcs-axis-unknown', { axis, axes, field: subset.field ?? axis });
    }
    const ends = await load(found.name, 'ends');
    const [least, greatest] = ends;
    // A coverage without values has no range to check.
    if (least === undefined || greatest === undefined) continue;
    const range = { low: low ?? least, high: high ?? greatest };
    if (range.low > range.high || range.low > greatest || range.high < least) {
      const expected = `expected values from ${ends.map((end) => (end instanceof Date ? end.toISOString() : end)).join(' to ')}, the lower one first`;
      throw problem('wcs-subset-invalid', { subset: formatSubset(subset), expected, field });
    }
    if (Number.isFinite(most) && low !== high) {
      await othersFirst();
      const all = await load(found.name, MAX_COUNTED);
      const inside = all.filter((each) => each >= range.low && each <= range.high);
      if (inside.length > most) {
        throw problem('wcs-values-too-many', { subset: formatSubset(subset), most, field });
      }
    }
    ranges.set(found.name, [...(ranges.get(found.name) ?? []), range]);
  }
  return [...ranges].map(([name, each]) => ({ name, ranges: each }));
}

/** Overviews are read if their resolution is sufficient. */
function checkInput(
  { source, width }: ResponseGrid,
  bands: readonly number[],
  { bands: all, description: { grid, overviews } }: OpenedCoverage,
  maxBytes: number,
): void {
  const needed = width / source.width;
  const shares = overviews.map((each) => each.width / grid.width).filter((share) => share >= needed);
  const share = Math.min(1, ...shares);
  const [across, down] = [Math.ceil(source.width * share), Math.ceil(source.height * share)];
  const perPixel = bands.reduce((sum, place) => sum + getBytesPerSample(all[place]?.type ?? 'float64'), 0);
  if (across * down * perPixel > maxBytes) {
    throw problem('wcs-input-too-large', { width: across, height: down, megabytes: toMegabytes(maxBytes) });
  }
}

/** One decimal, for small limits. */
function toMegabytes(bytes: number): number {
  return Math.floor((bytes / 1_048_576) * 10) / 10;
}

function checkSize(
  { width, height }: OutputGrid,
  bands: readonly number[],
  opened: OpenedCoverage,
  maxBytes: number,
): void {
  const perPixel = bands.reduce((sum, place) => sum + getBytesPerSample(opened.bands[place]?.type ?? 'float64') + 1, 0);
  if (width * height * perPixel > maxBytes) {
    throw problem('wcs-coverage-too-large', { width, height, megabytes: toMegabytes(maxBytes) });
  }
}
