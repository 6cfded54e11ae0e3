/** Names of formats as clients write them. */

export function isAmong(names: readonly string[], name: string): boolean {
  return names.some((each) => normalizeFormatName(each) === normalizeFormatName(name));
}

/** A plus sign that is not escaped arrives as a blank, and blanks around semicolons mean nothing. */
function normalizeFormatName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/\s*;\s*/g, ';')
    .replaceAll(/[\s+]+/g, '+');
}
