/** What a filter says at once of all that fits it: where it lies, or which it is. Data with an index looks nowhere else then. */
import type { Bounds } from '../crs/bounds.ts';
import { unionBounds } from '../vector/geometry-bounds.ts';
import { grown } from './predicate/boxes.ts';
import type { GeometryOperand, ResolvedFilter } from './resolved-filter.ts';
import { impliesMeeting } from './sql/dialect.ts';

/** A box that the geometries of all that fits have a point in; undefined where they may be anywhere. */
export function impliedBounds(filter: ResolvedFilter, geometry: string): Bounds | undefined {
  switch (filter.kind) {
    case 'and':
      return filter.filters
        .map((each) => impliedBounds(each, geometry))
        .reduce((one, other) => (one === undefined || other === undefined ? (one ?? other) : smaller(one, other)));
    case 'or': {
      const all = filter.filters.map((each) => impliedBounds(each, geometry));
      return all.every((each) => each !== undefined)
        ? all.reduce<Bounds | undefined>(unionBounds, undefined)
        : undefined;
    }
    case 'relation':
      return impliesMeeting(filter.relation) ? boundsBeside(geometry, filter.left, filter.right) : undefined;
    case 'distance': {
      const bounds = boundsBeside(geometry, filter.left, filter.right);
      return filter.operator === 'within' && bounds !== undefined ? grown(bounds, filter.distance) : undefined;
    }
    default:
      return undefined;
  }
}

/** Ids of which all that fits has one; undefined where it may have any. */
export function impliedIdentifiers(filter: ResolvedFilter): readonly string[] | undefined {
  switch (filter.kind) {
    case 'identifiers':
      return filter.identifiers;
    case 'and':
      return filter.filters.map(impliedIdentifiers).find((each) => each !== undefined);
    case 'or': {
      const all = filter.filters.map(impliedIdentifiers);
      return all.every((each) => each !== undefined) ? all.flat() : undefined;
    }
    default:
      return undefined;
  }
}

function boundsBeside(geometry: string, left: GeometryOperand, right: GeometryOperand): Bounds | undefined {
  if (left.kind === 'attribute') return left.name === geometry && right.kind === 'geometry' ? right.bounds : undefined;
  return right.kind === 'attribute' && right.name === geometry ? left.bounds : undefined;
}

/** Both have to be met, and so either will do: it need not be the same point. */
function smaller(one: Bounds, other: Bounds): Bounds {
  return areaOf(one) <= areaOf(other) ? one : other;
}

function areaOf({ minX, minY, maxX, maxY }: Bounds): number {
  return (maxX - minX) * (maxY - minY);
}
