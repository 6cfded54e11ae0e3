/** Evaluates the expressions of parameters, which are independent of features. */
import { evaluateExpression } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { resolveGeometry } from '../../filter/resolve/geometry.ts';
import type { RawParameters, RawValue } from './parameters.ts';

/** Values that cannot be computed count as missing. */
export function evaluateParameters(given: ReadonlyMap<string, readonly Expression[]>): RawParameters {
  return new Map([...given].map(([name, values]) => [name, values.map(evaluateValue)]));
}

function evaluateValue(expression: Expression): RawValue {
  // An attribute is often written like a property.
  if (expression.kind === 'property') return expression.name;
  if (expression.kind === 'geometry') {
    try {
      const operand = resolveGeometry(expression, undefined, { attributes: [] });
      return operand.kind === 'geometry' ? operand.geometry : null;
    } catch {
      // A geometry without positions is no geometry.
      return null;
    }
  }
  return evaluateExpression(expression, {}) ?? null;
}
