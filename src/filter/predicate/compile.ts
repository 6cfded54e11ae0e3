/** Compiles a resolved filter to a function that decides which rows match. */

import type { Geometry } from '../../geometry/geometry.ts';
import { compareCodePoints } from '../../lib/text/code-point-order.ts';
import { compareExactDecimals, type ExactDecimal, toExactDecimal } from '../../lib/values/exact-decimal.ts';
import { compareExactMoments, type ExactMoment } from '../../lib/values/exact-moment.ts';
import {
  evaluateFilter,
  type FeatureValues,
  featureIdentifier,
  findGeometryUse,
  geometryAccess,
  loadGeometryLibrary,
  loadReprojections,
  type StyleValue,
} from '../evaluate/evaluate.ts';
import { createLikeMatcher } from '../evaluate/values/like-pattern.ts';
import type { FunctionCall } from '../model/expression.ts';
import { type ComparisonOperator, type Filter, oppositeOperators } from '../model/filter.ts';
import { formatExactMoment, parseMoment } from '../model/moment.ts';
import type {
  AttributeValue,
  ComputedCondition,
  ResolvedComparison,
  ResolvedDistance,
  ResolvedFilter,
  ResolvedHeights,
  ResolvedRelation,
  Scalar,
} from '../model/resolved-filter.ts';
import { createHeightTest } from './heights.ts';
import type { Decision, Predicate, RowAccess, RowValue } from './row-access.ts';
import { createBoxTest, createSpatialTest } from './spatial.ts';
import { loadTopology, type Topology } from './topology.ts';

/** Loads the geometry library if the filter uses geometries. Rows for which the filter is unknown do not match. */
export async function compilePredicate<Row>(filter: ResolvedFilter, access: RowAccess<Row>): Promise<Predicate<Row>> {
  const computed = listComputed(filter);
  if (computed.some(usesLibrary)) await loadGeometryLibrary();
  for (const condition of computed) await loadReprojections(condition);
  return compile(filter, { access, topology: needsTopology(filter) ? await loadTopology() : undefined }, true);
}

/** Lists the conditions that are computed for each row. */
function listComputed(filter: ResolvedFilter): readonly Filter[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(listComputed);
    case 'not':
      return listComputed(filter.filter);
    case 'computed':
      return [filter.filter];
    default:
      return [];
  }
}

/** Whether a condition needs the library for buffers, overlays or relations. */
function usesLibrary(part: object): boolean {
  const { kind } = part as { readonly kind?: string };
  if (kind === 'spatial' || kind === 'relate' || kind === 'distance') return true;
  if (kind === 'function' && findGeometryUse(part as FunctionCall) === 'library') return true;
  return Object.values(part).some((inner) => typeof inner === 'object' && inner !== null && usesLibrary(inner));
}

function needsTopology(filter: ResolvedFilter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.some(needsTopology);
    case 'not':
      return needsTopology(filter.filter);
    case 'relation':
      return filter.byBoxes !== true;
    default:
      return filter.kind === 'distance';
  }
}

interface Compilation<Row> {
  readonly access: RowAccess<Row>;
  readonly topology: Topology | undefined;
}

/**
 * Returns a test for whether the filter has the wanted result, true or false. Negations are pushed down to single
 * conditions by swapping the wanted result, so that unknown conditions match neither.
 */
function compile<Row>(filter: ResolvedFilter, using: Compilation<Row>, wanted: boolean): Predicate<Row> {
  const { access } = using;
  switch (filter.kind) {
    case 'constant':
      return () => filter.value === wanted;
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => compile(each, using, wanted));
      return (filter.kind === 'and') === wanted
        ? (row) => parts.every((part) => part(row))
        : (row) => parts.some((part) => part(row));
    }
    case 'not':
      return compile(filter.filter, using, !wanted);
    case 'comparison': {
      const [left, right] = [compileScalar(filter.left, access), compileScalar(filter.right, access)];
      const orderOf = selectComparator(filter);
      const decide = decisions[wanted ? filter.operator : oppositeOperators[filter.operator]];
      return (row) => {
        const [one, other] = [left(row), right(row)];
        return one !== null && other !== null && decide(orderOf(one, other));
      };
    }
    case 'membership': {
      const value = compileScalar(filter.value, access);
      const list = new Set(filter.list.map((each) => normalizeNumber(each.value)));
      return (row) => {
        const found = value(row);
        return found !== null && list.has(normalizeNumber(found)) === wanted;
      };
    }
    case 'like': {
      const value = compileScalar(filter.attribute, access);
      const isLike = createLikeMatcher(filter);
      return (row) => {
        const found = value(row);
        return typeof found === 'string' && isLike(found) === wanted;
      };
    }
    case 'isNull': {
      const { value } = filter;
      if (value.kind === 'attribute') return (row) => ((access.value(row, value.name) ?? null) === null) === wanted;
      const compute = compileScalar(value, access);
      return (row) => (compute(row) === null) === wanted;
    }
    case 'identifiers': {
      const identifiers = new Set(filter.identifiers);
      return (row) => identifiers.has(access.identifier(row) ?? '') === wanted;
    }
    default: {
      const decide = compileDecision(filter, using);
      return (row) => decide(row) === wanted;
    }
  }
}

function compileDecision<Row>(
  filter: ComputedCondition | ResolvedHeights | ResolvedRelation | ResolvedDistance,
  { access, topology }: Compilation<Row>,
): Decision<Row> {
  switch (filter.kind) {
    case 'computed':
      return compileComputed(filter, access);
    case 'heights':
      return createHeightTest(filter, access);
    case 'relation':
    case 'distance':
      if (filter.kind === 'relation' && filter.byBoxes) return createBoxTest(filter, access);
      if (topology === undefined) throw new Error('The geometry library is not loaded.');
      return createSpatialTest(filter, access, topology);
  }
}

