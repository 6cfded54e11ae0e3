/** NormalizeCoverage: values divided by the largest one of the map, so that they end at 1. */
import { normalizeCoverage as process } from '../../../styling/transformations/processes.ts';
import { findRange } from '../model/band-range.ts';
import { readBandNumbers } from '../model/coverage-data.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';
import { createFloatBand } from '../model/transformed-data.ts';

export const normalizeCoverage = transformCoverages(process, {
  describe: ([input]) => input ?? { kind: 'coverage', bands: [] },
  run([data]) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const bands = data.bands.map((each) => {
      const numbers = readBandNumbers(each);
      const most = findRange(numbers)?.most ?? 1;
      const samples = Float32Array.from(numbers, (value) => value / (most || 1));
      const band = { ...createFloatBand(each.band.name), colorInterpretation: each.band.colorInterpretation };
      return { ...each, band, samples };
    });
    return { ...data, bands };
  },
});
