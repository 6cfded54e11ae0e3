/** Tests of geometries: first their boxes, which mostly decide, then their forms. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../vector/geometry.ts';
import { geometryBounds } from '../../vector/geometry-bounds.ts';
import type { GeometryOperand, ResolvedDistance, ResolvedRelation } from '../resolved-filter.ts';
import type { Predicate, RowAccess } from './row-access.ts';
import type { Topology, TopologyShape } from './topology.ts';

interface Located {
  readonly geometry: Geometry;
  /** Undefined for what is empty. */
  readonly bounds: Bounds | undefined;
  readonly shape: () => TopologyShape;
}

/** Without a geometry all of them are false. */
export function spatialTest<Row>(
  filter: ResolvedRelation | ResolvedDistance,
  access: RowAccess<Row>,
  topology: Topology,
): Predicate<Row> {
  const [left, right] = [reader(filter.left, access, topology), reader(filter.right, access, topology)];
  const test = filter.kind === 'relation' ? relationTest(filter, topology) : distanceTest(filter, topology);
  return (row) => {
    const [one, other] = [left(row), right(row)];
    return one !== undefined && other !== undefined && test(one, other);
  };
}

/** Whether the boxes around an attribute and a geometry meet. */
export function boxTest<Row>({ left, right }: ResolvedRelation, access: RowAccess<Row>): Predicate<Row> {
  const [attribute, other] = left.kind === 'attribute' ? [left, right] : [right, left];
  if (attribute.kind !== 'attribute' || other.kind !== 'geometry') return () => false;
  return (row) => {
    const geometry = access.value(row, attribute.name);
    const bounds = isGeometry(geometry) ? geometryBounds(geometry) : undefined;
    return bounds !== undefined && !areApart(bounds, other.bounds);
  };
}

type Test = (one: Located, other: Located) => boolean;

function reader<Row>(
  operand: GeometryOperand,
  access: RowAccess<Row>,
  topology: Topology,
): (row: Row) => Located | undefined {
  if (operand.kind === 'geometry') {
    const shape = topology.shapeOf(operand.geometry);
    const located = { geometry: operand.geometry, bounds: operand.bounds, shape: () => shape };
    return () => located;
  }
  return (row) => {
    const geometry = access.value(row, operand.name);
    return isGeometry(geometry)
      ? { geometry, bounds: geometryBounds(geometry), shape: () => topology.shapeOf(geometry) }
      : undefined;
  };
}

function isGeometry(value: unknown): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}

function relationTest({ relation, right }: ResolvedRelation, topology: Topology): Test {
  const exact: Test = (one, other) => topology.relates(relation, one.shape(), other.shape());
  // A pattern may ask for no point in common.
  if (typeof relation === 'object') return exact;
  const isBox = right.kind === 'geometry' && right.isBox;
  return (one, other) => {
    const isApart = one.bounds === undefined || other.bounds === undefined || areApart(one.bounds, other.bounds);
    if (isApart) return relation === 'disjoint';
    if (isBox && (relation === 'intersects' || relation === 'disjoint')) {
      if (isWithin(one.bounds, other.bounds) || isRectangle(one.geometry, one.bounds)) return relation === 'intersects';
      if (other.bounds !== undefined && hasPositionIn(one.geometry, other.bounds)) return relation === 'intersects';
    }
    return exact(one, other);
  };
}

function areApart(one: Bounds, other: Bounds): boolean {
  return one.minX > other.maxX || one.maxX < other.minX || one.minY > other.maxY || one.maxY < other.minY;
}

function isWithin(inner: Bounds | undefined, outer: Bounds | undefined): boolean {
  if (inner === undefined || outer === undefined) return false;
  return inner.minX >= outer.minX && inner.maxX <= outer.maxX && inner.minY >= outer.minY && inner.maxY <= outer.maxY;
}

/** Which decides nearly always, and takes a part of the time that forms take. */
function hasPositionIn({ ordinates, dimension }: Geometry, { minX, minY, maxX, maxY }: Bounds): boolean {
  for (let at = 0; at < ordinates.length; at += dimension.length) {
    const [x, y] = [ordinates[at] ?? Number.NaN, ordinates[at + 1] ?? Number.NaN];
    if (x >= minX && x <= maxX && y >= minY && y <= maxY) return true;
  }
  return false;
}

/** A polygon that is the same as its box, as footprints of images mostly are. */
function isRectangle({ type, dimension, ordinates, ends }: Geometry, bounds: Bounds | undefined): boolean {
  if (type !== 'Polygon' || dimension !== 'XY' || ends.length !== 1 || ordinates.length !== 10 || bounds === undefined)
    return false;
  const { minX, maxX, minY, maxY } = bounds;
  let changes = 0;
  for (let at = 0; at < 10; at += 2) {
    const [x = Number.NaN, y = Number.NaN] = [ordinates[at], ordinates[at + 1]];
    if ((x !== minX && x !== maxX) || (y !== minY && y !== maxY)) return false;
    // Each side runs along one axis.
    if (at > 0 && (x !== ordinates[at - 2]) !== (y !== ordinates[at - 1])) changes += 1;
  }
  return changes === 4 && minX < maxX && minY < maxY;
}

function distanceTest({ operator, distance }: ResolvedDistance, topology: Topology): Test {
  return (one, other) => {
    const isNear = isWithinDistance(one, other, distance, topology);
    return isNear === undefined ? false : isNear === (operator === 'within');
  };
}

/** A little more than asked for, so that what is rounded is not left out. */
export function grown({ minX, minY, maxX, maxY }: Bounds, distance: number): Bounds {
  const reach = distance * (1 + 1e-9) + 1e-12 * Math.max(...[minX, minY, maxX, maxY].map(Math.abs));
  return { minX: minX - reach, minY: minY - reach, maxX: maxX + reach, maxY: maxY + reach };
}

/** Undefined for what is empty and has no distance. */
function isWithinDistance(one: Located, other: Located, distance: number, topology: Topology): boolean | undefined {
  if (one.bounds === undefined || other.bounds === undefined) return undefined;
  if (areApart(grown(one.bounds, distance), other.bounds)) return false;
  const found = topology.distance(one.shape(), other.shape());
  return found === undefined ? undefined : found <= distance;
}
