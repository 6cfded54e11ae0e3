/** Reads expressions, by themselves and as the values of elements, where they may be mixed with text. */

import type { ArithmeticOperator, Expression, FunctionCall } from '../../../data/filter/expression.ts';
import { literal } from '../../../data/filter/literal.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { quoted } from '../grammar/expected.ts';
import { geometries } from '../grammar/names.ts';
import { attribute, childElements } from './elements.ts';
import { readGeometry } from './geometry.ts';
import { collapseAll, concatenated, type Piece, piecesOfText, trimEach } from './mixed-content.ts';
import type { Reading } from './reading.ts';
import { readSymbologyFunction } from './symbology-function.ts';
import { textOf, trimmed, trimmedEnd, trimmedStart } from './text.ts';
import { anyText, type ValueKind } from './values.ts';

const geometryNames: ReadonlySet<string> = new Set(geometries);

export function readExpression(reading: Reading, element: XmlElement): Expression | undefined {
  switch (element.local) {
    case 'Literal':
      return readLiteral(reading, element);
    case 'PropertyName':
      return readPropertyName(reading, element);
    case 'Function':
      return readFunction(reading, element);
    case 'Add':
      return readArithmetic(reading, element, 'add');
    case 'Sub':
      return readArithmetic(reading, element, 'subtract');
    case 'Mul':
      return readArithmetic(reading, element, 'multiply');
    case 'Div':
      return readArithmetic(reading, element, 'divide');
    default:
      return geometryNames.has(element.local) ? readGeometry(reading, element) : readFunctionElement(reading, element);
  }
}

/** The expressions in an element; undefined if one of them cannot be read. */
export function readExpressions(reading: Reading, element: XmlElement): readonly Expression[] | undefined {
  const expressions = childElements(element).map((each) => readExpression(reading, each));
  return expressions.every((each) => each !== undefined) ? expressions : undefined;
}

/** The only expression in an element. */
export function readOnlyExpression(reading: Reading, element: XmlElement): Expression | undefined {
  return readExpressions(reading, element)?.[0];
}

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

/** What a complaint calls an element: its name, and for one of many parameters which. */
function describe(element: XmlElement): string {
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

/** A function that Symbology Encoding spells as an element of its own. */
export function readFunctionElement(reading: Reading, element: XmlElement): FunctionCall | undefined {
  return readSymbologyFunction(reading, element, (each) => readParameter(reading, each, anyText));
}

/** Text to the last space, but not the indentation around it; or a geometry. */
function readLiteral(reading: Reading, element: XmlElement): Expression | undefined {
  const [inner, second] = childElements(element);
  if (inner === undefined) return literal(contentOf(element));
  if (!geometryNames.has(inner.local) || second !== undefined) {
    const found = quoted((second ?? inner).name);
    reading.complaints.add(second ?? inner, `${found} is not expected in Literal. Expected: text or one geometry`);
    return undefined;
  }
  return readGeometry(reading, inner);
}

/**
 * White space is content in a literal (`, ` between two names), unless it holds a line end: then somebody has put the
 * text on a line of its own. What comes from CDATA is content in any case, and so is white space with nothing else.
 */
function contentOf(element: XmlElement): string {
  const [node] = element.children;
  if (node?.kind !== 'text') return '';
  const { text, cdata = [] } = node;
  if (trimmed(text) === '') return text;

  const verbatimStart = cdata[0]?.[0] ?? text.length;
  const verbatimEnd = cdata.at(-1)?.[1] ?? 0;
  const start = Math.min(text.length - trimmedStart(text).length, verbatimStart);
  const end = Math.max(trimmedEnd(text).length, verbatimEnd);
  const from = text.slice(0, start).includes('\n') ? start : 0;
  const to = text.slice(end).includes('\n') ? end : text.length;
  return text.slice(from, to);
}

function readPropertyName(reading: Reading, element: XmlElement): Expression | undefined {
  const name = textOf(element);
  if (name !== '') return { kind: 'property', name };
  reading.complaints.add(element, 'PropertyName is empty, but the name of an attribute was expected');
  return undefined;
}

function readFunction(reading: Reading, element: XmlElement): Expression | undefined {
  const name = attribute(element, 'name');
  if (name?.trim() === '') reading.complaints.add(element, 'the function has an empty name');
  const expressions = readExpressions(reading, element);
  if (expressions === undefined) return undefined;
  return {
    kind: 'function',
    name: name?.trim() ?? '',
    arguments: expressions,
    fallback: attribute(element, 'fallbackValue'),
  };
}

function readArithmetic(reading: Reading, element: XmlElement, operator: ArithmeticOperator): Expression | undefined {
  const [left, right] = readExpressions(reading, element) ?? [];
  return left === undefined || right === undefined ? undefined : { kind: 'arithmetic', operator, left, right };
}
