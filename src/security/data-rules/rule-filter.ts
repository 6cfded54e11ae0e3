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
  /** Returns the condition with values of the variables; undefined without variables. */
  readonly bind: ((values: ReadonlyMap<string, VariableValue>) => Condition | undefined) | undefined;
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
    bind: createBinding(condition),
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
export function bindRuleFilter({ condition, variables, bind }: RuleFilter, find: FindVariable): Condition | undefined {
  if (variables.length === 0) return condition;
  const values = new Map<string, VariableValue>();
  for (const name of variables) {
    const value = find(name);
    if (value === undefined || value.length === 0) return undefined;
    values.set(name, value);
  }
  return bind?.(values);
}

type Values = ReadonlyMap<string, VariableValue>;
/** Returns a part with values; undefined for a list where one value is needed. */
type Bind<T> = (values: Values) => T | undefined;

/** Returns undefined for a part without variables. Each user binds a rule, so that the parts are found once. */
function createBinding<T>(part: T): Bind<T> | undefined {
  if (Array.isArray(part)) return createListBinding(part) as Bind<T> | undefined;
  if (typeof part !== 'object' || part === null) return undefined;
  const variable = findVariableName(part);
  if (variable !== undefined) {
    return (values) => {
      const value = values.get(variable);
      // The literal of a value is in the place of the literal of the variable.
      return typeof value === 'string' ? (createLiteral(value) as T) : undefined;
    };
  }
  const isMembership = 'kind' in part && part.kind === 'membership';
  const bindings = Object.entries(part).flatMap(([name, inner]: [string, unknown]) => {
    const bind = isMembership && name === 'list' ? createMembersBinding(inner) : createBinding(inner);
    return bind === undefined ? [] : [[name, bind] as const];
  });
  if (bindings.length === 0) return undefined;
  return (values) => {
    // Parts without variables stay the same objects: errors have their positions.
    const bound = { ...part } as Record<string, unknown>;
    for (const [name, bind] of bindings) {
      const inner = bind(values);
      if (inner === undefined) return undefined;
      bound[name] = inner;
    }
    return bound as T;
  };
}

function createListBinding(parts: readonly unknown[]): Bind<readonly unknown[]> | undefined {
  const bindings = parts.map((part) => createBinding(part));
  if (bindings.every((bind) => bind === undefined)) return undefined;
  return (values) => {
    const bound = parts.map((part, index) => (bindings[index] === undefined ? part : bindings[index](values)));
    return bound.includes(undefined) ? undefined : bound;
  };
}

/** The members of `IN (…)`, where a variable can be a list. */
function createMembersBinding(list: unknown): Bind<unknown> | undefined {
  if (!Array.isArray(list)) return createBinding(list);
  const members = list.map((part: unknown) => ({
    part,
    variable: typeof part === 'object' && part !== null ? findVariableName(part) : undefined,
    bind: createBinding(part),
  }));
  if (members.every(({ bind }) => bind === undefined)) return undefined;
  return (values) => {
    const bound = members.flatMap(({ part, variable, bind }) => {
      const value = variable === undefined ? undefined : values.get(variable);
      if (Array.isArray(value)) return value.map((one: string) => createLiteral(one));
      return [bind === undefined ? part : bind(values)];
    });
    return bound.includes(undefined) ? undefined : bound;
  };
}

function findVariableName(part: object): string | undefined {
  return 'kind' in part && part.kind === 'literal' && 'value' in part && typeof part.value === 'string'
    ? readVariable(part.value)
    : undefined;
}
