/** CropCoverage: the part of a coverage in an area. */
import { cropCoverage as process } from '../../../styling/transformations/processes.ts';
import { createAreaMask } from '../model/coverage-data.ts';
import { applyMask } from '../model/mask-coverage.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';

export const cropCoverage = transformCoverages(process, {
  describe: ([input]) => input ?? { kind: 'coverage', bands: [] },
  async run([data], { cropShape }, map) {
    if (data === undefined || cropShape === undefined)
      throw rejectTransformation(process, "parameter 'cropShape' is required");
    return applyMask(data, await createAreaMask(cropShape, data, map));
  },
});
