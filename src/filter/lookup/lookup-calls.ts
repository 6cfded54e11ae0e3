/** Calls of the functions that read other layers. Their arguments are constant, so that values replace the calls. */
import { evaluateExpression, toText } from '../evaluate/evaluate.ts';
import type { Expression, FunctionCall } from '../model/expression.ts';
import { listCallContents } from '../model/expression-contents.ts';
import type { Filter } from '../model/filter.ts';
import { hasInnerPart } from '../model/inner-parts.ts';
import { createLiteral } from '../model/literal.ts';
import { LookupError } from './lookup-error.ts';

/** The values that a call reads. */
export interface Lookup {
  /** The name of the function in its usual case. */
  readonly name: 'querySingle' | 'queryCollection' | 'collectGeometries';
  readonly layer: string;
  readonly attribute: string;
  /** In ECQL. */
  readonly filter: string;
}

/** A list replaces a call inside of a list; null means that there is no value. */
export type LookupValue = Expression | readonly Expression[] | null;

const names: ReadonlyMap<string, Lookup['name']> = new Map([
  ['querysingle', 'querySingle'],
  ['querycollection', 'queryCollection'],
  ['collectgeometries', 'collectGeometries'],
]);

export function isLookupName(name: string): boolean {
  return names.has(name.toLowerCase());
}

function isLookup(part: object): part is FunctionCall {
  return 'kind' in part && part.kind === 'function' && 'name' in part && isLookupName(String(part.name));
}

/** Returns whether a written filter may contain a call; texts with escaped characters count too. */
export function mayContainLookup(text: string): boolean {
  return /query(?:single|collection)|&#|\\u/i.test(text);
}

/** Lists the outermost calls. */
export function listLookups(part: object): readonly FunctionCall[] {
  const calls: FunctionCall[] = [];
  collectLookups(part, calls);
  return calls;
}

function collectLookups(part: object, calls: FunctionCall[]): void {
  if (isLookup(part)) {
    calls.push(part);
    return;
  }
  const contents = listCallContents(part);
  if (contents !== undefined && ![...names.keys()].some((name) => contents.functions.has(name))) return;
  hasInnerPart(part, (inner) => {
    collectLookups(inner, calls);
    return false;
  });
}

/** Throws a `LookupError` for arguments that are missing or depend on the feature. */
export function readLookup(call: FunctionCall): Lookup {
  const name = names.get(call.name.toLowerCase()) ?? 'querySingle';
  if (name !== 'collectGeometries') return { name, ...readArguments(call, name) };
  const [inner, ...others] = call.arguments;
  if (inner === undefined || others.length > 0 || !isLookup(inner) || inner.name.toLowerCase() !== 'querycollection')
    throw new LookupError(call, 'collectGeometries requires one argument, a call of queryCollection');
  return { name, ...readArguments(inner, 'queryCollection') };
}

function readArguments(call: FunctionCall, name: string): Omit<Lookup, 'name'> {
  const { arguments: given } = call;
  if (given.length !== 3)
    throw new LookupError(call, `${name} requires three arguments: a layer, an attribute and a filter`);
  const [layer = '', attribute = '', filter = ''] = given.map((each) => {
    const varying = findVaryingPart(each);
    if (varying !== undefined)
      throw new LookupError(call, `the arguments of ${name} must be constant, but ${varying} depends on the feature`);
    const value = evaluateExpression(each, {});
    if (value === undefined || value === null) throw new LookupError(call, `an argument of ${name} has no value`);
    return toText(value);
  });
  return { layer: layer.trim(), attribute: attribute.trim(), filter };
}

/** Functions without arguments that return something else for each feature or call. */
const varyingFunctions: ReadonlySet<string> = new Set(['property', 'propertyexists', 'id', 'geometry', 'random']);

/** Returns a description for a message; undefined for a constant. */
function findVaryingPart(part: object): string | undefined {
  const { kind, name } = part as Partial<FunctionCall> | { readonly kind: 'property'; readonly name: string };
  if (kind === 'property') return `the attribute '${name?.slice(0, 60)}'`;
  if (kind === 'function' && (isLookup(part) || varyingFunctions.has(String(name).toLowerCase()))) return `'${name}'`;
  let found: string | undefined;
  hasInnerPart(part, (inner) => {
    found = findVaryingPart(inner);
    return found !== undefined;
  });
  return found;
}

/** Has no value in each context, also where a literal would be an empty text. */
const noValue: Expression = { kind: 'function', name: 'coalesce', arguments: [] };

/** Matches no feature. Constants are never part of another filter. */
const never: Filter = {
  kind: 'comparison',
  operator: 'equal',
  left: createLiteral('1'),
  right: createLiteral('0'),
};

/**
 * Replaces the outermost calls. Returns the same object if it has none, and the same parts where nothing changes, so
 * that their positions in the document stay known. Throws a `LookupError` for a list where one value is required.
 */
export function replaceLookups<T extends object>(part: T, values: ReadonlyMap<FunctionCall, LookupValue>): T {
  return replacePart(part, values) as T;
}

function replacePart(part: object, values: ReadonlyMap<FunctionCall, LookupValue>): object {
  if (isLookup(part)) {
    const value = values.get(part);
    if (Array.isArray(value))
      throw new LookupError(part, `${part.name} returns a list; use it in IN, in() or collectGeometries()`);
    return (value as Expression | null | undefined) ?? noValue;
  }
  if ('kind' in part && part.kind === 'literal') return part;
  if (Array.isArray(part)) return replaceItems(part, values);
  if (isNever(part, values)) return never;
  let changed: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(part)) {
    if (typeof inner !== 'object' || inner === null) continue;
    const other = replacePart(inner, values);
    if (other !== inner) {
      changed ??= { ...part };
      changed[key] = other;
    }
  }
  return changed ?? part;
}

function replaceItems(items: readonly unknown[], values: ReadonlyMap<FunctionCall, LookupValue>): readonly unknown[] {
  const replaced = items.flatMap((item): readonly unknown[] => {
    if (typeof item !== 'object' || item === null) return [item];
    const value = isLookup(item) ? values.get(item) : undefined;
    return Array.isArray(value) ? value : [replacePart(item, values)];
  });
  return replaced.length === items.length && replaced.every((item, index) => item === items[index]) ? items : replaced;
}

/** A comparison with a geometry that does not exist, or with an empty list, is decided without reading features. */
function isNever(part: object, values: ReadonlyMap<FunctionCall, LookupValue>): boolean {
  const filter = part as Partial<Filter>;
  switch (filter.kind) {
    case 'spatial':
    case 'relate':
    case 'distance':
      return [filter.left, filter.right].some((each) => each && isLookup(each) && values.get(each) === null);
    case 'membership': {
      const list = filter.list?.flatMap((each) => (isLookup(each) ? (values.get(each) ?? []) : [each]));
      return list?.length === 0;
    }
    default:
      return false;
  }
}
