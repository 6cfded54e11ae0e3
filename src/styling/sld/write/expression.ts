/** Writes expressions. */
import type { ArithmeticOperator, Expression, FunctionCall } from '../../../data/filter/expression.ts';
import { trimmed, trimmedEnd, trimmedStart } from '../read/text.ts';
import { writeGeometry } from './geometry.ts';
import { element, mixed, type OutputElement, type OutputNode, textElement } from './output.ts';
import { writeSymbologyFunction } from './symbology-function.ts';
import type { Writing } from './writing.ts';

const arithmeticNames: Readonly<Record<ArithmeticOperator, string>> = {
  add: 'ogc:Add',
  subtract: 'ogc:Sub',
  multiply: 'ogc:Mul',
  divide: 'ogc:Div',
};

export function writeExpression(writing: Writing, expression: Expression): OutputElement {
  switch (expression.kind) {
    case 'literal':
      return mixed('ogc:Literal', [literalContent(expression.value)]);
    case 'property':
      return textElement('ogc:PropertyName', expression.name);
    case 'function':
      return writeFunction(writing, expression);
    case 'arithmetic':
      return element(arithmeticNames[expression.operator], [
        writeExpression(writing, expression.left),
        writeExpression(writing, expression.right),
      ]);
    case 'concatenation':
      // Text and expressions can only stand side by side in a parameter; elsewhere a function joins them.
      return writeFunction(writing, { kind: 'function', name: 'Concatenate', arguments: expression.parts });
    case 'geometry':
      return element('ogc:Literal', [writeGeometry(writing, expression)]);
  }
}

/** An operand of a spatial filter, where a geometry stands by itself. */
export function writeOperand(writing: Writing, expression: Expression): OutputElement {
  return expression.kind === 'geometry' ? writeGeometry(writing, expression) : writeExpression(writing, expression);
}

function writeFunction(writing: Writing, call: FunctionCall): OutputElement {
  const spelledOut =
    writing.isSymbologyEncoding && call.fallback !== undefined ? writeSymbologyFunction(writing, call) : undefined;
  return (
    spelledOut ??
    element(
      'ogc:Function',
      call.arguments.map((each) => writeExpression(writing, each)),
      { name: call.name, fallbackValue: call.fallback },
    )
  );
}

/** White space with a line end around a literal is taken for indentation, unless it stands in CDATA. */
function literalContent(value: string): OutputNode {
  if (trimmed(value) === '') return value;
  const before = value.slice(0, value.length - trimmedStart(value).length);
  const after = value.slice(trimmedEnd(value).length);
  return before.includes('\n') || after.includes('\n') ? { cdata: value } : value;
}
