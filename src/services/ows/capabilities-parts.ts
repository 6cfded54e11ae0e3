/**
 * Common parts of capabilities writers. Documents are written in pieces, because there may be a hundred thousand
 * entries.
 */
import { problem } from '../../lib/problems/problem.ts';
import { escapeText } from '../../lib/xml/escape.ts';

/** Writes `<name>text</name>`, or nothing for an empty text. */
export function writeTextElement(name: string, text: string): string {
  return text === '' ? '' : `<${name}>${escapeText(text)}</${name}>`;
}

/** Several entries per piece reduce the number of awaits. */
const ENTRIES_PER_PIECE = 20;

export function* writeInPieces<T>(entries: Iterable<T>, print: (entry: T) => string): Iterable<string> {
  let piece = '';
  let held = 0;
  for (const entry of entries) {
    piece += print(entry);
    held += 1;
    if (held === ENTRIES_PER_PIECE) {
      yield piece;
      piece = '';
      held = 0;
    }
  }
  yield piece;
}

/** Implements the updateSequence negotiation: an equal value is CurrentUpdateSequence, a larger one is invalid. */
export function checkUpdateSequence(requested: string | undefined, current: number): void {
  if (requested === undefined) return;
  const number = /^\d{1,15}$/.test(requested) ? Number(requested) : Number.POSITIVE_INFINITY;
  if (number >= current) {
    throw problem('ows-update-sequence', {
      asked: requested,
      current,
      isCurrent: number === current,
      field: 'updateSequence',
    });
  }
}
