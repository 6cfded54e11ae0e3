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
  async run(inputs, { roi }, map) {
    const [first, ...others] = inputs;
    if (first === undefined) throw rejectTransformation(process, 'it has no input');
    const bands: CoverageBand[] = [...first.bands];
    const { width, height, bounds, crs } = first;
    for (const other of others) {
      const isSame = other.width === width && other.height === height && other.bounds.minX === bounds.minX;
      const target = { width, height, bounds };
      bands.push(...(isSame ? other.bands : await warpCoverage(other, { target, crs, interpolation: 'nearest' })));
    }
    const merged = { ...first, bands };
    return roi === undefined ? merged : applyMask(merged, await createAreaMask(roi, first, map));
  },
});
