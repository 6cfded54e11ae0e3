/** Compares format names sent by clients. */

export function isAmong(names: readonly string[], name: string): boolean {
  return names.some((each) => normalizeFormatName(each) === normalizeFormatName(name));
}

/** An unescaped plus sign is decoded as a space, and spaces around semicolons are insignificant. */
function normalizeFormatName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/\s*;\s*/g, ';')
    .replaceAll(/[\s+]+/g, '+');
}
