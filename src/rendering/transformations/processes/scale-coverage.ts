/** ScaleCoverage: the same area with more or fewer cells. */
import { scaleCoverage as process } from '../../../styling/transformations/processes.ts';
import { checkCells, warpCoverage } from '../model/coverage-data.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';

export const scaleCoverage = transformCoverages(process, {
  describe: ([input]) => input ?? { kind: 'coverage', bands: [] },
  async run([data], { xScale, yScale, xTranslate, yTranslate, interpolation }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const { bounds, crs } = data;
    const width = Math.max(1, Math.round(data.width * xScale));
    const height = Math.max(1, Math.round(data.height * yScale));
    checkCells(process, width, height);
    const bands = await warpCoverage(data, { target: { width, height, bounds }, crs, interpolation });
    const [x, y] = [
      (xTranslate * (bounds.maxX - bounds.minX)) / width,
      (yTranslate * (bounds.maxY - bounds.minY)) / height,
    ];
    const moved = { minX: bounds.minX + x, maxX: bounds.maxX + x, minY: bounds.minY - y, maxY: bounds.maxY - y };
    return { ...data, width, height, bounds: moved, bands };
  },
});
