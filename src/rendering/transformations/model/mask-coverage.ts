/** Removes cells of a coverage. */
import type { CoverageData } from './transformed-data.ts';

/** Keeps the cells that are not 0 in the mask. */
export function applyMask(data: CoverageData, kept: Uint8Array): CoverageData {
  return {
    ...data,
    bands: data.bands.map((each) => {
      const { mask } = each;
      return { ...each, mask: mask === undefined ? kept : kept.map((part, cell) => (mask[cell] === 0 ? 0 : part)) };
    }),
  };
}
