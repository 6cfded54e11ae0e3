/** Parses JSON fast and keeps the spelling of numbers, because `1.0` differs from `1` where text is expected. */
import type { Json } from './value.ts';

/** Candidates for numbers; they can be inside strings, too. */
const likeNumbers = /[\s:,[](-?\d[-+.\deE]*)(?=[\s,\]}])/g;

/** Parses JSON. A number that JavaScript would write differently becomes the text of the number. */
export function parseKeepingNumberText(text: string): Json {
  // The reviver makes parsing several times slower, and few documents need it.
  return hasNonCanonicalNumbers(text) ? JSON.parse(text, keepNumberText) : JSON.parse(text);
}

function hasNonCanonicalNumbers(text: string): boolean {
  for (const [, number] of text.matchAll(likeNumbers)) {
    if (String(Number(number)) !== number) return true;
  }
  return false;
}

function keepNumberText(_name: string, value: Json, context?: { readonly source?: string }): Json {
  return typeof value === 'number' && String(value) !== context?.source ? (context?.source ?? value) : value;
}
