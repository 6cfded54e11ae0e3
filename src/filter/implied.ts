/** Derives bounds and identifiers that every match of a filter must have, so that indexed data reads only those. */
import type { Bounds } from '../crs/bounds.ts';
import { mergeBounds } from '../geometry/geometry-bounds.ts';
import type { GeometryOperand, ResolvedFilter } from './model/resolved-filter.ts';
import { expandBounds } from './predicate/boxes.ts';
import { isMeetingImplied } from './sql/dialect.ts';

/** More boxes are merged, because an index tests each of them. */
const MAX_BOXES = 16;

/** Returns boxes of which every matching geometry intersects one, or undefined if matches can be anywhere. */
export function findImpliedBoxes(filter: ResolvedFilter, geometry: string): readonly Bounds[] | undefined {
  switch (filter.kind) {
    case 'and':
      return filter.filters
        .map((each) => findImpliedBoxes(each, geometry))
        .reduce((one, other) =>
          one === undefined || other === undefined ? (one ?? other) : selectSmaller(one, other),
        );
    case 'or': {
      const all = filter.filters.map((each) => findImpliedBoxes(each, geometry));
      return all.every((each) => each !== undefined) ? limitBoxes(all.flat()) : undefined;
    }
    case 'relation':
      return isMeetingImplied(filter.relation) ? findOperandBoxes(geometry, filter.left, filter.right) : undefined;
    case 'distance': {
      const boxes = findOperandBoxes(geometry, filter.left, filter.right);
      return filter.operator === 'within' ? boxes?.map((box) => expandBounds(box, filter.distance)) : undefined;
    }
    default:
      return undefined;
  }
}

function limitBoxes(boxes: readonly Bounds[]): readonly Bounds[] {
  if (boxes.length <= MAX_BOXES) return boxes;
  const whole = boxes.reduce<Bounds | undefined>(mergeBounds, undefined);
  return whole === undefined ? [] : [whole];
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

function findOperandBoxes(
  geometry: string,
  left: GeometryOperand,
  right: GeometryOperand,
): readonly Bounds[] | undefined {
  const [attribute, other] = left.kind === 'attribute' ? [left, right] : [right, left];
  if (attribute.kind !== 'attribute' || attribute.name !== geometry) return undefined;
  return other.kind === 'geometry' ? [other.bounds] : undefined;
}

/**
 * A match intersects boxes of both lists, so either list is valid. The intersection is not, because the points can
 * differ.
 */
function selectSmaller(one: readonly Bounds[], other: readonly Bounds[]): readonly Bounds[] {
  return computeArea(one) <= computeArea(other) ? one : other;
}

function computeArea(boxes: readonly Bounds[]): number {
  return boxes.reduce((sum, { minX, minY, maxX, maxY }) => sum + (maxX - minX) * (maxY - minY), 0);
}
