/** Spatial tests: bounding boxes first, which usually decide, then the exact shapes. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import type { SpatialOperator } from '../model/filter.ts';
import type { GeometryOperand, ResolvedDistance, ResolvedRelation } from '../model/resolved-filter.ts';
import { areApart, expandBounds } from './boxes.ts';
import { PreparedGeometry } from './prepared-geometry.ts';
import type { Decision, RowAccess } from './row-access.ts';
import type { Topology, TopologyShape } from './topology.ts';

interface LocatedGeometry {
  readonly geometry: Geometry;
  /** Undefined for an empty geometry. */
  readonly bounds: Bounds | undefined;
  readonly shape: () => TopologyShape;
}

/** The result is unknown for a row without a geometry. */
export function createSpatialTest<Row>(
  filter: ResolvedRelation | ResolvedDistance,
  access: RowAccess<Row>,
  topology: Topology,
): Decision<Row> {
  const [left, right] = [
    createOperandReader(filter.left, access, topology),
    createOperandReader(filter.right, access, topology),
  ];
  const test = filter.kind === 'relation' ? createRelationTest(filter, topology) : createDistanceTest(filter, topology);
  return (row) => {
    const [one, other] = [left(row), right(row)];
    return one === undefined || other === undefined ? undefined : test(one, other);
  };
}

/** Tests whether the boxes of an attribute and a geometry intersect. */
export function createBoxTest<Row>({ left, right }: ResolvedRelation, access: RowAccess<Row>): Decision<Row> {
  const [attribute, other] = left.kind === 'attribute' ? [left, right] : [right, left];
  if (attribute.kind !== 'attribute' || other.kind !== 'geometry') return () => undefined;
  return (row) => {
    const geometry = access.value(row, attribute.name);
    if (!isGeometry(geometry)) return undefined;
    const bounds = computeGeometryBounds(geometry);
    return bounds !== undefined && !areApart(bounds, other.bounds);
  };
}

type GeometryTest = (one: LocatedGeometry, other: LocatedGeometry) => boolean;

function createOperandReader<Row>(
  operand: GeometryOperand,
  access: RowAccess<Row>,
  topology: Topology,
): (row: Row) => LocatedGeometry | undefined {
  if (operand.kind === 'geometry') {
    let shape: TopologyShape | undefined;
    const located: LocatedGeometry = {
      geometry: operand.geometry,
      bounds: operand.bounds,
      shape: () => {
        shape ??= topology.createShape(operand.geometry);
        return shape;
      },
    };
    return () => located;
  }
  return (row) => {
    const geometry = access.value(row, operand.name);
    return isGeometry(geometry)
      ? { geometry, bounds: computeGeometryBounds(geometry), shape: () => topology.createShape(geometry) }
      : undefined;
  };
}

function isGeometry(value: unknown): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}

/** Decides by boxes and boundaries if they suffice, otherwise by the intersection matrix. */
function createRelationTest({ relation, right }: ResolvedRelation, topology: Topology): GeometryTest {
  const testExactly: GeometryTest = (one, other) => topology.isRelated(relation, one.shape(), other.shape());
  // A pattern can require disjoint geometries.
  if (typeof relation === 'object') return testExactly;
  const prepared = prepareOperand(right, topology);
  const isBox = right.kind === 'geometry' && right.isBox;
  const isWhether = relation === 'intersects' || relation === 'disjoint';
  return (one, other) => {
    if (one.bounds === undefined || other.bounds === undefined || areApart(one.bounds, other.bounds))
      return relation === 'disjoint';
    if (isWhether && isBox && hasPartInBox(one.geometry, one.bounds, other.bounds)) return relation === 'intersects';
    if (isWhether && prepared !== undefined)
      return prepared.intersects(one.geometry, one.bounds) === (relation === 'intersects');
    if (canNeverHold(relation, one.bounds, other.bounds)) return false;
    if (prepared === undefined || isCollection(one.geometry) || isCollection(other.geometry))
      return testExactly(one, other);
    switch (prepared.computeContact(one.geometry, one.bounds)) {
      case 'apart':
        return false;
      case 'inside':
        return relation === 'within';
      case 'around':
        return relation === 'contains';
      case 'together':
        return testExactly(one, other);
    }
  };
}

function prepareOperand(operand: GeometryOperand, topology: Topology): PreparedGeometry | undefined {
  if (operand.kind !== 'geometry') return undefined;
  return new PreparedGeometry(operand.geometry, operand.bounds, topology.segmentTests);
}

function isCollection({ type }: Geometry): boolean {
  return type === 'GeometryCollection';
}

/** Whether the boxes rule out the relation. */
function canNeverHold(relation: SpatialOperator, one: Bounds, other: Bounds): boolean {
  if (relation === 'within') return !isWithin(one, other);
  if (relation === 'contains') return !isWithin(other, one);
  return relation === 'equals' && !(isWithin(one, other) && isWithin(other, one));
}

/** Whether a part of the geometry is certainly in a box that its bounds intersect. */
function hasPartInBox(geometry: Geometry, bounds: Bounds, box: Bounds): boolean {
  return isWithin(bounds, box) || isRectangle(geometry, bounds) || hasPositionIn(geometry, box);
}

function isWithin(inner: Bounds, outer: Bounds): boolean {
  return inner.minX >= outer.minX && inner.maxX <= outer.maxX && inner.minY >= outer.minY && inner.maxY <= outer.maxY;
}

/** This decides nearly always and is much cheaper than comparing shapes. */
function hasPositionIn({ ordinates, dimension }: Geometry, { minX, minY, maxX, maxY }: Bounds): boolean {
  for (let at = 0; at < ordinates.length; at += dimension.length) {
    const [x, y] = [ordinates[at] ?? Number.NaN, ordinates[at + 1] ?? Number.NaN];
    if (x >= minX && x <= maxX && y >= minY && y <= maxY) return true;
  }
  return false;
}

/** Whether a polygon equals its box, as image footprints usually do. */
function isRectangle({ type, dimension, ordinates, ends }: Geometry, bounds: Bounds): boolean {
  if (type !== 'Polygon' || dimension !== 'XY' || ends.length !== 1 || ordinates.length !== 10) return false;
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

function createDistanceTest({ operator, distance, right }: ResolvedDistance, topology: Topology): GeometryTest {
  const prepared = prepareOperand(right, topology);
  return (one, other) => {
    // Empty geometries have no distance.
    if (one.bounds === undefined || other.bounds === undefined) return false;
    const isNear =
      !areApart(expandBounds(one.bounds, distance), other.bounds) &&
      (prepared === undefined
        ? (topology.computeDistance(one.shape(), other.shape()) ?? Number.NaN) <= distance
        : prepared.isWithinDistance(one.geometry, one.bounds, distance));
    return isNear === (operator === 'within');
  };
}
