/** Builds features together with those chained to them: each chained table is asked once for many features. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { problem } from '../../../lib/problem.ts';
import type { Expression } from '../../filter/expression.ts';
import { collectPropertyNames } from '../../filter/property-names.ts';
import type { AttributeSource } from '../mapping/mapping.ts';
import { buildFeature, evaluateNamed, type Linked, type RowGroup } from './build-feature.ts';
import { compileExpression, listOf, plain, type SourceRow } from './compile-expression.ts';
import type { ComplexFeature } from './complex-feature.ts';
import { typeLinkedAs } from './find-types.ts';
import type { Sizes } from './size-limits.ts';
import { linkTexts, type SourceTable, type TableAddress } from './source-tables.ts';
import {
  type AttributePlan,
  linkFieldsOf,
  type MappedType,
  namedValues,
  type TypePlan,
  typeText,
} from './type-plan.ts';

/** What a reading has at hand. */
export interface Reading {
  readonly types: readonly MappedType[];
  planOf(type: MappedType): Promise<TypePlan>;
  tableOf(address: TableAddress): Promise<SourceTable>;
}

/** Nobody nests deeper; features that are chained to themselves would never end. */
const MAX_CHAIN_LENGTH = 20;

/** Built without letting others have their turn: some milliseconds. */
const FEATURES_TO_A_TURN = 100;

/** In the order of the groups. `chain` are the types that lead here. */
export async function buildFeatures(
  reading: Reading,
  plan: TypePlan,
  groups: readonly RowGroup[],
  sizes: Sizes,
  chain: readonly string[] = [],
): Promise<readonly ComplexFeature[]> {
  if (groups.length === 0) return [];
  const way = [...chain, typeText(plan)];
  if (way.length > MAX_CHAIN_LENGTH) {
    const shown = way.slice(-4).join(' -> ');
    const reason = `features are chained more than ${MAX_CHAIN_LENGTH} deep (… -> ${shown}), perhaps one to itself; give one of the links an xlink:href, which refers to a feature without including it`;
    throw problem('mapped-type-unreadable', { name: way[0] ?? '', reason });
  }
  const lookups = new Map<AttributePlan, Lookup>();
  for (const attribute of plan.linked) {
    sizes.lookUp(way[0] ?? '');
    lookups.set(attribute, await loadLinked({ reading, plan, attribute, sizes, chain: way }, groups));
  }
  const features: ComplexFeature[] = [];
  for (const [index, group] of groups.entries()) {
    if (index % FEATURES_TO_A_TURN === FEATURES_TO_A_TURN - 1) await othersFirst();
    const feature = buildFeature(plan, group, (attribute, row, rows) => lookups.get(attribute)?.(row, rows) ?? []);
    sizes.add(feature, way[0] ?? '');
    features.push(feature);
  }
  return features;
}

type Lookup = (row: SourceRow, rows: readonly SourceRow[]) => readonly Linked[];
type Link = Extract<AttributeSource, { kind: 'link' }>;

interface LinkContext {
  readonly reading: Reading;
  readonly plan: TypePlan;
  readonly attribute: AttributePlan;
  readonly sizes: Sizes;
  readonly chain: readonly string[];
}

function loadLinked(context: LinkContext, groups: readonly RowGroup[]): Promise<Lookup> {
  const { source } = context.attribute.mapping;
  return source?.kind === 'link' ? loadLink({ ...context, link: source }, groups) : loadMultipleValues(context, groups);
}

