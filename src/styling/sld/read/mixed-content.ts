/** Handles mixed text and expressions: the significant white space, and the conversion to one expression. */
import type { Expression } from '../../../filter/model/expression.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import type { XmlText } from '../../../lib/xml/element.ts';
import { collapseSpace, trimSpace, trimSpaceEnd, trimSpaceStart } from '../../../lib/xml/text.ts';

/** Text between expressions; in CDATA, all white space is significant. */
interface TextPiece {
  readonly kind: 'text';
  readonly text: string;
  readonly isVerbatim: boolean;
}

export type Piece = TextPiece | { readonly kind: 'expression'; readonly expression: Expression };

/** Joins text and expressions to one expression; adjacent texts are merged. */
export function concatenate(parts: readonly Expression[]): Expression {
  const joined: Expression[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'literal' && last?.kind === 'literal')
      joined[joined.length - 1] = createLiteral(last.value + part.value);
    else joined.push(part);
  }
  const present = joined.filter((part) => part.kind !== 'literal' || part.value !== '');
  const [first] = present;
  if (first === undefined) return createLiteral('');
  return present.length === 1 ? first : { kind: 'concatenation', parts: present };
}

/** Splits a text at the borders of its CDATA sections. */
export function splitText({ text, cdata = [] }: XmlText): readonly TextPiece[] {
  if (cdata.length === 0) return [{ kind: 'text', text, isVerbatim: false }];
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const [start, end] of cdata) {
    if (start > at) pieces.push({ kind: 'text', text: text.slice(at, start), isVerbatim: false });
    pieces.push({ kind: 'text', text: text.slice(start, end), isVerbatim: true });
    at = end;
  }
  if (at < text.length) pieces.push({ kind: 'text', text: text.slice(at), isVerbatim: false });
  return pieces;
}

/** Removes white space around each text. */
export function trimEach(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece) =>
    piece.kind === 'text' && !piece.isVerbatim ? { ...piece, text: trimSpace(piece.text) } : piece,
  );
}

/** Collapses white space: between two expressions it is a space, and so are line ends. */
export function collapseAll(pieces: readonly Piece[]): readonly Piece[] {
  const kept = pieces.map((piece) =>
    piece.kind === 'text' && !piece.isVerbatim ? { ...piece, text: collapseSpace(piece.text) } : piece,
  );
  return trimOuterSpace(kept);
}

function trimOuterSpace(pieces: readonly Piece[]): readonly Piece[] {
  const kept = [...pieces];
  for (let first = kept[0]; first?.kind === 'text' && !first.isVerbatim; first = kept[0]) {
    const text = trimSpaceStart(first.text);
    if (text !== '') {
      kept[0] = { ...first, text };
      break;
    }
    kept.shift();
  }
  for (let last = kept.at(-1); last?.kind === 'text' && !last.isVerbatim; last = kept.at(-1)) {
    const text = trimSpaceEnd(last.text);
    if (text !== '') {
      kept[kept.length - 1] = { ...last, text };
      break;
    }
    kept.pop();
  }
  return kept;
}
