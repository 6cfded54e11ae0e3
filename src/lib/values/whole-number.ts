/** Parses whole numbers, including spellings such as `5.0` and `1e+06` of programs without an integer type. */

const decimal = /^-?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,2})?$/;

/** Returns NaN if the text is not a number. */
export function parseDecimal(text: string): number {
  return decimal.test(text) ? Number(text) : Number.NaN;
}

/** Returns NaN if the text is not a whole number. */
export function parseWholeNumber(text: string): number {
  const value = parseDecimal(text);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}
