/** Reads colours: names, `#RRGGBB`, `rgb()` and colour functions. */
import { evaluateExpression } from '../../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../../filter/model/expression.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import { namedColors } from '../../../lib/values/named-colors.ts';
import type { Argument, Term } from '../tokens/terms.ts';
import { createTermKind, readNumberTerm, readShareTerm } from './value-kind.ts';

export const expectedColor = 'a colour such as red, #FF8800 or rgb(255, 136, 0)';

/** The number of arguments of each function. */
const colorFunctions: ReadonlyMap<string, number> = new Map([
  ['lighten', 2],
  ['darken', 2],
  ['saturate', 2],
  ['desaturate', 2],
  ['spin', 2],
  ['grayscale', 1],
  ['mix', 3],
  ['tint', 2],
  ['shade', 2],
  ['hsl', 3],
]);

export const color = createTermKind(expectedColor, readColorTerm);

export function readColorTerm(term: Term): Expression | undefined {
  switch (term.kind) {
    case 'hash':
      return parseHexColor(term.text);
    case 'word':
      return findNamedColor(term.text);
    case 'string':
      return term.text.startsWith('#') ? parseHexColor(term.text) : findNamedColor(term.text);
    case 'expression':
      return term.expression;
    case 'call':
      return term.name.toLowerCase() === 'rgb' ? readRgb(term.arguments) : readColorCall(term);
    case 'number':
      return undefined;
  }
}

function findNamedColor(name: string): Expression | undefined {
  const hex = namedColors.get(name.toLowerCase());
  return hex === undefined ? undefined : createLiteral(hex);
}

function parseHexColor(text: string): Expression | undefined {
  const digits = text.slice(1).toUpperCase();
  if (/^[0-9A-F]{6}$/.test(digits)) return createLiteral(`#${digits}`);
  return /^[0-9A-F]{3}$/.test(digits) ? createLiteral(`#${digits.replace(/./g, '$&$&')}`) : undefined;
}

function readRgb(given: readonly Argument[]): Expression | undefined {
  // If any number has a decimal point, all three are fractions from 0 to 1.
  const full = given.some(({ terms: [term] }) => term?.kind === 'number' && term.text.includes('.')) ? 255 : 1;
  const parts = given.map(({ terms: [term, ...more] }) => (more.length === 0 ? readChannel(term, full) : undefined));
  if (parts.length !== 3 || !parts.every((part) => part !== undefined)) return undefined;
  return createLiteral(
    `#${parts
      .map((part) => part.toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase()}`,
  );
}

function readChannel(term: Term | undefined, full: number): number | undefined {
  if (term?.kind !== 'number' || (term.unit !== '' && term.unit !== '%')) return undefined;
  const value = Math.round(Number(term.text) * (term.unit === '%' ? 2.55 : full));
  return value >= 0 && value <= 255 ? value : undefined;
}

/** Evaluated immediately if it does not depend on a feature. */
function readColorCall(call: Term & { readonly kind: 'call' }): Expression | undefined {
  const name = call.name.toLowerCase();
  if (colorFunctions.get(name) !== call.arguments.length) return undefined;
  const inputs = call.arguments.map(({ terms: [term, ...more] }) =>
    term === undefined || more.length > 0
      ? undefined
      : (readShareTerm(term) ?? readNumberTerm(term) ?? readColorTerm(term)),
  );
  if (!inputs.every((input) => input !== undefined)) return undefined;
  const expression: Expression = { kind: 'function', name, arguments: inputs };
  const isFixed = inputs.every(({ kind }) => kind === 'literal');
  if (!isFixed) return expression;
  const result = evaluateExpression(expression, {});
  return typeof result === 'string' ? createLiteral(result) : undefined;
}
