/** Builds features with their chained features: each chained table is queried once for many features. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Expression } from '../../../filter/model/expression.ts';
import { collectPropertyNames } from '../../../filter/model/property-names.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { ComplexFeature } from '../../port/complex-feature.ts';
import type { AttributeSource } from '../../port/mapping.ts';
import { buildFeature, evaluateNamed, type LinkedContent, type RowGroup } from './build-feature.ts';
import { compileExpression, type SourceRow, toList, toPlainValue } from './compile-expression.ts';
import { findLinkedType } from './find-types.ts';
import type { SizeCounter } from './size-limits.ts';
import { readLinkTexts, type SourceTable, type TableAddress } from './source-tables.ts';
import {
  type AttributePlan,
  compileNamedValues,
  formatTypeName,
  listLinkFields,
  type MappedType,
  type TypePlan,
} from './type-plan.ts';

/** The context of one query. */
export interface ReadContext {
  readonly types: readonly MappedType[];
  getPlan(type: MappedType): Promise<TypePlan>;
  openTable(address: TableAddress): Promise<SourceTable>;
}

/** Deeper than real data; features chained to themselves would never end. */
const MAX_CHAIN_LENGTH = 20;

/** Features built between two yields, which takes a few milliseconds. */
const FEATURES_PER_TURN = 100;

/** Returns features in the order of the groups. `chain` lists the types that lead here. */
export async function buildFeatures(
  reading: ReadContext,
  plan: TypePlan,
  groups: readonly RowGroup[],
  { sizes, chain = [] }: { readonly sizes: SizeCounter; readonly chain?: readonly string[] },
): Promise<readonly ComplexFeature[]> {
  if (groups.length === 0) return [];
  const way = [...chain, formatTypeName(plan)];
  if (way.length > MAX_CHAIN_LENGTH) {
    const shown = way.slice(-4).join(' -> ');
    const reason = `features are chained more than ${MAX_CHAIN_LENGTH} levels deep (… -> ${shown}), possibly in a cycle; set an xlink:href on one of the links to refer to a feature without including it`;
    throw problem('mapped-type-unreadable', { name: way[0] ?? '', reason });
  }
  const lookups = new Map<AttributePlan, Lookup>();
  for (const attribute of plan.linked) {
    sizes.countLookup(way[0] ?? '');
    lookups.set(attribute, await loadLinked({ reading, plan, attribute, sizes, chain: way }, groups));
  }
  const features: ComplexFeature[] = [];
  for (const [index, group] of groups.entries()) {
    if (index % FEATURES_PER_TURN === FEATURES_PER_TURN - 1) await othersFirst();
    const feature = buildFeature(plan, group, (attribute, row, rows) => lookups.get(attribute)?.(row, rows) ?? []);
    sizes.add(feature, way[0] ?? '');
    features.push(feature);
  }
  return features;
}

type Lookup = (row: SourceRow, rows: readonly SourceRow[]) => readonly LinkedContent[];
type Link = Extract<AttributeSource, { kind: 'link' }>;

interface LinkContext {
  readonly reading: ReadContext;
  readonly plan: TypePlan;
  readonly attribute: AttributePlan;
  readonly sizes: SizeCounter;
  readonly chain: readonly string[];
}

function loadLinked(context: LinkContext, groups: readonly RowGroup[]): Promise<Lookup> {
  const { source } = context.attribute.mapping;
  return source?.kind === 'link' ? loadLink({ ...context, link: source }, groups) : loadMultipleValues(context, groups);
}

/** Loads values from a separate table. */
async function loadMultipleValues(
  { reading, plan, attribute: { mapping }, sizes }: LinkContext,
  groups: readonly RowGroup[],
): Promise<Lookup> {
  if (mapping.multipleValue === undefined) return () => [];
  const { sourceColumn, targetTable, targetColumn, value } = mapping.multipleValue;
  const table = await reading.openTable({ ...toTableAddress(plan), table: targetTable });
  const key = compileExpression(toPropertyExpression(sourceColumn), plan.attributes);
  const evaluate = compileExpression(value, table.attributes);
  const keys = new Set(groups.flatMap(({ rows }) => rows).flatMap((row) => readLinkTexts(key, row)));
  const found = new Map<string, LinkedContent[]>();
  for await (const { row, values } of table.findRowsWithValues([toPropertyExpression(targetColumn)], keys)) {
    sizes.countLoaded(1);
    for (const each of values) {
      const known = found.get(each) ?? [];
      found.set(each, known);
      known.push(...toList(evaluate(row)).map((single) => ({ kind: 'value', value: single }) as const));
    }
  }
  return (row) => readLinkTexts(key, row).flatMap((each) => found.get(each) ?? []);
}

