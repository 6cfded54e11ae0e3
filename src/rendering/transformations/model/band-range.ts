/** The range of the values of a band. */

/** Ignores NaN. Returns undefined if no cell has data. */
export function findRange(numbers: Float64Array): { readonly least: number; readonly most: number } | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of numbers) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most >= least ? { least, most } : undefined;
}
