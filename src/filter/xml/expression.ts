/** Reads the expressions of Filter Encoding. */
import { formatFoundCount } from '../../lib/text/wording.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute, listChildElements } from '../../lib/xml/elements.ts';
import { readElementText, trimSpace, trimSpaceEnd, trimSpaceStart } from '../../lib/xml/text.ts';
import type { ArithmeticOperator, Expression } from '../model/expression.ts';
import { createLiteral } from '../model/literal.ts';
import { formatUnexpected, quoteExcerpt, type XmlFilterContext } from './filter-context.ts';
import { isGeometryElement, readGeometry } from './geometry.ts';

/** Returns undefined after an error was reported. */
export function readXmlExpression(reading: XmlFilterContext, element: XmlElement): Expression | undefined {
  const expression = readExpressionElement(reading, element);
  if (expression !== undefined) reading.locate?.(expression, element);
  return expression;
}

function readExpressionElement(reading: XmlFilterContext, element: XmlElement): Expression | undefined {
  switch (element.local) {
    case 'Literal':
      return readLiteral(reading, element);
    case 'PropertyName':
    case 'ValueReference':
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
    default: {
      if (isGeometryElement(element)) return readGeometry(reading, element);
      const other = reading.readOther?.(element);
      if (other === undefined)
        reading.reportMisplaced(
          element,
          formatUnexpected(element, 'an expression such as PropertyName, Literal or Function'),
        );
      return other;
    }
  }
}

/** Reads the given number of expressions; returns undefined if one of them is invalid. */
export function readXmlExpressions(
  reading: XmlFilterContext,
  elements: readonly XmlElement[],
  count: number,
  parent: XmlElement,
): readonly Expression[] | undefined {
  if (elements.length !== count)
    reading.reportMisplaced(
      parent,
      `${parent.local} requires ${count === 1 ? 'one expression' : `${count} expressions`}, but ${formatFoundCount(elements.length)}`,
    );
  const expressions = elements.map((each) => readXmlExpression(reading, each));
  return expressions.every((each) => each !== undefined) ? expressions : undefined;
}

/** Reads text without its indentation, or a geometry. */
function readLiteral(reading: XmlFilterContext, element: XmlElement): Expression | undefined {
  const [inner, second] = listChildElements(element);
  if (inner === undefined) return createLiteral(readContent(element));
  if (!isGeometryElement(inner) || second !== undefined) {
    const found = quoteExcerpt((second ?? inner).name);
    reading.report(second ?? inner, `${found} is not expected in Literal. Expected: text or one geometry`);
    return undefined;
  }
  return readGeometry(reading, inner);
}

/**
 * White space is content in a literal (`, ` between two names), unless it contains a line break, which indicates
 * indentation. CDATA and white-space-only text are always content.
 */
function readContent(element: XmlElement): string {
  const [node] = element.children;
  if (node?.kind !== 'text') return '';
  const { text, cdata = [] } = node;
  if (trimSpace(text) === '') return text;

  const verbatimStart = cdata[0]?.[0] ?? text.length;
  const verbatimEnd = cdata.at(-1)?.[1] ?? 0;
  const start = Math.min(text.length - trimSpaceStart(text).length, verbatimStart);
  const end = Math.max(trimSpaceEnd(text).length, verbatimEnd);
  const from = text.slice(0, start).includes('\n') ? start : 0;
  const to = text.slice(end).includes('\n') ? end : text.length;
  return text.slice(from, to);
}

function readPropertyName(reading: XmlFilterContext, element: XmlElement): Expression | undefined {
  const [inner] = listChildElements(element);
  if (inner !== undefined) reading.reportMisplaced(inner, formatUnexpected(inner, 'an attribute name'));
  const name = readElementText(element);
  if (name !== '') return { kind: 'property', name };
  reading.report(element, `${element.local} is empty, but an attribute name was expected`);
  return undefined;
}

function readFunction(reading: XmlFilterContext, element: XmlElement): Expression | undefined {
  const name = attribute(element, 'name');
  if (name === undefined) reading.reportMisplaced(element, "the attribute 'name' is missing on Function");
  if (name?.trim() === '') reading.report(element, 'the function name is empty');
  const elements = listChildElements(element);
  const expressions = readXmlExpressions(reading, elements, elements.length, element);
  if (expressions === undefined || name === undefined || name.trim() === '') return undefined;
  return {
    kind: 'function',
    name: name.trim(),
    arguments: expressions,
    fallback: attribute(element, 'fallbackValue'),
  };
}

function readArithmetic(
  reading: XmlFilterContext,
  element: XmlElement,
  operator: ArithmeticOperator,
): Expression | undefined {
  const [left, right] = readXmlExpressions(reading, listChildElements(element), 2, element) ?? [];
  return left === undefined || right === undefined ? undefined : { kind: 'arithmetic', operator, left, right };
}
