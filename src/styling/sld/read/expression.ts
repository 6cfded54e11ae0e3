/** Reads expressions. */

import type { ArithmeticOperator, Expression } from '../../../data/filter/expression.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { geometries } from '../grammar/names.ts';
import { attribute, childElements } from './elements.ts';
import { readGeometry } from './geometry.ts';
import { readLiteral } from './literal.ts';
import type { Reading } from './reading.ts';
import { readSymbologyFunction } from './symbology-function.ts';
import { textOf } from './text.ts';

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
      return geometryNames.has(element.local)
        ? readGeometry(reading, element)
        : readSymbologyFunction(reading, element);
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
