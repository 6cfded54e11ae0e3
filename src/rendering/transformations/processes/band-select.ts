/** BandSelect: some bands of a coverage, in another order. */
import { bandSelect as process } from '../../../styling/transformations/processes.ts';
import { getBand } from '../model/coverage-data.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';

export const bandSelect = transformCoverages(process, {
  describe: ([input], { SampleDimensions: places }) => ({
    kind: 'coverage',
    // The colours of other bands say nothing about a selection.
    bands: places
      .flatMap((place) => input?.bands[place] ?? [])
      .map((band) => ({ ...band, colorInterpretation: 'undefined' })),
  }),
  run([data], { SampleDimensions: places }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    return { ...data, bands: places.map((place) => getBand(process, data, place)) };
  },
});
