/**
 * Conditions of data rules: ECQL with variables such as `${user.name}`. Variables are bound as values in the parsed
 * condition, so that no name, role or claim can change its structure.
 */
import { readLocatedFilter } from '../../filter/ecql/reader.ts';
import type { Constant, Filter } from '../../filter/model/filter.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { computeTextPosition } from '../../lib/text/text-position.ts';

export type Condition = Filter | Constant;

/** The value of a variable, or undefined if the principal lacks it. */
export type FindVariable = (name: string) => VariableValue | undefined;

export type VariableValue = string | readonly string[];

export interface RuleFilter {
  readonly condition: Condition;
  /** The names of its variables, such as `user.name`. */
  readonly variables: readonly string[];
  /** Returns the position of a part in the text, both from 1. */
  readonly findPosition: (part: object) => TextPosition | undefined;
}

interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export class RuleFilterError extends Error {
  override readonly name = 'RuleFilterError';
  readonly position: TextPosition;

  constructor(text: string, offset: number, reason: string) {
    super(reason);
    this.position = computeTextPosition(text, offset);
  }
}

/** More conditions than administrators write; each is evaluated for each row. */
const MAX_CONDITIONS = 100;
const MAX_LENGTH = 8_192;

const ROLES = 'user.roles';
const variablePattern = /^\$\{([^{}]*)\}$/;
const knownVariable = /^(?:user\.name|user\.roles|claim\.[^\s{}'"]{1,256})$/;

/** Throws a RuleFilterError. */
export function parseRuleFilter(text: string): RuleFilter {
  if (text.length > MAX_LENGTH) throw new RuleFilterError(text, 0, `the text exceeds ${MAX_LENGTH} characters`);
  const quoted = quoteVariables(text);
  const outcome = readLocatedFilter(quoted.text);
  if (outcome.kind === 'refused') {
    throw new RuleFilterError(text, quoted.toOffset(outcome.complaint.offset), outcome.complaint.message);
  }
  const { filter: condition, findOffset } = outcome.value;
  const findOffsetInText = (part: object): number | undefined => {
    const offset = findOffset(part);
    return offset === undefined ? undefined : quoted.toOffset(offset);
  };
  const variables = new Set<string>();
  checkVariables(condition, { inList: false }, (part, reason, name) => {
    if (reason !== undefined) throw new RuleFilterError(text, findOffsetInText(part) ?? 0, reason);
    if (name !== undefined) variables.add(name);
  });
  if (countConditions(condition) > MAX_CONDITIONS) {
    throw new RuleFilterError(text, 0, `the filter has more than ${MAX_CONDITIONS} conditions`);
  }
  return {
    condition,
    variables: [...variables],
    findPosition: (part) => {
      const offset = findOffsetInText(part);
      return offset === undefined ? undefined : computeTextPosition(text, offset);
    },
  };
}

/** Puts variables outside of texts in quotes, so that the text is plain ECQL. */
function quoteVariables(text: string): { readonly text: string; readonly toOffset: (offset: number) => number } {
  const pieces: string[] = [];
  // The offsets of the added quotes in the new text.
  const added: number[] = [];
  let quote: string | undefined;
  let length = 0;
  const push = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const end = quote === undefined && text.startsWith('${', at) ? text.indexOf('}', at) : -1;
    if (end >= 0) {
      added.push(length);
      push(`'${text.slice(at, end + 1).replaceAll("'", "''")}'`);
      added.push(length - 1);
      at = end;
      continue;
    }
    if (quote === undefined && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = undefined;
    push(character);
  }
  return { text: pieces.join(''), toOffset: (offset) => offset - added.filter((each) => each < offset).length };
}

type ReportPart = (part: object, reason: string | undefined, variable?: string) => void;

function checkVariables(part: object, { inList }: { readonly inList: boolean }, report: ReportPart): void {
  if ('kind' in part && part.kind === 'literal' && 'value' in part && typeof part.value === 'string') {
    const name = readVariable(part.value);
    if (name === undefined) {
      if (part.value.includes('${')) report(part, 'a variable must be the whole value');
    } else if (!knownVariable.test(name)) {
      report(part, `unknown variable '${name}'. Use user.name, user.roles or claim.NAME`);
    } else if (name === ROLES && !inList) {
      report(part, `'${ROLES}' is a list. Use it in IN (…)`);
    } else report(part, undefined, name);
    return;
  }
  for (const [member, inner] of Object.entries(part)) {
    if (typeof inner === 'string' && inner.includes('${')) {
      report(part, 'a variable is allowed as a value of a comparison only');
    } else if (Array.isArray(inner)) {
      const isList = member === 'list' && 'kind' in part && part.kind === 'membership';
      for (const each of inner) {
        if (typeof each === 'string' && each.includes('${')) {
          report(part, 'a variable is allowed as a value of a comparison only');
        } else if (typeof each === 'object' && each !== null && member !== 'coordinates') {
          checkVariables(each, { inList: isList }, report);
        }
      }
    } else if (typeof inner === 'object' && inner !== null) checkVariables(inner, { inList: false }, report);
  }
}

function readVariable(text: string): string | undefined {
  return variablePattern.exec(text)?.[1];
}

function countConditions(condition: Condition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.filters.reduce((sum, each) => sum + countConditions(each), 0);
    case 'not':
      return countConditions(condition.filter);
    default:
      return 1;
  }
}

/** Returns undefined if the principal lacks a variable, or has a list where one value is needed. */
export function bindRuleFilter({ condition, variables }: RuleFilter, find: FindVariable): Condition | undefined {
  if (variables.length === 0) return condition;
  const values = new Map<string, VariableValue>();
  for (const name of variables) {
    const value = find(name);
    if (value === undefined || value.length === 0) return undefined;
    values.set(name, value);
  }
  const bound = bindPart(condition, values);
  // The structure is that of the condition.
  return bound === undefined ? undefined : (bound as Condition);
}

function bindPart(part: unknown, values: ReadonlyMap<string, VariableValue>): unknown {
  if (Array.isArray(part)) return bindEach(part, values);
  if (typeof part !== 'object' || part === null) return part;
  if ('kind' in part && part.kind === 'literal' && 'value' in part && typeof part.value === 'string') {
    const value = values.get(readVariable(part.value) ?? '');
    if (value === undefined) return part;
    return typeof value === 'string' ? createLiteral(value) : undefined;
  }
  const members: [string, unknown][] = [];
  let isSame = true;
  for (const [name, inner] of Object.entries(part)) {
    const isList = name === 'list' && 'kind' in part && part.kind === 'membership' && Array.isArray(inner);
    const bound = isList ? bindEach(expandLists(inner, values), values) : bindPart(inner, values);
    if (bound === undefined && inner !== undefined) return undefined;
    isSame &&= bound === inner;
    members.push([name, bound]);
  }
  // Errors have the position of the part itself.
  return isSame ? part : Object.fromEntries(members);
}

function bindEach(parts: readonly unknown[], values: ReadonlyMap<string, VariableValue>): unknown {
  const bound = parts.map((each) => bindPart(each, values));
  if (bound.includes(undefined)) return undefined;
  return bound.every((each, index) => each === parts[index]) ? parts : bound;
}

function expandLists(list: readonly unknown[], values: ReadonlyMap<string, VariableValue>): readonly unknown[] {
  return list.flatMap((each) => {
    const text = typeof each === 'object' && each !== null && 'value' in each ? each.value : undefined;
    const value = typeof text === 'string' ? values.get(readVariable(text) ?? '') : undefined;
    return Array.isArray(value) ? value.map((one: string) => createLiteral(one)) : [each];
  });
}
