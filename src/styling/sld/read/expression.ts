/** Reads expressions, alone and as values of elements, where they may be mixed with text. */

import type { Expression, FunctionCall } from '../../../filter/model/expression.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import { readXmlExpression, readXmlExpressions, type XmlFilterContext } from '../../../filter/xml/xml.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { listChildElements } from '../../../lib/xml/elements.ts';
import type { SldReadContext } from '../document/read-context.ts';
import { quoteText } from '../grammar/expected.ts';
import { collapseAll, concatenate, type Piece, splitText, trimEach } from './mixed-content.ts';
import { readSymbologyFunction } from './symbology-function.ts';
import { anyText, type ValueKind } from './values.ts';

/** Creates the context for reading filters and expressions in a style. */
export function createFilterReading(reading: SldReadContext): XmlFilterContext {
  return {
    report: (element, message) => reading.complaints.add(element, message),
    // The structure check has reported it.
    reportMisplaced: () => undefined,
    readOther: (element) => readFunctionElement(reading, element),
  };
}

function readExpression(reading: SldReadContext, element: XmlElement): Expression | undefined {
  return readXmlExpression(createFilterReading(reading), element);
}

/** Reads the only expression in an element. */
export function readOnlyExpression(reading: SldReadContext, element: XmlElement): Expression | undefined {
  return readXmlExpressions(createFilterReading(reading), listChildElements(element), 1, element)?.[0];
}

/** Reads a value, which must have the type unless it depends on the feature. */
export function readParameter(reading: SldReadContext, element: XmlElement, kind: ValueKind): Expression | undefined {
  const value = readMixed(reading, element, trimEach);
  if (value?.kind !== 'literal' || kind.isValid(value.value)) return value;
  const corrected = reportInvalidValue(reading, element, value.value, kind);
  return corrected === undefined ? undefined : createLiteral(corrected);
}

/** Returns the value that was probably meant; undefined for the default. */
export function reportInvalidValue(
  reading: SldReadContext,
  element: XmlElement,
  text: string,
  kind: ValueKind,
): string | undefined {
  const found = text === '' ? 'empty' : quoteText(text);
  const problem = `${formatElementName(element)} is ${found}, but ${kind.expected} was expected`;
  const corrected = kind.correct?.(text);
  const outcome = corrected === undefined ? 'the default is used' : `it is read as ${corrected}`;
  reading.complaints.warnUnlessStrict(element, `${problem}: ${outcome}`, problem);
  return corrected;
}

/** Reads the text of a label. White space between two expressions is a space, and so are line ends. */
export function readLabel(reading: SldReadContext, element: XmlElement): Expression | undefined {
  return readMixed(reading, element, collapseAll);
}

/** Reads the numbers of a dash array: words of text and whole expressions, side by side. */
export function readValueList(reading: SldReadContext, element: XmlElement, kind: ValueKind): readonly Expression[] {
  const pieces = readPieces(reading, element) ?? [];
  const values: Expression[] = [];
  for (const piece of pieces) {
    const text =
      piece.kind === 'text' ? piece.text : piece.expression.kind === 'literal' ? piece.expression.value : undefined;
    if (text !== undefined) {
      for (const word of text.split(/[ \t\r\n,]+/)) {
        if (word === '') continue;
        if (kind.isValid(word)) values.push(createLiteral(word));
        else {
          const problem = `${formatElementName(element)} contains ${quoteText(word)}, but ${kind.expected} was expected`;
          const corrected = kind.correct?.(word);
          const outcome = corrected === undefined ? 'it is ignored' : `it is read as ${corrected}`;
          reading.complaints.warnUnlessStrict(element, `${problem}: ${outcome}`, problem);
          if (corrected !== undefined) values.push(createLiteral(corrected));
        }
      }
    } else if (piece.kind === 'expression') {
      values.push(piece.expression);
    }
  }
  return values;
}

/** Returns the name of an element for messages, with the name of a parameter. */
function formatElementName(element: XmlElement): string {
  const name = element.attributes.find((each) => each.uri === '' && each.name === 'name')?.value;
  return name === undefined ? element.local : `${element.local} ${quoteText(name)}`;
}

function readMixed(
  reading: SldReadContext,
  element: XmlElement,
  withoutSpace: (pieces: readonly Piece[]) => readonly Piece[],
): Expression | undefined {
  const pieces = readPieces(reading, element);
  if (pieces === undefined) return undefined;
  return concatenate(
    withoutSpace(pieces).map((piece) => (piece.kind === 'text' ? createLiteral(piece.text) : piece.expression)),
  );
}

function readPieces(reading: SldReadContext, element: XmlElement): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let isComplete = true;
  for (const node of element.children) {
    if (node.kind === 'text') {
      // Push one by one: a text of a hundred thousand CDATA sections exceeds the number of arguments of a call.
      for (const piece of splitText(node)) pieces.push(piece);
    } else {
      const expression = readExpression(reading, node);
      if (expression === undefined) isComplete = false;
      else pieces.push({ kind: 'expression', expression });
    }
  }
  return isComplete ? pieces : undefined;
}

/** Reads a function that Symbology Encoding writes as an element. */
export function readFunctionElement(reading: SldReadContext, element: XmlElement): FunctionCall | undefined {
  return readSymbologyFunction(reading, element, (each) => readParameter(reading, each, anyText));
}
