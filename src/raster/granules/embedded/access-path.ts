/** Chooses the access path for a filter: the R-tree, another index, or a scan. */
import type { SQLInputValue } from 'node:sqlite';
import type { Bounds } from '../../../crs/bounds.ts';
import { parseLikePattern } from '../../../filter/evaluate/values/like-pattern.ts';
import type { ResolvedComparison, ResolvedFilter, ScalarConstant } from '../../../filter/model/resolved-filter.ts';
import { expandBounds } from '../../../filter/predicate/boxes.ts';
import { isMeetingImplied } from '../../../filter/sql/dialect.ts';
import { findColumn, formatBoxesTable, type IndexTable, listAxisDomains } from './index-table.ts';
import { type Span, toAxisValue } from './rows.ts';

/** `boxes` contains a condition on the R-tree that matches a superset of the granules. */
export type AccessPath =
  | { readonly kind: 'walk' }
  | { readonly kind: 'indexed' }
  | { readonly kind: 'boxes'; readonly sql: string; readonly parameters: readonly SQLInputValue[] };

export function selectAccessPath(filter: ResolvedFilter | undefined, table: IndexTable): AccessPath {
  if (filter === undefined) return { kind: 'walk' };
  const parts = splitConjuncts(filter);
  if (parts.some((part) => isSelective(part, table))) return { kind: 'indexed' };
  const limits = buildBoxLimits(parts, table);
  if (limits.length > 0) {
    return {
      kind: 'boxes',
      sql: `SELECT id FROM ${formatBoxesTable(table.number)} WHERE ${limits.map(({ sql }) => `${sql} ?`).join(' AND ')}`,
      parameters: limits.map(({ value }) => value),
    };
  }
  return isIndexed(filter, table) ? { kind: 'indexed' } : { kind: 'walk' };
}

function splitConjuncts(filter: ResolvedFilter): readonly ResolvedFilter[] {
  return filter.kind === 'and' ? filter.filters.flatMap(splitConjuncts) : [filter];
}

/** Returns whether only granules with given ids or locations can match. */
function isSelective(filter: ResolvedFilter, table: IndexTable): boolean {
  switch (filter.kind) {
    case 'identifiers':
      return true;
    case 'membership':
      return filter.value.kind === 'attribute' && findColumn(table.schema, filter.value.name) === 'location';
    case 'comparison': {
      const compared = toConstantComparison(filter);
      return compared?.operator === 'equal' && findColumn(table.schema, compared.attribute) === 'location';
    }
    case 'or':
      return filter.filters.every((each) => splitConjuncts(each).some((part) => isSelective(part, table)));
    default:
      return false;
  }
}

/** Returns whether SQLite can use an index for it. */
function isIndexed(filter: ResolvedFilter, table: IndexTable): boolean {
  const { schema } = table;
  const indexed = new Set(schema.domains.flatMap(({ attributes }): readonly string[] => attributes));
  const hasIndex = (name: string): boolean => indexed.has(name) || findColumn(schema, name) === 'location';
  switch (filter.kind) {
    case 'and':
      return filter.filters.some((each) => isIndexed(each, table));
    case 'or':
      return filter.filters.every((each) => isIndexed(each, table));
    case 'comparison': {
      const compared = toConstantComparison(filter);
      return compared !== undefined && compared.operator !== 'notEqual' && hasIndex(compared.attribute);
    }
    case 'membership':
      return filter.value.kind === 'attribute' && hasIndex(filter.value.name);
    case 'like':
      return (
        hasIndex(filter.attribute.name) && filter.matchCase !== false && parseLikePattern(filter)[0]?.kind === 'text'
      );
    case 'relation':
    case 'distance':
      return findBox(filter) !== undefined;
    default:
      return isSelective(filter, table);
  }
}

interface BoxLimit {
  readonly sql: string;
  readonly value: number;
}

function buildBoxLimits(parts: readonly ResolvedFilter[], table: IndexTable): readonly BoxLimit[] {
  const boxes = parts.flatMap((part) => findBox(part) ?? []);
  const { schema, axes } = table;
  const spans =
    axes === undefined
      ? []
      : listAxisDomains(schema).flatMap((attributes, at) => {
          const axis = axes[at];
          if (axis === undefined) return [];
          return parts
            .flatMap((part) => findSpan(part, attributes) ?? [])
            .flatMap(({ least, greatest }): readonly BoxLimit[] => [
              ...(least === Number.NEGATIVE_INFINITY ? [] : [{ sql: `max${at} >=`, value: toAxisValue(least, axis) }]),
              ...(greatest === Number.POSITIVE_INFINITY
                ? []
                : [{ sql: `min${at} <=`, value: toAxisValue(greatest, axis) }]),
            ]);
        });
  return [
    ...boxes.flatMap(({ minX, minY, maxX, maxY }) => [
      { sql: 'maxx >=', value: minX },
      { sql: 'minx <=', value: maxX },
      { sql: 'maxy >=', value: minY },
      { sql: 'miny <=', value: maxY },
    ]),
    ...spans,
  ];
}

/** Returns the box that contains all matching geometries. */
function findBox(filter: ResolvedFilter): Bounds | undefined {
  if (filter.kind !== 'relation' && filter.kind !== 'distance') return undefined;
  const { left, right } = filter;
  if (left.kind !== 'attribute' || right.kind !== 'geometry') return undefined;
  if (filter.kind === 'relation') return isMeetingImplied(filter.relation) ? right.bounds : undefined;
  return filter.operator === 'within' ? expandBounds(right.bounds, filter.distance) : undefined;
}

/** Returns the range of values of these attributes that can match. */
function findSpan(filter: ResolvedFilter, attributes: readonly string[]): Span | undefined {
  if (filter.kind === 'membership') {
    if (filter.value.kind !== 'attribute' || !attributes.includes(filter.value.name)) return undefined;
    const numbers = filter.list.map(({ value }) => Number(value));
    return { least: Math.min(...numbers), greatest: Math.max(...numbers) };
  }
  if (filter.kind !== 'comparison') return undefined;
  const compared = toConstantComparison(filter);
  if (compared === undefined || !attributes.includes(compared.attribute)) return undefined;
  const value = Number(compared.constant.value);
  switch (compared.operator) {
    case 'equal':
      return { least: value, greatest: value };
    case 'less':
    case 'lessOrEqual':
      return { least: Number.NEGATIVE_INFINITY, greatest: value };
    case 'greater':
    case 'greaterOrEqual':
      return { least: value, greatest: Number.POSITIVE_INFINITY };
    default:
      return undefined;
  }
}

const mirroredOperators = {
  equal: 'equal',
  notEqual: 'notEqual',
  less: 'greater',
  lessOrEqual: 'greaterOrEqual',
  greater: 'less',
  greaterOrEqual: 'lessOrEqual',
} as const;

interface ConstantComparison {
  readonly attribute: string;
  readonly operator: ResolvedComparison['operator'];
  readonly constant: ScalarConstant;
}

function toConstantComparison({ operator, left, right }: ResolvedComparison): ConstantComparison | undefined {
  if (left.kind === 'attribute' && right.kind === 'constant')
    return { attribute: left.name, operator, constant: right };
  if (left.kind === 'constant' && right.kind === 'attribute')
    return { attribute: right.name, operator: mirroredOperators[operator], constant: left };
  return undefined;
}
