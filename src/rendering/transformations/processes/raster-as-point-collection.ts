/** RasterAsPointCollection: a point for each cell, or for each group of cells, with the values of its bands. */
import { createConversion } from '../../../crs/conversion.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../../crs/resolve-crs.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { createSampler, type Interpolation } from '../../../raster/warp/interpolate.ts';
import { rasterAsPointCollection as process } from '../../../styling/transformations/processes.ts';
import { POINTS } from '../../../vector/port/packed-features.ts';
import type { Attribute, FeatureTypeDescription } from '../../../vector/port/port.ts';
import type { DrawnBand } from '../../request/map-request.ts';
import { readBandNumbers } from '../model/coverage-data.ts';
import { FeatureWriter } from '../model/feature-data.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';
import { type CoverageData, createDescription, createNumberAttribute } from '../model/transformed-data.ts';

/** More symbols than pixels of a small map; each of them is painted. */
const MAX_POINTS = 1_000_000;

/** The name of a single band in styles. */
const SINGLE_BAND = 'GRAY_INDEX';

/** The name of the angle between true north and the north of `targetCRS`. */
const CONVERGENCE = 'gridConvergenceAngleCorrection';

export const rasterAsPointCollection = transformCoverages(process, {
  describe: ([input], { emisphere, targetCRS }, { dataCrs }) => ({
    kind: 'features',
    description: describePoints(
      input?.bands ?? [],
      { hasHemisphere: emisphere, hasConvergence: targetCRS !== undefined },
      dataCrs,
    ),
  }),
  readsCells: true,
  async run([data], { scale, interpolation, emisphere, targetCRS }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const readValues = createReader(data, interpolation);
    const writer = new FeatureWriter(
      describePoints(
        data.bands.map(({ band }) => band),
        { hasHemisphere: emisphere, hasConvergence: targetCRS !== undefined },
        data.crs,
      ),
      false,
    );
    const { width, height, bounds, crs } = data;
    const cell = { width: (bounds.maxX - bounds.minX) / width, height: (bounds.maxY - bounds.minY) / height };
    const isBetween = interpolation !== 'nearest';
    const columns = listPositions({ start: bounds.minX, size: cell.width, count: width, scale, isBetween });
    const rows = listPositions({ start: bounds.minY, size: cell.height, count: height, scale, isBetween });
    if (columns.length * rows.length > MAX_POINTS)
      throw rejectTransformation(
        process,
        `${columns.length * rows.length} points exceed the limit of ${MAX_POINTS}. Use a smaller scale`,
      );
    const toEarth = emisphere ? await createConversion(crs, { code: 'EPSG:4326' }) : undefined;
    const measureConvergence = targetCRS === undefined ? undefined : await createConvergence(crs, targetCRS);
    for (const upward of rows) {
      const row = height - upward;
      for (const column of columns) {
        const values = readValues(column, row);
        if (values.every(Number.isNaN)) continue;
        const place = [bounds.minX + column * cell.width, bounds.maxY - row * cell.height] as const;
        const shown = values.map((value) => (Number.isNaN(value) ? null : value));
        const latitude = toEarth === undefined ? place[1] : (toEarth(place[0], place[1])?.[1] ?? 0);
        const single = shown.length === 1 && hasAlias(data) ? shown : [];
        const hemisphere = emisphere ? [latitude < 0 ? 'S' : 'N'] : [];
        const convergence = measureConvergence === undefined ? [] : [measureConvergence(place[0], place[1])];
        writer.addPositions(POINTS, [...shown, ...single, ...hemisphere, ...convergence], place);
      }
    }
    return writer.finish();
  },
});

const EARTH: CrsReference = { code: 'EPSG:4326' };

/** The length of the meridian, in degrees of latitude, along which the direction of north is measured. */
const NORTHWARD_DEGREES = 1e-4;

/** Measures the angle from true north to the north of a grid, in degrees clockwise; null outside of the grid. */
async function createConvergence(crs: CrsReference, target: string): Promise<(x: number, y: number) => number | null> {
  const grid: CrsReference = { code: target.trim().toUpperCase() };
  if ((await resolveCrs(grid)) === undefined)
    throw rejectTransformation(process, `parameter 'targetCRS' is an unknown CRS: ${excerpt(target)}`);
  const toEarth = await createConversion(crs, EARTH);
  const toGrid = await createConversion(EARTH, grid);
  return (x, y) => {
    const place = toEarth === undefined ? ([x, y] as const) : toEarth(x, y);
    if (place === undefined) return null;
    // Measured away from the pole, where the meridian ends.
    const step = place[1] > 0 ? -NORTHWARD_DEGREES : NORTHWARD_DEGREES;
    const [from, to] = [place[1], place[1] + step].map((latitude) =>
      toGrid === undefined ? ([place[0], latitude] as const) : toGrid(place[0], latitude),
    );
    if (from === undefined || to === undefined) return null;
    const sign = Math.sign(step);
    const degrees = (Math.atan2((from[0] - to[0]) * sign, (to[1] - from[1]) * sign) * 180) / Math.PI;
    return degrees === 0 ? 0 : degrees;
  };
}

function hasAlias({ bands }: CoverageData): boolean {
  return bands[0]?.band.name !== SINGLE_BAND;
}

/** Reads the values of all bands at a position in cells; NaN where there is no data. */
function createReader(
  { width, height, bands }: CoverageData,
  interpolation: Interpolation,
): (column: number, row: number) => readonly number[] {
  const value = new Float64Array(1);
  const samplers = bands.map((band) => {
    const samples = readBandNumbers(band);
    const mask = Uint8Array.from(samples, (each) => (Number.isNaN(each) ? 0 : 1));
    return createSampler({ width, height, samples, mask }, value, interpolation);
  });
  return (column, row) => samplers.map((write) => (write(column, row, 0) ? (value[0] ?? Number.NaN) : Number.NaN));
}

interface Axis {
  readonly start: number;
  /** The size of a cell. */
  readonly size: number;
  readonly count: number;
  readonly scale: number;
  /** Whether positions are the middles of groups, instead of the middles of the cells there. */
  readonly isBetween: boolean;
}

/**
 * Returns the position of each group of cells, in cells. Groups start at the origin of the CRS, so that points stay when
 * the map is moved.
 */
function listPositions({ start, size, count, scale, isBetween }: Axis): readonly number[] {
  if (scale >= 1) return Array.from({ length: count }, (_, index) => index + 0.5);
  const group = size / scale;
  const found: number[] = [];
  for (let number = Math.floor(start / group); number * group < start + count * size; number += 1) {
    const position = ((number + 0.5) * group - start) / size;
    if (position >= 0 && position < count) found.push(isBetween ? position : Math.floor(position) + 0.5);
  }
  return found;
}

function describePoints(
  bands: readonly DrawnBand[],
  { hasHemisphere, hasConvergence }: { readonly hasHemisphere: boolean; readonly hasConvergence: boolean },
  crs: CoverageData['crs'],
): FeatureTypeDescription {
  const names = bands.map(({ name, publishedName = name }) => publishedName);
  const [only, ...others] = names;
  const isAliased = only !== undefined && others.length === 0 && only !== SINGLE_BAND;
  const hemisphere: Attribute = { kind: 'value', name: 'emisphere', type: 'string', nillable: true };
  return createDescription({ name: 'the_geom', type: 'Point', crs }, [
    ...[...names, ...(isAliased ? [SINGLE_BAND] : [])].map((name) => createNumberAttribute(name)),
    ...(hasHemisphere ? [hemisphere] : []),
    ...(hasConvergence ? [createNumberAttribute(CONVERGENCE)] : []),
  ]);
}
