/** Names of formats as clients write them. */

export function isAmong(names: readonly string[], name: string): boolean {
  return names.some((each) => plain(each) === plain(name));
}

/** A plus sign that is not escaped arrives as a blank, and blanks around semicolons mean nothing. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/\s*;\s*/g, ';')
    .replaceAll(/[\s+]+/g, '+');
}
