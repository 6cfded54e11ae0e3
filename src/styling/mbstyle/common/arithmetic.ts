/** Arithmetic on expressions, which computes constants at once. */
import type { Expression, FunctionCall } from '../../../filter/model/expression.ts';
import { createLiteral, readLiteralNumber } from '../../../filter/model/literal.ts';

/** Multiplies numbers; constants at once. */
export function multiply(left: Expression | undefined, right: Expression | undefined): Expression | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const [a, b] = [readLiteralNumber(left), readLiteralNumber(right)];
  if (a === 1) return right;
  if (b === 1) return left;
  if (a !== undefined && b !== undefined) return createLiteral(Number((a * b).toPrecision(12)));
  if (b !== undefined && isStepped(left)) return mapOutputs(left, (output) => multiply(output, right) ?? output);
  if (a !== undefined && isStepped(right)) return mapOutputs(right, (output) => multiply(left, output) ?? output);
  return { kind: 'arithmetic', operator: 'multiply', left, right };
}

export function add(left: Expression, right: Expression): Expression {
  const [a, b] = [readLiteralNumber(left), readLiteralNumber(right)];
  if (a !== undefined && b !== undefined) return createLiteral(Number((a + b).toPrecision(12)));
  if (b !== undefined && isStepped(left)) return mapOutputs(left, (output) => add(output, right));
  if (a !== undefined && isStepped(right)) return mapOutputs(right, (output) => add(left, output));
  return { kind: 'arithmetic', operator: 'add', left, right };
}

/** The zoom must be the input of the outermost function, so that arithmetic is applied to its outputs. */
function isStepped(expression: Expression): expression is FunctionCall {
  return expression.kind === 'function' && (expression.name === 'Interpolate' || expression.name === 'Categorize');
}

function mapOutputs(call: FunctionCall, change: (output: Expression) => Expression): Expression {
  const firstOutput = call.name === 'Categorize' ? 1 : 2;
  const isOutput = (index: number) => index >= firstOutput && (index - firstOutput) % 2 === 0;
  return { ...call, arguments: call.arguments.map((each, index) => (isOutput(index) ? change(each) : each)) };
}

export function isZero(expression: Expression): boolean {
  return readLiteralNumber(expression) === 0;
}

export function negateNumber(expression: Expression): Expression {
  const value = readLiteralNumber(expression);
  if (value !== undefined) return createLiteral(0 - value);
  return multiply(expression, createLiteral('-1')) ?? expression;
}
