/** Random texts and numbers for styles, including edge cases. */
import fc from 'fast-check';

const character = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...'abcXYZ019_-.') },
  { weight: 2, arbitrary: fc.constantFrom(' ', '\t', '\n', '\r', '<', '>', '&', '"', "'", ']', '[', '$', '{', '}') },
  { weight: 1, arbitrary: fc.constantFrom('é', '€', '😀', '\u00A0', '\u2028', 'ß') },
);

/** Any text that is valid in XML. */
export const anyText = fc.array(character, { maxLength: 8 }).map((characters) => characters.join(''));

/** Text without surrounding whitespace, as in names and titles. */
export const tidyText = anyText.map((text) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''));

export const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/);

export const number = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
    .map((value) => (Object.is(value, -0) ? 0 : value)),
);

export const nonNegative = number.map(Math.abs);

/** A record with optional keys. */
export function partial<T extends object>(
  fields: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
): fc.Arbitrary<Partial<T>> {
  return fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
}
