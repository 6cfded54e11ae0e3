/**
 * Lists what an expression refers to. Several steps of each map need it, and a client can send an expression with
 * 100,000 parts, so that each expression is visited once.
 */
import type { Expression, FunctionCall } from './expression.ts';
import { hasInnerPart } from './inner-parts.ts';

export interface ExpressionContents {
  /** The names of attributes as written. */
  readonly attributes: ReadonlySet<string>;
  /** The names of called functions, in lower case. */
  readonly functions: ReadonlySet<string>;
}

const expressionKinds: ReadonlySet<string> = new Set([
  'literal',
  'property',
  'function',
  'arithmetic',
  'concatenation',
  'geometry',
] satisfies readonly Expression['kind'][]);

export function isExpression(part: object): part is Expression {
  return 'kind' in part && typeof part.kind === 'string' && expressionKinds.has(part.kind);
}

const noContents: ExpressionContents = { attributes: new Set(), functions: new Set() };

const listed = new WeakMap<Expression, ExpressionContents>();

export function listContents(expression: Expression): ExpressionContents {
  if (expression.kind === 'literal' || expression.kind === 'geometry') return noContents;
  const known = listed.get(expression);
  if (known !== undefined) return known;
  const [attributes, functions] = [new Set<string>(), new Set<string>()];
  collectContents(expression, attributes, functions);
  const contents = { attributes, functions };
  listed.set(expression, contents);
  return contents;
}

function collectContents(part: object, attributes: Set<string>, functions: Set<string>): void {
  const { kind } = part as Partial<Expression>;
  if (kind === 'geometry') return;
  if (kind === 'property') attributes.add((part as { readonly name: string }).name);
  if (kind === 'function') {
    const call = part as FunctionCall;
    const name = call.name.toLowerCase();
    functions.add(name);
    const [first] = call.arguments;
    // `property('name')` is an alternative notation for the attribute.
    if (name === 'property' && first?.kind === 'literal') attributes.add(first.value);
  }
  hasInnerPart(part, (inner) => {
    collectContents(inner, attributes, functions);
    return false;
  });
}
