/** BandMerge: the bands of several coverages as one coverage. */
import { bandMerge as process } from '../../../styling/transformations/processes.ts';
import { createAreaMask, warpCoverage } from '../model/coverage-data.ts';
import { applyMask } from '../model/mask-coverage.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';
import type { CoverageBand } from '../model/transformed-data.ts';

export const bandMerge = transformCoverages(process, {
  describe: (inputs) => ({
    kind: 'coverage',
    bands: inputs.flatMap(({ bands }) => bands).map((band) => ({ ...band, colorInterpretation: 'undefined' })),
  }),
  async run(inputs, { roi, transformChoice, index }, map) {
    const place = transformChoice === 'FIRST' ? 0 : transformChoice === 'LAST' ? inputs.length - 1 : index;
    const reference = inputs[place];
    if (reference === undefined)
      throw rejectTransformation(process, `parameter 'index' must be less than the number of inputs, ${inputs.length}`);
    const bands: CoverageBand[] = [];
    const { width, height, bounds, crs } = reference;
    for (const other of inputs) {
      const isSame = other.width === width && other.height === height && other.bounds.minX === bounds.minX;
      const target = { width, height, bounds };
      bands.push(...(isSame ? other.bands : await warpCoverage(other, { target, crs, interpolation: 'nearest' })));
    }
    const merged = { ...reference, bands };
    return roi === undefined ? merged : applyMask(merged, await createAreaMask(roi, reference, map));
  },
});
