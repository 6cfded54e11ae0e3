/** RasterAsPointCollection: a point for each cell, or for each group of cells, with the values of its bands. */
import { createConversion } from '../../../crs/conversion.ts';
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

export const rasterAsPointCollection = transformCoverages(process, {
  describe: ([input], { emisphere }, { dataCrs }) => ({
    kind: 'features',
    description: describePoints(input?.bands ?? [], emisphere, dataCrs),
  }),
  readsCells: true,
  async run([data], { scale, emisphere }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const bands = data.bands.map(readBandNumbers);
    const writer = new FeatureWriter(
      describePoints(
        data.bands.map(({ band }) => band),
        emisphere,
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
    for (const upward of rows) {
      const row = height - 1 - upward;
      for (const column of columns) {
        const values = bands.map((band) => band[row * width + column] ?? Number.NaN);
        if (values.every(Number.isNaN)) continue;
        const place = [bounds.minX + (column + 0.5) * cell.width, bounds.maxY - (row + 0.5) * cell.height] as const;
        const shown = values.map((value) => (Number.isNaN(value) ? null : value));
        const latitude = toEarth === undefined ? place[1] : (toEarth(place[0], place[1])?.[1] ?? 0);
        const single = shown.length === 1 && hasAlias(data) ? shown : [];
        writer.addPositions(POINTS, [...shown, ...single, ...(emisphere ? [latitude < 0 ? 'S' : 'N'] : [])], place);
      }
    }
    return writer.finish();
  },
});

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
  hasHemisphere: boolean,
  crs: CoverageData['crs'],
): FeatureTypeDescription {
  const names = bands.map(({ name, publishedName = name }) => publishedName);
  const [only, ...others] = names;
  const isAliased = only !== undefined && others.length === 0 && only !== SINGLE_BAND;
  const hemisphere: Attribute = { kind: 'value', name: 'emisphere', type: 'string', nillable: true };
  return createDescription({ name: 'the_geom', type: 'Point', crs }, [
    ...[...names, ...(isAliased ? [SINGLE_BAND] : [])].map((name) => createNumberAttribute(name)),
    ...(hasHemisphere ? [hemisphere] : []),
  ]);
}
