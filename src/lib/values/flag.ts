/** Common spellings of boolean values. */

const spellings: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['no', false],
  ['0', false],
]);

/** Parses `True`, `yes`, `1`, `FALSE` and similar; undefined for any other text. */
export function parseFlag(text: string): boolean | undefined {
  return spellings.get(text.trim().toLowerCase());
}
