/** RasterAsPointCollection: a point for each cell, or for each group of cells, with the values of its bands. */
import { createConversion } from '../../../crs/conversion.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../../crs/resolve-crs.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
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
  async run([data], { scale, emisphere, targetCRS }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const bands = data.bands.map(readBandNumbers);
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
    const columns = listPositions(bounds.minX, cell.width, width, scale);
    const rows = listPositions(bounds.minY, cell.height, height, scale);
    if (columns.length * rows.length > MAX_POINTS)
      throw rejectTransformation(
        process,
        `${columns.length * rows.length} points exceed the limit of ${MAX_POINTS}. Use a smaller scale`,
      );
    const toEarth = emisphere ? await createConversion(crs, { code: 'EPSG:4326' }) : undefined;
    const measureConvergence = targetCRS === undefined ? undefined : await createConvergence(crs, targetCRS);
    for (const upward of rows) {
      const row = height - 1 - upward;
      for (const column of columns) {
        const values = bands.map((band) => band[row * width + column] ?? Number.NaN);
        if (values.every(Number.isNaN)) continue;
        const place = [bounds.minX + (column + 0.5) * cell.width, bounds.maxY - (row + 0.5) * cell.height] as const;
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

/** Returns one cell of each group; groups start at the origin of the CRS, so that points stay when the map is moved. */
function listPositions(start: number, size: number, count: number, scale: number): readonly number[] {
  if (scale >= 1) return Array.from({ length: count }, (_, index) => index);
  const group = size / scale;
  const found: number[] = [];
  for (let number = Math.floor(start / group); number * group < start + count * size; number += 1) {
    const index = Math.floor(((number + 0.5) * group - start) / size);
    if (index >= 0 && index < count) found.push(index);
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