/** The values that are in a table of their own. */
async function loadMultipleValues(
  { reading, plan, attribute: { mapping }, sizes }: LinkContext,
  groups: readonly RowGroup[],
): Promise<Lookup> {
  if (mapping.multipleValue === undefined) return () => [];
  const { sourceColumn, targetTable, targetColumn, value } = mapping.multipleValue;
  const table = await reading.tableOf({ ...tableAddress(plan), table: targetTable });
  const key = compileExpression(column(sourceColumn), plan.attributes);
  const evaluate = compileExpression(value, table.attributes);
  const keys = new Set(groups.flatMap(({ rows }) => rows).flatMap((row) => linkTexts(key, row)));
  const found = new Map<string, Linked[]>();
  for await (const { row, values } of table.rowsWith([column(targetColumn)], keys)) {
    sizes.hold(1);
    for (const each of values) {
      const known = found.get(each) ?? [];
      found.set(each, known);
      known.push(...listOf(evaluate(row)).map((single) => ({ kind: 'value', value: single }) as const));
    }
  }
  return (row) => linkTexts(key, row).flatMap((each) => found.get(each) ?? []);
}

function column(name: string): Expression {
  return { kind: 'property', name };
}

type ChainContext = LinkContext & { readonly link: Link };

/** Which type is chained may be another for each row. */
async function loadLink(context: ChainContext, groups: readonly RowGroup[]): Promise<Lookup> {
  const { reading, plan, link, chain } = context;
  const find = (wanted: Parameters<typeof typeLinkedAs>[1]): MappedType => {
    const found = typeLinkedAs(reading.types, wanted, plan.mapping.namespaces);
    if (found !== undefined) return found;
    const shown = typeof wanted === 'string' ? wanted.slice(0, 60) : wanted.local;
    const reason = `it chains '${shown}', which is neither the target nor the mappingName of a mapping`;
    throw problem('mapped-type-unreadable', { name: chain[0] ?? '', reason });
  };
  const targetOf = 'kind' in link.type ? chosenTarget(link.type, plan, find) : constantly(find(link.type));

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
    lookups.set(type, await loadLinkTo(context, await reading.planOf(type), own));
  }
  return (row, rows) => {
    const target = targetOf(row);
    if (target === undefined) return [];
    if (!('mapping' in target)) return [target];
    return lookups.get(target)?.(row, rows) ?? [];
  };
}

type Target = Linked | MappedType | undefined;

function constantly(target: Target): (row: SourceRow) => Target {
  return () => target;
}

/** By an expression that gives the name of a type, a reference, or nothing. */
function chosenTarget(
  expression: Expression,
  plan: TypePlan,
  find: (name: string) => MappedType,
): (row: SourceRow) => Target {
  const evaluate = compileExpression(expression, plan.attributes);
  const known = new Map<string, MappedType>();
  return (row) => {
    const [value] = listOf(evaluate(row));
    if (typeof value === 'object' && value.kind === 'reference') return { kind: 'value', value };
    const name = value === undefined ? null : plain(value);
    if (name === null || name === '') return undefined;
    const found = known.get(String(name)) ?? find(String(name));
    known.set(String(name), found);
    return found;
  };
}

async function loadLinkTo(context: ChainContext, target: TypePlan, groups: readonly RowGroup[]): Promise<Lookup> {
  const { link, attribute } = context;
  const collection = collectionPath(link.expression);
  if (collection !== undefined) return withinDocuments(context, target, groups, collection);
  const { evaluate } = attribute;
  if (link.field === undefined || evaluate === undefined) return sameRows(context, target, groups);
  return byLinkField(context, target, groups, linkFieldsOf(target.type, link.field.text), (row) =>
    linkTexts(evaluate, row),
  );
}

/** Where the chained documents are within those of the rows; undefined for a link that is none of these. */
function collectionPath(expression: Expression | undefined): string | undefined {
  if (expression?.kind !== 'function' || expression.name.toLowerCase() !== 'collectionlink') return undefined;
  const [path] = expression.arguments;
  return path?.kind === 'literal' ? path.value : undefined;
}

async function withinDocuments(
  context: ChainContext,
  target: TypePlan,
  groups: readonly RowGroup[],
  path: string,
): Promise<Lookup> {
  const rows = groups.flatMap((group) => group.rows);
  const nested = rows.map((row) =>
    (row.document?.nested(path) ?? []).map(({ key, document }) => ({ id: `${row.id}.${key}`, values: [], document })),
  );
  const linked = await linkedTo(
    context,
    target,
    nested.flat().map((row) => ({ id: target.idOf(row), rows: [row] })),
  );
  const found = new Map<SourceRow, readonly Linked[]>();
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const count = nested[index]?.length ?? 0;
    found.set(row, linked.slice(at, at + count).flat());
    at += count;
  }
  return (row) => found.get(row) ?? [];
}

