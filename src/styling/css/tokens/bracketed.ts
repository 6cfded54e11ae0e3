/** Reads the ECQL between square brackets. */
import { findStringEnd, type Scanner } from './scanner.ts';

export interface BracketedText {
  /** Without the brackets. */
  readonly text: string;
  /** The position of the text in the style sheet. */
  readonly offset: number;
}

/** Reads `[…]`. If it is not closed, reports an error and reads only the bracket. Strings may contain brackets. */
export function readBracketed(scanner: Scanner, field: string): BracketedText | undefined {
  const { text } = scanner;
  const start = scanner.at;
  scanner.at += 1;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === ']') {
      scanner.at = at + 1;
      return { text: text.slice(start + 1, at), offset: start + 1 };
    }
    if (character === "'" || character === '"') {
      // ECQL escapes a quote by doubling it, which reads as two adjacent strings. The ECQL reader reports unclosed
      // strings.
      const end = findStringEnd(text, at, false);
      if (end !== undefined) at = end - 1;
    } else if (character === '{' || character === '}' || character === ';' || character === '[') {
      break;
    }
  }
  scanner.complaints.add(start, field, "the bracket that begins here has no closing ']'");
  return undefined;
}
