/** Random characters for property tests. */
import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10ffff;

/**
 * Any code point except surrogates, as `unit` of texts. The unit `binary` of fast-check has the same characters, but keeps a
 * map of all of them: a second of processor time and 90 MB for each test process.
 */
export const codePoint = fc
  .integer({ min: 0, max: LAST - SURROGATES })
  .map((at) => String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES));
