/** Templates with placeholders for a user. Inserted values are escaped, so they can never change the structure. */

/** Replaces the placeholders `{0}` and `{1}` of a template. */
export function fillTemplate(
  pattern: string,
  values: readonly [string, string],
  escapeValue: (value: string) => string,
): string {
  return pattern.replace(/\{([01])\}/g, (_place, index) => escapeValue(values[index === '0' ? 0 : 1]));
}

/** Escapes a value for a distinguished name (RFC 4514). */
export function escapeDnValue(value: string): string {
  return value.replace(/["+,;<>=\\]|^[ #]| $/g, '\\$&').replaceAll('\0', '\\00');
}

/**
 * Escapes a value for a search filter (RFC 4515). Non-ASCII bytes need no escape, and the library would misread one.
 */
export function escapeFilterValue(value: string): string {
  return value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Appends the base of the directory to a DN, unless the DN already ends with it. */
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
