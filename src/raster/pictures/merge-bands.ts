/** Merges the bands of overlapping images into one. */
import type { Band } from '../port/port.ts';
import type { MutableBand } from '../warp/picture-buffer.ts';

/** The result where several images have data: that of the first one, or a value computed from all of them. */
export type Merging = 'first' | 'average' | 'minimum' | 'maximum';

type MergeBand = (lower: MutableBand) => void;

/** Returns a function that merges another image into a band. The upper band is changed in place. */
export function createBandMerge(upper: MutableBand, described: Band | undefined, merging: Merging): MergeBand {
  // Numbers of a palette are not quantities, and integers of 64 bits are not numbers.
  const isQuantity =
    described?.palette === undefined &&
    !(upper.samples instanceof BigInt64Array || upper.samples instanceof BigUint64Array);
  if (!isQuantity || merging === 'first') return (lower) => copyWhere(upper, lower, () => false);
  if (merging === 'average') return createAverage(upper);
  return (lower) =>
    copyWhere(upper, lower, merging === 'minimum' ? (here, other) => other < here : (here, other) => other > here);
}

/** Copies samples where the upper band has no data, or where they replace it. */
function copyWhere(
  { samples, mask }: MutableBand,
  lower: MutableBand,
  isReplaced: (here: number, other: number) => boolean,
): void {
  // Images of one mosaic have the same sample type.
  const [to, from] = [samples as Float64Array, lower.samples as Float64Array];
  for (let at = 0; at < mask.length; at += 1) {
    if (lower.mask[at] === 0) continue;
    if (mask[at] !== 0 && !isReplaced(to[at] ?? 0, from[at] ?? 0)) continue;
    to[at] = from[at] ?? 0;
    mask[at] = 255;
  }
}

/** Means are kept as floating-point numbers, so that rounding does not accumulate. */
function createAverage({ samples, mask }: MutableBand): MergeBand {
  const to = samples as Float64Array;
  const means = Float64Array.from(to);
  const counts = Uint32Array.from(mask, (each) => (each === 0 ? 0 : 1));
  const isFloating = samples instanceof Float32Array || samples instanceof Float64Array;
  return (lower) => {
    const from = lower.samples as Float64Array;
    for (let at = 0; at < mask.length; at += 1) {
      if (lower.mask[at] === 0) continue;
      const count = (counts[at] ?? 0) + 1;
      const mean = count === 1 ? (from[at] ?? 0) : (means[at] ?? 0) + ((from[at] ?? 0) - (means[at] ?? 0)) / count;
      counts[at] = count;
      means[at] = mean;
      to[at] = isFloating ? mean : Math.round(mean);
      mask[at] = 255;
    }
  };
}
