/** Evaluates an expression for a feature. */
import type { Arithmetic, ArithmeticOperator, Expression, FunctionCall } from '../model/expression.ts';
import { classifyingFunctions } from './functions/classifying.ts';
import { colorFunctions } from './functions/color.ts';
import { decidingFunctions } from './functions/deciding.ts';
import { mathFunctions } from './functions/math.ts';
import type { StyleFunction } from './functions/style-function.ts';
import { textFunctions } from './functions/text.ts';
import { type FeatureValues, type StyleValue, toNumber, toText } from './values/style-value.ts';

/**
 * Returns null for a missing value, such as an absent attribute. Returns undefined if the value is unknown: a
 * geometry, or an unknown function without a fallback.
 */
export function evaluateExpression(expression: Expression, feature: FeatureValues): StyleValue | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'property':
      return readProperty(feature, expression.name);
    case 'arithmetic':
      return evaluateArithmetic(expression, feature);
    case 'concatenation': {
      const parts = expression.parts.map((part) => evaluateExpression(part, feature));
      return parts.every((part) => part !== undefined) ? parts.map(toText).join('') : undefined;
    }
    case 'function':
      return evaluateCall(expression, feature);
    case 'geometry':
      return undefined;
  }
}

/** Finds the value by the name as written, or by its last step if it is a path or has a prefix. */
function readProperty(feature: FeatureValues, name: string): StyleValue {
  if (Object.hasOwn(feature, name)) return feature[name] ?? null;
  const local = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
  return Object.hasOwn(feature, local) ? (feature[local] ?? null) : null;
}

function evaluateArithmetic({ operator, left, right }: Arithmetic, feature: FeatureValues): StyleValue | undefined {
  const [leftValue, rightValue] = [evaluateExpression(left, feature), evaluateExpression(right, feature)];
  return leftValue === undefined || rightValue === undefined
    ? undefined
    : computeArithmetic(operator, leftValue, rightValue);
}

/** Returns null if an operand or the result is not a number. */
export function computeArithmetic(operator: ArithmeticOperator, left: StyleValue, right: StyleValue): StyleValue {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a === undefined || b === undefined) return null;
  const result = calculate(operator, a, b);
  return Number.isFinite(result) ? result : null;
}

function calculate(operator: ArithmeticOperator, a: number, b: number): number {
  switch (operator) {
    case 'add':
      return a + b;
    case 'subtract':
      return a - b;
    case 'multiply':
      return a * b;
    case 'divide':
      return a / b;
  }
}

function evaluateCall(call: FunctionCall, feature: FeatureValues): StyleValue | undefined {
  const values = call.arguments.map((each) => evaluateExpression(each, feature));
  const isProperty = call.name.toLowerCase() === 'property' && typeof values[0] === 'string';
  const result = isProperty ? readProperty(feature, String(values[0])) : findFunction(call.name)?.(values);
  return result ?? call.fallback ?? result;
}

/** Whether the function exists and its value depends on its arguments only; `property` depends on the feature. */
export function isKnownFunction(name: string): boolean {
  return findFunction(name) !== undefined;
}

/** Returns the names in lower case. */
export function listFunctionNames(): readonly string[] {
  return [textFunctions, mathFunctions, decidingFunctions, classifyingFunctions, colorFunctions].flatMap((each) => [
    ...each.keys(),
  ]);
}

/** Finds a function by its name in any case. */
export function findFunction(name: string): StyleFunction | undefined {
  const key = name.toLowerCase();
  return (
    textFunctions.get(key) ??
    mathFunctions.get(key) ??
    decidingFunctions.get(key) ??
    classifyingFunctions.get(key) ??
    colorFunctions.get(key)
  );
}
