/** Reads the functions that choose a value by another, such as `categorize(@sd, 3, 50k, 1)`, outside of brackets. */
import type { Expression } from '../../../data/filter/expression.ts';
import { literal } from '../../../data/filter/literal.ts';
import { namedColors } from '../../../lib/named-colors.ts';
import type { Term } from '../parse/terms.ts';

/** All others stand in brackets, where a misspelt name of a colour function is not taken for a function. */
const names: ReadonlySet<string> = new Set(['categorize', 'interpolate', 'recode', 'env', 'if_then_else']);

const magnitudes: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9 };

export function choosingCall(term: Term): Expression | undefined {
  if (term.kind !== 'call' || !names.has(term.name.toLowerCase())) return undefined;
  const inputs = term.arguments.map(({ name, terms: [only, ...more] }) =>
    only === undefined || more.length > 0 || name !== undefined ? undefined : inputOf(only),
  );
  return inputs.every((each) => each !== undefined)
    ? { kind: 'function', name: term.name, arguments: inputs }
    : undefined;
}

function inputOf(term: Term): Expression | undefined {
  switch (term.kind) {
    case 'expression':
      return term.expression;
    case 'call':
      return choosingCall(term);
    case 'number': {
      const factor = term.unit === '' ? 1 : magnitudes[term.unit];
      if (factor !== undefined) return literal(factor === 1 ? term.text : String(Number(term.text) * factor));
      return literal(term.text + term.unit);
    }
    case 'hash':
      return literal(term.text.toUpperCase());
    case 'word':
      return literal(namedColors.get(term.text.toLowerCase()) ?? term.text);
    default:
      return literal(term.text);
  }
}
