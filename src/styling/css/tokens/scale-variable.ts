/** Reads `@sd` and `@scale` in values: the scale of the map, which is a request variable in SLD. */
import type { Expression, FunctionCall } from '../../../filter/model/expression.ts';
import { createLiteral } from '../../../filter/model/literal.ts';

export const scaleVariables: ReadonlySet<string> = new Set(['@sd', '@scale']);

export const scaleDenominator: FunctionCall = {
  kind: 'function',
  name: 'env',
  arguments: [createLiteral('wms_scale_denominator')],
};

/** Returns the expression without names that start with `@`, or the first unknown one. */
export function replaceScaleVariables(
  expression: Expression,
): Expression | { readonly kind: 'unknown'; readonly name: string } {
  let unknown: string | undefined;
  const replaceIn = (part: Expression): Expression => {
    switch (part.kind) {
      case 'property':
        if (!part.name.startsWith('@')) return part;
        if (!scaleVariables.has(part.name)) unknown ??= part.name;
        return scaleDenominator;
      case 'function':
        return { ...part, arguments: part.arguments.map(replaceIn) };
      case 'arithmetic':
        return { ...part, left: replaceIn(part.left), right: replaceIn(part.right) };
      case 'concatenation':
        return { ...part, parts: part.parts.map(replaceIn) };
      default:
        return part;
    }
  };
  const replaced = replaceIn(expression);
  return unknown === undefined ? replaced : { kind: 'unknown', name: unknown };
}
