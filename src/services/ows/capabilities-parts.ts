/** What writers of capabilities share: documents in pieces, since there may be a hundred thousand entries. */
import { problem } from '../../lib/problems/problem.ts';
import { escapeText } from '../../lib/xml/escape.ts';

/** `<name>text</name>`, or nothing where there is no text. */
export function writeTextElement(name: string, text: string): string {
  return text === '' ? '' : `<${name}>${escapeText(text)}</${name}>`;
}

/** Some entries at a time: one by one would be as many waits. */
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

/** Whoever has the current capabilities already is told so, and nobody has those of a state that never was. */
export function checkUpdateSequence(asked: string | undefined, current: number): void {
  if (asked === undefined) return;
  const number = /^\d{1,15}$/.test(asked) ? Number(asked) : Number.POSITIVE_INFINITY;
  if (number >= current) {
    throw problem('ows-update-sequence', { asked, current, isCurrent: number === current, field: 'updateSequence' });
  }
}