/** Another object made of the same rows: of each where there may be several, else of all. */
async function sameRows(context: ChainContext, target: TypePlan, groups: readonly RowGroup[]): Promise<Lookup> {
  const own = context.attribute.mapping.isMultiple
    ? groups.flatMap(({ rows }) => rows.map((row) => ({ id: target.idOf(row), rows: [row] })))
    : groups.flatMap(({ rows }) => (rows[0] === undefined ? [] : [{ id: target.idOf(rows[0]), rows }]));
  const linked = await linkedTo(context, target, own);
  const found = new Map(own.flatMap(({ rows }, index) => rows.map((row) => [row, linked[index]])));
  return (row) => found.get(row) ?? [];
}

async function byLinkField(
  context: ChainContext,
  target: TypePlan,
  groups: readonly RowGroup[],
  fields: readonly Expression[],
  keysOf: (row: SourceRow) => readonly string[],
): Promise<Lookup> {
  const keys = new Set(groups.flatMap(({ rows }) => rows.flatMap(keysOf)));
  const table = await context.reading.tableOf(tableAddress(target));
  const found = new Map<string, RowGroup[]>();
  const chained = new Map<string, { id: string; rows: SourceRow[] }>();
  let count = 0;
  for await (const { row, values } of table.rowsWith(fields, keys)) {
    context.sizes.hold(1);
    const id = target.idOf(row);
    count += 1;
    // Without several rows to a feature each row is one, even if two are called the same.
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
  const linked = await linkedTo(context, target, all);
  const linkedOf = new Map(all.map((group, index) => [group as RowGroup, linked[index] ?? []]));
  return (row) => keysOf(row).flatMap((key) => (found.get(key) ?? []).flatMap((group) => linkedOf.get(group) ?? []));
}

/** Rows of one feature all have the same value to be found by, where that is part of its id. */
function isWithinId(fields: readonly Expression[], { idExpression }: TypePlan): boolean {
  const names = idExpression === undefined ? new Set<string>() : collectPropertyNames(idExpression);
  return fields.every((field) => [...collectPropertyNames(field)].every((name) => names.has(name)));
}

/** A feature has rows that are found by another value as well. */
async function completeGroups(
  table: SourceTable,
  target: TypePlan,
  groups: ReadonlyMap<string, { rows: SourceRow[] }>,
  sizes: Sizes,
): Promise<void> {
  if (target.idExpression === undefined || groups.size === 0) return;
  for (const group of groups.values()) group.rows.length = 0;
  for await (const { row } of table.rowsWith([target.idExpression], groups.keys())) {
    sizes.hold(1);
    groups.get(target.idOf(row))?.rows.push(row);
  }
}

/** For each group what stands in its place: the features it has, or references to them. */
async function linkedTo(
  { reading, attribute, sizes, chain }: ChainContext,
  target: TypePlan,
  groups: readonly RowGroup[],
): Promise<readonly (readonly Linked[])[]> {
  if (attribute.isByReference) {
    const named = namedValues(attribute.mapping.clientProperties, target.attributes);
    return groups.map(({ rows }) =>
      rows.map((row) => ({ kind: 'reference', attributes: evaluateNamed(named, row) }) as const),
    );
  }
  const features = await buildFeatures(reading, target, groups, sizes, chain);
  return features.map((feature) => [{ kind: 'feature', feature }]);
}

export function tableAddress({ type }: MappedType): TableAddress {
  return {
    store: type.storeKey,
    table: type.sourceType,
    ...(type.databaseSchema === undefined ? {} : { databaseSchema: type.databaseSchema }),
  };
}
