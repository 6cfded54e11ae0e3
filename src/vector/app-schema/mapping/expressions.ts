/** Parses mapping expressions and checks their functions. */
import { type EcqlIssue, readEcqlExpression } from '../../../filter/ecql/ecql.ts';
import { findFunction } from '../../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../../filter/model/expression.ts';
import { findPatternObjection } from './text-pattern.ts';

export type ExpressionOutcome =
  | { readonly kind: 'read'; readonly expression: Expression }
  /** The line is counted from 0, from where the text begins. */
  | { readonly kind: 'refused'; readonly line: number; readonly message: string };

/** The minimum and maximum number of arguments. */
type Arity = readonly [least: number, most: number];

/** Mappings write it like a column; it skips a property under a condition. */
export const NO_VALUE = 'expression.nil';

/** Functions on the source or on geometries, which only mappings support; names in lower case. */
const mappingFunctions: ReadonlyMap<string, Arity> = new Map<string, Arity>([
  ['getid', [0, 0]],
  ['towkt', [1, 1]],
  ['todirectposition', [1, 4]],
  ['toenvelope', [2, 5]],
  ['topoint', [2, 5]],
  ['tolinestring', [2, 4]],
  ['toxlinkhref', [1, 1]],
  [NO_VALUE, [0, 0]],
]);

/** Functions on documents of a document database. */
const documentFunctions: ReadonlyMap<string, Arity> = new Map<string, Arity>([
  ['jsonselect', [1, 1]],
  ['jsonselectall', [1, 1]],
  ['collectionlink', [1, 1]],
  ['collectionid', [0, 0]],
  ['nestedcollectionlink', [0, 0]],
]);

/** Whether an expression reads documents, which only the source supports. */
export function isDocumentExpression(expression: Expression): boolean {
  return collectCalls(expression).some((name) => documentFunctions.has(name.toLowerCase()));
}

export function readMappingExpression(text: string): ExpressionOutcome {
  const outcome = readEcqlExpression(text);
  if (outcome.kind === 'refused') return createRefusal(outcome.complaint, text);
  const expression = replaceNoValues(outcome.value);
  const objection = findObjection(expression);
  return objection === undefined
    ? { kind: 'read', expression }
    : { kind: 'refused', line: countLeadingLines(text), message: objection };
}

function replaceNoValues(expression: Expression): Expression {
  switch (expression.kind) {
    case 'property':
      return expression.name.toLowerCase() === NO_VALUE
        ? { kind: 'function', name: NO_VALUE, arguments: [] }
        : expression;
    case 'function':
      return { ...expression, arguments: expression.arguments.map(replaceNoValues) };
    default:
      return expression;
  }
}

function createRefusal({ line, message }: EcqlIssue, text: string): ExpressionOutcome {
  const reason = text.trim() === '' ? 'an expression was expected' : message;
  return { kind: 'refused', line: line - 1, message: reason };
}

function countLeadingLines(text: string): number {
  return (/^\s*/.exec(text)?.[0].match(/\r\n|\r|\n/g) ?? []).length;
}

function findObjection(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'literal':
    case 'property':
    case 'geometry':
      return undefined;
    case 'arithmetic':
      return findObjection(expression.left) ?? findObjection(expression.right);
    case 'concatenation':
      return findFirstObjection(expression.parts);
    case 'function': {
      const { name, arguments: inputs } = expression;
      const key = name.toLowerCase();
      const arity = mappingFunctions.get(key) ?? documentFunctions.get(key);
      if (arity === undefined && findFunction(name) === undefined)
        return `unknown function '${name.slice(0, 60)}' in a mapping`;
      if (arity !== undefined && (inputs.length < arity[0] || inputs.length > arity[1])) {
        return `the function '${name}' requires ${formatArgumentCount(arity)}, but has ${inputs.length}`;
      }
      if (documentFunctions.has(key) && inputs.some((each) => each.kind !== 'literal')) {
        return `the function '${name}' requires a path in single quotes`;
      }
      const pattern = key === 'strreplace' ? inputs[1] : undefined;
      return (
        (pattern?.kind === 'literal' ? findPatternObjection(pattern.value) : undefined) ?? findFirstObjection(inputs)
      );
    }
  }
}

function formatArgumentCount([least, most]: Arity): string {
  if (most === 0) return 'no arguments';
  const count = least === most ? String(least) : `${least} to ${most}`;
  return count === '1' ? '1 argument' : `${count} arguments`;
}

function findFirstObjection(expressions: readonly Expression[]): string | undefined {
  for (const each of expressions) {
    const objection = findObjection(each);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function collectCalls(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case 'arithmetic':
      return [...collectCalls(expression.left), ...collectCalls(expression.right)];
    case 'concatenation':
      return expression.parts.flatMap(collectCalls);
    case 'function':
      return [expression.name, ...expression.arguments.flatMap(collectCalls)];
    default:
      return [];
  }
}
