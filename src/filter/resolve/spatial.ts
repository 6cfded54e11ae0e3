/** Resolves the attributes of spatial conditions and converts their geometries to the CRS of the attributes. */
import type { Expression } from '../model/expression.ts';
import type {
  BoundingBoxFilter,
  DistanceFilter,
  RelationFilter,
  SpatialFilter,
  SpatialOperator,
} from '../model/filter.ts';
import { joinResolvedFilters } from '../model/join-resolved-filters.ts';
import type { GeometryOperand, ResolvedFilter, ResolvedRelation } from '../model/resolved-filter.ts';
import type { Schema, SchemaAttribute } from '../model/schema.ts';
import { resolveBox, resolveGeometry } from './geometry.ts';
import { ResolveError } from './resolve-error.ts';
import { findAttribute } from './scalar.ts';
import type { SchemaWithSystems } from './systems.ts';

const transposedOperators: Readonly<Partial<Record<SpatialOperator, SpatialOperator>>> = {
  within: 'contains',
  contains: 'within',
};

export function resolveRelation(filter: SpatialFilter | RelationFilter, schema: SchemaWithSystems): ResolvedFilter {
  const { left, right, isTurned } = resolveOperands(filter.left, filter.right, schema);
  if (filter.kind === 'relate') {
    const pattern = isTurned ? transposePattern(filter.pattern) : filter.pattern;
    return { kind: 'relation', relation: { pattern }, left, right };
  }
  const operator = (isTurned ? transposedOperators[filter.operator] : undefined) ?? filter.operator;
  return { kind: 'relation', relation: operator, left, right };
}

function transposePattern(pattern: string): string {
  return [0, 3, 6, 1, 4, 7, 2, 5, 8].map((index) => pattern.charAt(index)).join('');
}

export function resolveDistance(filter: DistanceFilter, schema: SchemaWithSystems): ResolvedFilter {
  const { left, right, attribute } = resolveOperands(filter.left, filter.right, schema);
  const units = convertDistance(filter, attribute);
  if (!Number.isFinite(units)) throw new ResolveError(filter, 'the distance is too large');
  return { kind: 'distance', operator: filter.operator, left, right, distance: units };
}

const metres: Readonly<Record<string, number>> = {
  m: 1,
  meter: 1,
  meters: 1,
  metre: 1,
  metres: 1,
  km: 1000,
  kilometer: 1000,
  kilometers: 1000,
  kilometre: 1000,
  kilometres: 1000,
  ft: 0.3048,
  foot: 0.3048,
  feet: 0.3048,
  mi: 1609.344,
  mile: 1609.344,
  miles: 1609.344,
  'statute miles': 1609.344,
  nmi: 1852,
  'nautical miles': 1852,
};

function convertDistance(filter: DistanceFilter, attribute: SchemaAttribute | undefined): number {
  const { distance: written, units } = filter;
  if (units === undefined) return written;
  const length = Object.hasOwn(metres, units.toLowerCase()) ? metres[units.toLowerCase()] : undefined;
  if (length === undefined)
    throw new ResolveError(
      filter,
      `unknown unit '${units.slice(0, 60)}'; use meters, kilometers, feet, statute miles or nautical miles`,
    );
  if (attribute?.metresPerUnit === undefined)
    throw new ResolveError(filter, 'the unit of the coordinates is unknown; specify the distance without a unit');
  return (written * length) / attribute.metresPerUnit;
}

/** Resolves a box to an intersects condition. */
export function resolveBoundingBox({ geometry, bounds }: BoundingBoxFilter, schema: SchemaWithSystems): ResolvedFilter {
  const named = geometry ?? { kind: 'literal', value: '' };
  const own = findGeometryAttribute(named, schema);
  if (own === undefined) throw new ResolveError(named, 'the name of a geometry attribute was expected');
  const left: GeometryOperand = { kind: 'attribute', type: 'geometry', name: own.name };
  return joinResolvedFilters(
    'or',
    resolveBox(bounds, own, schema).map((right) => ({ kind: 'relation', relation: 'intersects', left, right })),
  );
}

type Operands = Pick<ResolvedRelation, 'left' | 'right'> & {
  readonly attribute: SchemaAttribute | undefined;
  readonly isTurned: boolean;
};

/** Puts an attribute on the left side if there is one. */
function resolveOperands(left: Expression, right: Expression, schema: SchemaWithSystems): Operands {
  const [one, other] = [findGeometryAttribute(left, schema), findGeometryAttribute(right, schema)];
  const attribute = one ?? other;
  const resolveOperand = (expression: Expression, own: SchemaAttribute | undefined): GeometryOperand => {
    if (own !== undefined) return { kind: 'attribute', type: 'geometry', name: own.name };
    if (expression.kind === 'geometry') return resolveGeometry(expression, attribute, schema);
    throw new ResolveError(expression, 'a geometry or the name of a geometry attribute was expected');
  };
  const isTurned = one === undefined && other !== undefined;
  const [first, second] = [resolveOperand(left, one), resolveOperand(right, other)];
  return isTurned
    ? { left: second, right: first, attribute, isTurned }
    : { left: first, right: second, attribute, isTurned };
}

/** An empty name means the default geometry. Returns undefined if the expression is not an attribute. */
function findGeometryAttribute(expression: Expression, schema: Schema): SchemaAttribute | undefined {
  if (expression.kind === 'literal' && expression.value === '') {
    const geometries = schema.attributes.filter(({ type }) => type === 'geometry');
    const found = geometries.find(({ name }) => name === schema.defaultGeometry) ?? geometries[0];
    if (found === undefined) throw new ResolveError(expression, 'the type has no geometry attribute');
    return found;
  }
  if (expression.kind !== 'property') return undefined;
  const attribute = findAttribute(expression, schema);
  if (attribute.type === 'geometry') return attribute;
  throw new ResolveError(expression, `'${attribute.name}' is not a geometry attribute`);
}
