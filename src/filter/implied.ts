/** What a filter says at once of all that fits it: where it lies, or which it is. Data with an index looks nowhere else then. */
import type { Bounds } from '../crs/bounds.ts';
import { mergeBounds } from '../geometry/geometry-bounds.ts';
import type { GeometryOperand, ResolvedFilter } from './model/resolved-filter.ts';
import { expandBounds } from './predicate/boxes.ts';
import { isMeetingImplied } from './sql/dialect.ts';

/** A box that the geometries of all that fits have a point in; undefined where they may be anywhere. */
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

/** Ids of which all that fits has one; undefined where it may have any. */
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

/** Both have to be met, and so either will do: it need not be the same point. */
function selectSmaller(one: Bounds, other: Bounds): Bounds {
  return computeArea(one) <= computeArea(other) ? one : other;
}

function computeArea({ minX, minY, maxX, maxY }: Bounds): number {
  return (maxX - minX) * (maxY - minY);
}
