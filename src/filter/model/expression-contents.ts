/**
 * Lists what a call with many arguments refers to. Several steps of each map need it, and a client can send a call with
 * 100,000 arguments, so that each of them is visited once. Visiting a short call is cheaper than remembering it.
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

/** Calls with more arguments are visited once. */
const MANY_ARGUMENTS = 32;

const listed = new WeakMap<object, ExpressionContents>();

/** Returns undefined for everything but calls with many arguments. */
export function listCallContents(part: object): ExpressionContents | undefined {
  if (!('kind' in part) || part.kind !== 'function') return undefined;
  if ((part as FunctionCall).arguments.length <= MANY_ARGUMENTS) return undefined;
  const known = listed.get(part);
  if (known !== undefined) return known;
  const [attributes, functions] = [new Set<string>(), new Set<string>()];
  collectContents(part, attributes, functions);
  const contents = { attributes, functions };
  listed.set(part, contents);
  return contents;
}

function collectContents(part: object, attributes: Set<string>, functions: Set<string>): void {
  const { kind } = part as Partial<Expression>;
  if (kind === 'geometry') return;
  if (kind === 'property') attributes.add((part as { readonly name: string }).name);
  if (kind === 'function') {
    const attribute = findCalledAttribute(part as FunctionCall);
    functions.add((part as FunctionCall).name.toLowerCase());
    if (attribute !== undefined) attributes.add(attribute);
  }
  hasInnerPart(part, (inner) => {
    collectContents(inner, attributes, functions);
    return false;
  });
}

/** `property('name')` is an alternative notation for the attribute. */
export function findCalledAttribute({ name, arguments: [first] }: FunctionCall): string | undefined {
  return name.toLowerCase() === 'property' && first?.kind === 'literal' ? first.value : undefined;
}
