/** JSON -> values, fast, and with the spelling of numbers: `1.0` is no `1` where somebody wants a text. */
import type { Json } from './value.ts';

/** Whatever stands where a number may; it may stand in a text, too. */
const likeNumbers = /[\s:,[](-?\d[-+.\deE]*)(?=[\s,\]}])/g;

/** A value whose text is JSON. A number that is not written as JavaScript would is the text that it was written as. */
export function parseKeepingNumberText(text: string): Json {
  // Few documents have one, and it takes several times as long to look at each value.
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
