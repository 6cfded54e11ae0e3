/** Derives bounds and identifiers that every match of a filter must have, so that indexed data reads only those. */
import type { Bounds } from '../crs/bounds.ts';
import { mergeBounds } from '../geometry/geometry-bounds.ts';
import type { GeometryOperand, ResolvedFilter } from './model/resolved-filter.ts';
import { expandBounds } from './predicate/boxes.ts';
import { isMeetingImplied } from './sql/dialect.ts';

/** Returns a box that every matching geometry intersects, or undefined if matches can be anywhere. */
export function findImpliedBounds(filter: ResolvedFilter, geometry: string): Bounds | undefined {
  switch (filter.kind) {
    case 'and':
      return filter.filters
        .map((each) => findImpliedBounds(each, geometry))
        .reduce((one, other) =>
          one === undefined || other === undefined ? (one ?? other) : selectSmaller(one, other),
        );
    case 'or': {
      const all = filter.filters.map((each) => findImpliedBounds(each, geometry));
      return all.every((each) => each !== undefined)
        ? all.reduce<Bounds | undefined>(mergeBounds, undefined)
        : undefined;
    }
    case 'relation':
      return isMeetingImplied(filter.relation) ? findOperandBounds(geometry, filter.left, filter.right) : undefined;
    case 'distance': {
      const bounds = findOperandBounds(geometry, filter.left, filter.right);
      return filter.operator === 'within' && bounds !== undefined ? expandBounds(bounds, filter.distance) : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns identifiers that include those of all matches, or undefined if any identifier can match. */
export function findImpliedIdentifiers(filter: ResolvedFilter): readonly string[] | undefined {
  switch (filter.kind) {
    case 'identifiers':
      return filter.identifiers;
    case 'and':
      return filter.filters.map(findImpliedIdentifiers).find((each) => each !== undefined);
    case 'or': {
      const all = filter.filters.map(findImpliedIdentifiers);
      return all.every((each) => each !== undefined) ? all.flat() : undefined;
    }
    default:
      return undefined;
  }
}

function findOperandBounds(geometry: string, left: GeometryOperand, right: GeometryOperand): Bounds | undefined {
  if (left.kind === 'attribute') return left.name === geometry && right.kind === 'geometry' ? right.bounds : undefined;
  return right.kind === 'attribute' && right.name === geometry ? left.bounds : undefined;
}

/**
 * A match intersects both boxes, so either box is a valid bound. The intersection is not, because the points can
 * differ.
 */
function selectSmaller(one: Bounds, other: Bounds): Bounds {
  return computeArea(one) <= computeArea(other) ? one : other;
}

function computeArea({ minX, minY, maxX, maxY }: Bounds): number {
  return (maxX - minX) * (maxY - minY);
}