function toPropertyExpression(name: string): Expression {
  return { kind: 'property', name };
}

type ChainContext = LinkContext & { readonly link: Link };

/** The chained type can differ per row. */
async function loadLink(context: ChainContext, groups: readonly RowGroup[]): Promise<Lookup> {
  const { reading, plan, link, chain } = context;
  const getTargetType = (wanted: Parameters<typeof findLinkedType>[1]): MappedType => {
    const found = findLinkedType(reading.types, wanted, plan.mapping.namespaces);
    if (found !== undefined) return found;
    const shown = typeof wanted === 'string' ? wanted.slice(0, 60) : wanted.local;
    const reason = `it chains '${shown}', which is neither the targetElement nor the mappingName of a mapping`;
    throw problem('mapped-type-unreadable', { name: chain[0] ?? '', reason });
  };
  const targetOf =
    'kind' in link.type
      ? createTargetSelector(link.type, plan, getTargetType)
      : createConstantTarget(getTargetType(link.type));

  const groupsByType = new Map<MappedType, RowGroup[]>();
  for (const group of groups) {
    for (const [target, rows] of Map.groupBy(group.rows, targetOf)) {
      if (target === undefined || !('mapping' in target)) continue;
      const known = groupsByType.get(target) ?? [];
      groupsByType.set(target, known);
      known.push({ id: group.id, rows });
    }
  }
  const lookups = new Map<MappedType, Lookup>();
  for (const [type, own] of groupsByType) {
    lookups.set(type, await loadLinkTo(context, await reading.getPlan(type), own));
  }
  return (row, rows) => {
    const target = targetOf(row);
    if (target === undefined) return [];
    if (!('mapping' in target)) return [target];
    return lookups.get(target)?.(row, rows) ?? [];
  };
}

type LinkTarget = LinkedContent | MappedType | undefined;

function createConstantTarget(target: LinkTarget): (row: SourceRow) => LinkTarget {
  return () => target;
}

/** The expression returns a type name, a reference or null. */
function createTargetSelector(
  expression: Expression,
  plan: TypePlan,
  find: (name: string) => MappedType,
): (row: SourceRow) => LinkTarget {
  const evaluate = compileExpression(expression, plan.attributes);
  const known = new Map<string, MappedType>();
  return (row) => {
    const [value] = toList(evaluate(row));
    if (typeof value === 'object' && value.kind === 'reference') return { kind: 'value', value };
    const name = value === undefined ? null : toPlainValue(value);
    if (name === null || name === '') return undefined;
    const found = known.get(String(name)) ?? find(String(name));
    known.set(String(name), found);
    return found;
  };
}

async function loadLinkTo(context: ChainContext, target: TypePlan, groups: readonly RowGroup[]): Promise<Lookup> {
  const { link, attribute } = context;
  const collection = findCollectionPath(link.expression);
  if (collection !== undefined) return loadNestedDocuments(context, target, groups, collection);
  const { evaluate } = attribute;
  if (link.field === undefined || evaluate === undefined) return loadFromSameRows(context, target, groups);
  return loadByLinkField(context, target, groups, {
    fields: listLinkFields(target.type, link.field.text),
    keysOf: (row) => readLinkTexts(evaluate, row),
  });
}

/** Returns the path of the chained documents within those of the rows, or undefined for other links. */
function findCollectionPath(expression: Expression | undefined): string | undefined {
  if (expression?.kind !== 'function' || expression.name.toLowerCase() !== 'collectionlink') return undefined;
  const [path] = expression.arguments;
  return path?.kind === 'literal' ? path.value : undefined;
}

async function loadNestedDocuments(
  context: ChainContext,
  target: TypePlan,
  groups: readonly RowGroup[],
  path: string,
): Promise<Lookup> {
  const rows = groups.flatMap((group) => group.rows);
  const nested = rows.map((row) =>
    (row.document?.nested(path) ?? []).map(({ key, document }) => ({ id: `${row.id}.${key}`, values: [], document })),
  );
  const linked = await buildLinkedContents(
    context,
    target,
    nested.flat().map((row) => ({ id: target.getId(row), rows: [row] })),
  );
  const found = new Map<SourceRow, readonly LinkedContent[]>();
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const count = nested[index]?.length ?? 0;
    found.set(row, linked.slice(at, at + count).flat());
    at += count;
  }
  return (row) => found.get(row) ?? [];
}

