/** Patterns with places for a user: what is put into them can never be read as part of the pattern. */

/** Puts the values in the places `{0}` and `{1}` of a pattern. */
export function fillTemplate(
  pattern: string,
  values: readonly [string, string],
  escapeValue: (value: string) => string,
): string {
  return pattern.replace(/\{([01])\}/g, (_place, index) => escapeValue(values[index === '0' ? 0 : 1]));
}

/** A value inside a distinguished name (RFC 4514). */
export function escapeDnValue(value: string): string {
  return value.replace(/["+,;<>=\\]|^[ #]| $/g, '\\$&').replaceAll('\0', '\\00');
}

/** A value inside a search filter (RFC 4515). Bytes beyond ASCII need no escape, and our library would misread one. */
export function escapeFilterValue(value: string): string {
  return value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** A name below the directory's base; one that ends with the base already is complete. */
export function appendBase(name: string, base: string): string {
  if (base === '' || name === '') {
    return name === '' ? base : name;
  }
  const [whole, tail] = [normalizeDn(name), normalizeDn(base)];
  return whole === tail || whole.endsWith(`,${tail}`) ? name : `${name},${base}`;
}

function normalizeDn(name: string): string {
  return name.replace(/\s*([,=])\s*/g, '$1').toLowerCase();
}
