/** Reads `@sd` and `@scale` in values: the scale that a map is drawn at, which SLD knows as a variable of the request. */
import type { Expression, FunctionCall } from '../../../data/filter/expression.ts';
import { createLiteral } from '../../../data/filter/literal.ts';

export const scaleVariables: ReadonlySet<string> = new Set(['@sd', '@scale']);

export const scaleDenominator: FunctionCall = {
  kind: 'function',
  name: 'env',
  arguments: [createLiteral('wms_scale_denominator')],
};

/** The same expression without names that begin with `@`, or the first of these that is not known. */
export function withScale(expression: Expression): Expression | { readonly kind: 'unknown'; readonly name: string } {
  let unknown: string | undefined;
  const visit = (part: Expression): Expression => {
    switch (part.kind) {
      case 'property':
        if (!part.name.startsWith('@')) return part;
        if (!scaleVariables.has(part.name)) unknown ??= part.name;
        return scaleDenominator;
      case 'function':
        return { ...part, arguments: part.arguments.map(visit) };
      case 'arithmetic':
        return { ...part, left: visit(part.left), right: visit(part.right) };
      case 'concatenation':
        return { ...part, parts: part.parts.map(visit) };
      default:
        return part;
    }
  };
  const replaced = visit(expression);
  return unknown === undefined ? replaced : { kind: 'unknown', name: unknown };
}