/** Builds another object from the same rows: one per row if it can be repeated, otherwise one from all. */
async function loadFromSameRows(context: ChainContext, target: TypePlan, groups: readonly RowGroup[]): Promise<Lookup> {
  const own = context.attribute.mapping.isMultiple
    ? groups.flatMap(({ rows }) => rows.map((row) => ({ id: target.getId(row), rows: [row] })))
    : groups.flatMap(({ rows }) => (rows[0] === undefined ? [] : [{ id: target.getId(rows[0]), rows }]));
  const linked = await buildLinkedContents(context, target, own);
  const found = new Map(own.flatMap(({ rows }, index) => rows.map((row) => [row, linked[index]])));
  return (row) => found.get(row) ?? [];
}

async function loadByLinkField(
  context: ChainContext,
  target: TypePlan,
  groups: readonly RowGroup[],
  {
    fields,
    keysOf,
  }: { readonly fields: readonly Expression[]; readonly keysOf: (row: SourceRow) => readonly string[] },
): Promise<Lookup> {
  const keys = new Set(groups.flatMap(({ rows }) => rows.flatMap(keysOf)));
  const table = await context.reading.openTable(toTableAddress(target));
  const found = new Map<string, RowGroup[]>();
  const chained = new Map<string, { id: string; rows: SourceRow[] }>();
  let count = 0;
  for await (const { row, values } of table.findRowsWithValues(fields, keys)) {
    context.sizes.countLoaded(1);
    const id = target.getId(row);
    count += 1;
    // Without grouping each row is a feature, even if two rows have the same id.
    const name = target.isGrouped ? id : String(count);
    const group = chained.get(name) ?? { id, rows: [] };
    chained.set(name, group);
    group.rows.push(row);
    for (const value of values) {
      const known = found.get(value) ?? [];
      found.set(value, known);
      if (!known.includes(group)) known.push(group);
    }
  }
  if (target.isGrouped && !context.attribute.isByReference && !isWithinId(fields, target)) {
    await completeGroups(table, target, chained, context.sizes);
  }
  const all = [...chained.values()];
  const linked = await buildLinkedContents(context, target, all);
  const linkedOf = new Map(all.map((group, index) => [group as RowGroup, linked[index] ?? []]));
  return (row) => keysOf(row).flatMap((key) => (found.get(key) ?? []).flatMap((group) => linkedOf.get(group) ?? []));
}

/** If the link value is part of the id, all rows of a feature have the same link value. */
function isWithinId(fields: readonly Expression[], { idExpression }: TypePlan): boolean {
  const names = idExpression === undefined ? new Set<string>() : collectPropertyNames(idExpression);
  return fields.every((field) => [...collectPropertyNames(field)].every((name) => names.has(name)));
}

/** Adds the rows of a feature that have other link values. */
async function completeGroups(
  table: SourceTable,
  target: TypePlan,
  groups: ReadonlyMap<string, { rows: SourceRow[] }>,
  sizes: SizeCounter,
): Promise<void> {
  if (target.idExpression === undefined || groups.size === 0) return;
  for (const group of groups.values()) group.rows.length = 0;
  for await (const { row } of table.findRowsWithValues([target.idExpression], groups.keys())) {
    sizes.countLoaded(1);
    groups.get(target.getId(row))?.rows.push(row);
  }
}

/** Returns the features or references for each group. */
async function buildLinkedContents(
  { reading, attribute, sizes, chain }: ChainContext,
  target: TypePlan,
  groups: readonly RowGroup[],
): Promise<readonly (readonly LinkedContent[])[]> {
  if (attribute.isByReference) {
    const named = compileNamedValues(attribute.mapping.clientProperties, target.attributes);
    return groups.map(({ rows }) =>
      rows.map((row) => ({ kind: 'reference', attributes: evaluateNamed(named, row) }) as const),
    );
  }
  const features = await buildFeatures(reading, target, groups, { sizes, chain });
  return features.map((feature) => [{ kind: 'feature', feature }]);
}

export function toTableAddress({ type }: MappedType): TableAddress {
  return {
    store: type.storeKey,
    table: type.sourceType,
    ...(type.databaseSchema === undefined ? {} : { databaseSchema: type.databaseSchema }),
  };
}