type ScalarValue = string | number | bigint | boolean | null;

const decisions: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  equal: (order) => order === 0,
  notEqual: (order) => order !== 0,
  less: (order) => order < 0,
  lessOrEqual: (order) => order <= 0,
  greater: (order) => order > 0,
  greaterOrEqual: (order) => order >= 0,
};

type KnownValue = NonNullable<ScalarValue>;

/** Times and decimals are represented as text but have another order. */
function selectComparator({ left, right }: ResolvedComparison): (one: KnownValue, other: KnownValue) => number {
  const types = [left.type, right.type];
  return types.includes('moment') ? compareTimes : types.includes('decimal') ? compareDecimals : comparePlain;
}

function comparePlain(one: KnownValue, other: KnownValue): number {
  if (typeof one === 'string' && typeof other === 'string') return compareCodePoints(one, other);
  return one < other ? -1 : one > other ? 1 : 0;
}

function compareTimes(one: KnownValue, other: KnownValue): number {
  return isMoment(one) && isMoment(other) ? compareExactMoments(one, other) : comparePlain(one, other);
}

function compareDecimals(one: KnownValue, other: KnownValue): number {
  return isDecimal(one) && isDecimal(other) ? compareExactDecimals(one, other) : comparePlain(one, other);
}

function isMoment(value: KnownValue): value is ExactMoment {
  return typeof value === 'number' || typeof value === 'string';
}

function isDecimal(value: KnownValue): value is ExactDecimal | bigint {
  return typeof value !== 'boolean';
}

/** A Set distinguishes a bigint from an equal number. */
function normalizeNumber(value: ScalarValue): ScalarValue {
  return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value;
}

function compileScalar<Row>(scalar: Scalar, access: RowAccess<Row>): (row: Row) => ScalarValue {
  switch (scalar.kind) {
    case 'constant':
      return () => scalar.value;
    case 'attribute':
      return (row) => toScalarValue(access.value(row, scalar.name), scalar.type);
    case 'arithmetic': {
      const [left, right] = [compileScalar(scalar.left, access), compileScalar(scalar.right, access)];
      const calculate = calculations[scalar.operator];
      return (row) => {
        const [one, other] = [left(row), right(row)];
        if (one === null || other === null) return null;
        const result = calculate(Number(one), Number(other));
        return Number.isFinite(result) ? result : null;
      };
    }
  }
}

const calculations = {
  add: (one: number, other: number) => one + other,
  subtract: (one: number, other: number) => one - other,
  multiply: (one: number, other: number) => one * other,
  divide: (one: number, other: number) => one / other,
} as const;

/** A value of another type counts as null. */
function toScalarValue(value: RowValue, type: AttributeValue['type']): ScalarValue {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : typeof value === 'object' ? null : String(value);
    case 'number': {
      if (typeof value === 'bigint') return value;
      const number = typeof value === 'string' && value.trim() !== '' ? readNumber(value) : value;
      return typeof number === 'bigint' || (typeof number === 'number' && !Number.isNaN(number)) ? number : null;
    }
    case 'boolean':
      return typeof value === 'boolean'
        ? value
        : typeof value === 'number' || typeof value === 'bigint'
          ? value !== 0 && value !== 0n
          : null;
    case 'decimal':
      return typeof value === 'object' || typeof value === 'boolean' ? null : (toExactDecimal(value) ?? null);
    case 'moment': {
      if (typeof value === 'string') return parseMoment(value) ?? null;
      const ms = value instanceof Date ? value.getTime() : value;
      return typeof ms === 'number' && !Number.isNaN(ms) ? ms : typeof ms === 'bigint' ? Number(ms) : null;
    }
    default:
      return null;
  }
}

/** Complex features have long integers as text, which a number would round. */
function readNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) && LONG_INTEGER.test(text) ? BigInt(text) : number;
}

/** A 64-bit integer has at most 19 digits. */
const LONG_INTEGER = /^-?\d{16,19}$/;

/** Evaluates as in styles, where moments are text. */
function compileComputed<Row>({ filter, attributes }: ComputedCondition, access: RowAccess<Row>): Decision<Row> {
  const values = attributes.filter(({ attribute }) => attribute.type !== 'geometry');
  const geometries = new Map(attributes.map(({ written, attribute }) => [written, attribute.name]));
  return (row) => {
    const scalars = Object.fromEntries(
      values.map(({ written, attribute }): [string, StyleValue] => {
        const value = toScalarValue(access.value(row, attribute.name), attribute.type);
        const shown = attribute.type === 'moment' && typeof value === 'number' ? formatExactMoment(value) : value;
        const isLong = typeof shown === 'bigint' || (attribute.type === 'decimal' && shown !== null);
        return [written, isLong ? Number(shown) : shown];
      }),
    );
    const identifier = access.identifier(row);
    const feature: FeatureValues = {
      ...scalars,
      ...(identifier === undefined ? {} : { [featureIdentifier]: identifier }),
      [geometryAccess]: (name = '') => toGeometry(access.value(row, geometries.get(name) ?? name)),
    };
    return evaluateFilter(filter, feature, 'unknown');
  };
}

function toGeometry(value: RowValue): Geometry | undefined {
  return typeof value === 'object' && value !== null && 'ordinates' in value ? value : undefined;
}
