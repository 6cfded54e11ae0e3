/** Whole numbers as programs write them: `5`, and `5.0` or `1e+06` where they have no others. */

const decimal = /^-?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,2})?$/;

/** NaN for what is no number. */
export function parseDecimal(text: string): number {
  return decimal.test(text) ? Number(text) : Number.NaN;
}

/** NaN for what is none. */
export function parseWholeNumber(text: string): number {
  const value = parseDecimal(text);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}
