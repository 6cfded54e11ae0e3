/** Truth values as people and programs write them. */

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

/** Reads `True`, `yes`, `1`, `FALSE` and the like; undefined for anything else. */
export function parseFlag(text: string): boolean | undefined {
  return spellings.get(text.trim().toLowerCase());
}
