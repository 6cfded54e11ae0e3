/** Reads values that are text, an expression, or both mixed. */

import type { Expression } from '../../../data/filter/expression.ts';
import { literal } from '../../../data/filter/literal.ts';
import type { XmlElement, XmlText } from '../../../lib/xml/element.ts';
import { quoted } from '../grammar/expected.ts';
import { readExpression } from './expression.ts';
import type { Reading } from './reading.ts';
import { collapsed, trimmed, trimmedEnd, trimmedStart } from './text.ts';
import type { ValueKind } from './values.ts';

/** Text between expressions; from CDATA, it is content to the last space. */
interface TextPiece {
  readonly kind: 'text';
  readonly text: string;
  readonly isVerbatim: boolean;
}

type Piece = TextPiece | { readonly kind: 'expression'; readonly expression: Expression };

/** A value, which must be of that kind unless it depends on the feature. */
export function readParameter(reading: Reading, element: XmlElement, kind: ValueKind): Expression | undefined {
  const value = readMixed(reading, element, trimEach);
  if (value?.kind === 'literal' && !kind.accepts(value.value)) {
    const found = value.value === '' ? 'nothing' : quoted(value.value);
    reading.complaints.add(element, `${describe(element)} is ${found}, but ${kind.expected} was expected`);
    return undefined;
  }
  return value;
}

/** The text of a label, where white space between two expressions is a space, and line ends are spaces too. */
export function readLabel(reading: Reading, element: XmlElement): Expression | undefined {
  return readMixed(reading, element, collapseAll);
}

/** The numbers of a dash array: words of text and whole expressions, side by side. */
export function readValueList(reading: Reading, element: XmlElement, kind: ValueKind): readonly Expression[] {
  const pieces = piecesOf(reading, element) ?? [];
  const values: Expression[] = [];
  for (const piece of pieces) {
    const text =
      piece.kind === 'text' ? piece.text : piece.expression.kind === 'literal' ? piece.expression.value : undefined;
    if (text !== undefined) {
      for (const word of text.split(/[ \t\r\n,]+/)) {
        if (word === '') continue;
        if (kind.accepts(word)) values.push(literal(word));
        else
          reading.complaints.add(
            element,
            `${describe(element)} holds ${quoted(word)}, but ${kind.expected} was expected`,
          );
      }
    } else if (piece.kind === 'expression') {
      values.push(piece.expression);
    }
  }
  return values;
}

/** Joins text and expressions to one expression; neighbouring texts become one. */
export function concatenated(parts: readonly Expression[]): Expression {
  const joined: Expression[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'literal' && last?.kind === 'literal')
      joined[joined.length - 1] = literal(last.value + part.value);
    else joined.push(part);
  }
  const present = joined.filter((part) => part.kind !== 'literal' || part.value !== '');
  const [first] = present;
  if (first === undefined) return literal('');
  return present.length === 1 ? first : { kind: 'concatenation', parts: present };
}

/** What a complaint calls an element: its name, and for one of many parameters which. */
export function describe(element: XmlElement): string {
  const name = element.attributes.find((each) => each.uri === '' && each.name === 'name')?.value;
  return name === undefined ? element.local : `${element.local} ${quoted(name)}`;
}

function readMixed(
  reading: Reading,
  element: XmlElement,
  withoutSpace: (pieces: readonly Piece[]) => readonly Piece[],
): Expression | undefined {
  const pieces = piecesOf(reading, element);
  if (pieces === undefined) return undefined;
  return concatenated(
    withoutSpace(pieces).map((piece) => (piece.kind === 'text' ? literal(piece.text) : piece.expression)),
  );
}

function piecesOf(reading: Reading, element: XmlElement): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let isComplete = true;
  for (const node of element.children) {
    if (node.kind === 'text') {
      // One by one, since a text of a hundred thousand CDATA sections is more than a call takes as arguments.
      for (const piece of piecesOfText(node)) pieces.push(piece);
    } else {
      const expression = readExpression(reading, node);
      if (expression === undefined) isComplete = false;
      else pieces.push({ kind: 'expression', expression });
    }
  }
  return isComplete ? pieces : undefined;
}

/** Divides a text at the borders of its CDATA sections. */
export function piecesOfText({ text, cdata = [] }: XmlText): readonly TextPiece[] {
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

function trimEach(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece) =>
    piece.kind === 'text' && !piece.isVerbatim ? { ...piece, text: trimmed(piece.text) } : piece,
  );
}

function collapseAll(pieces: readonly Piece[]): readonly Piece[] {
  const kept = pieces.map((piece) =>
    piece.kind === 'text' && !piece.isVerbatim ? { ...piece, text: collapsed(piece.text) } : piece,
  );
  return withoutOuterSpace(kept);
}

function withoutOuterSpace(pieces: readonly Piece[]): readonly Piece[] {
  const kept = [...pieces];
  for (let first = kept[0]; first?.kind === 'text' && !first.isVerbatim; first = kept[0]) {
    const text = trimmedStart(first.text);
    if (text !== '') {
      kept[0] = { ...first, text };
      break;
    }
    kept.shift();
  }
  for (let last = kept.at(-1); last?.kind === 'text' && !last.isVerbatim; last = kept.at(-1)) {
    const text = trimmedEnd(last.text);
    if (text !== '') {
      kept[kept.length - 1] = { ...last, text };
      break;
    }
    kept.pop();
  }
  return kept;
}
