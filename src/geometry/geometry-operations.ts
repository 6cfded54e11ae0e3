/** Operations that compute a geometry from others, by JSTS, which is loaded on first use. */
import type { Geometry } from './geometry.ts';

interface Position {
  readonly x: number;
  readonly y: number;
}

/** A geometry of the library. */
interface Shape {
  isEmpty(): boolean;
  getGeometryType(): string;
  getNumGeometries(): number;
  getGeometryN(index: number): Shape;
  getCoordinates(): readonly Position[];
  getExteriorRing(): Shape;
  getNumInteriorRing(): number;
  getInteriorRingN(index: number): Shape;
}

interface Factory {
  createPoint(position: object): Shape;
  createLineString(positions: readonly object[]): Shape;
  createLinearRing(positions: readonly object[]): Shape;
  createPolygon(shell: Shape, holes: readonly Shape[]): Shape;
  createMultiPoint(members: readonly Shape[]): Shape;
  createMultiLineString(members: readonly Shape[]): Shape;
  createMultiPolygon(members: readonly Shape[]): Shape;
}

/** Each returns undefined for an empty result, or if a geometry is invalid. */
export interface GeometryOperations {
  /** The distance is in units of the coordinates; a negative one shrinks polygons. */
  buffer(geometry: Geometry, distance: number): Geometry | undefined;
  centroid(geometry: Geometry): Geometry | undefined;
  intersect(geometry: Geometry, other: Geometry): Geometry | undefined;
  /** Rings do not cross afterwards. */
  simplifyTopology(geometry: Geometry, tolerance: number): Geometry | undefined;
}

let loading: Promise<GeometryOperations> | undefined;

export function loadGeometryOperations(): Promise<GeometryOperations> {
  loading ??= importOperations();
  return loading;
}

async function importOperations(): Promise<GeometryOperations> {
  const [factoryModule, coordinate, centroidModule, bufferOp, overlayOp, simplifier] = await Promise.all([
    import('jsts/org/locationtech/jts/geom/GeometryFactory.js'),
    import('jsts/org/locationtech/jts/geom/Coordinate.js'),
    import('jsts/org/locationtech/jts/algorithm/Centroid.js'),
    import('jsts/org/locationtech/jts/operation/buffer/BufferOp.js'),
    import('jsts/org/locationtech/jts/operation/overlay/OverlayOp.js'),
    import('jsts/org/locationtech/jts/simplify/TopologyPreservingSimplifier.js'),
  ]);
  const factory = new factoryModule.default() as unknown as Factory;
  const create = (x: number, y: number): object => new coordinate.default(x, y);
  const convert = (geometry: Geometry): Shape | undefined => toShape(geometry, factory, create);
  const compute = (work: () => Shape | undefined): Geometry | undefined => {
    try {
      const shape = work();
      return shape === undefined || shape.isEmpty() ? undefined : toGeometry(shape);
    } catch {
      // The library throws for invalid geometries.
      return undefined;
    }
  };
  return {
    buffer: (geometry, distance) =>
      compute(() => {
        const shape = convert(geometry);
        return shape && bufferOp.default.bufferOp(shape, distance);
      }),
    centroid: (geometry) =>
      compute(() => {
        const shape = convert(geometry);
        return shape && factory.createPoint(centroidModule.default.getCentroid(shape));
      }),
    intersect: (geometry, other) =>
      compute(() => {
        const [one, two] = [convert(geometry), convert(other)];
        return one && two && overlayOp.default.overlayOp(one, two, overlayOp.default.INTERSECTION);
      }),
    simplifyTopology: (geometry, tolerance) =>
      compute(() => {
        const shape = convert(geometry);
        return shape && simplifier.default.simplify(shape, tolerance);
      }),
  };
}

/** Returns undefined for an empty geometry. Of a collection, the first member counts. */
function toShape(geometry: Geometry, factory: Factory, create: (x: number, y: number) => object): Shape | undefined {
  const { type, ordinates, dimension, ends, parts, members } = geometry;
  if (members !== undefined) {
    const [first] = members;
    return first && toShape(first, factory, create);
  }
  const size = dimension.length;
  const listPositions = (from: number, to: number): readonly object[] =>
    Array.from({ length: to - from }, (_, index) =>
      create(ordinates[(from + index) * size] ?? 0, ordinates[(from + index) * size + 1] ?? 0),
    );
  const positions = listPositions(0, ordinates.length / size);
  if (positions.length === 0) return undefined;
  if (type === 'Point' || type === 'MultiPoint')
    return factory.createMultiPoint(positions.map((each) => factory.createPoint(each)));
  const lines = ends.map((end, index) => listPositions(ends[index - 1] ?? 0, end));
  if (type === 'LineString' || type === 'MultiLineString')
    return factory.createMultiLineString(lines.map((each) => factory.createLineString(each)));
  const polygonEnds = type === 'Polygon' ? [ends.length] : parts;
  const polygons = polygonEnds.map((end, index) => {
    const [shell, ...holes] = lines
      .slice(polygonEnds[index - 1] ?? 0, end)
      .map((each) => factory.createLinearRing(each));
    return shell && factory.createPolygon(shell, holes);
  });
  return factory.createMultiPolygon(polygons.filter((each) => each !== undefined));
}

function toGeometry(shape: Shape): Geometry {
  const members = Array.from({ length: shape.getNumGeometries() }, (_, index) => shape.getGeometryN(index));
  const kinds = new Set(members.map((each) => each.getGeometryType()));
  if (kinds.size > 1)
    return {
      type: 'GeometryCollection',
      dimension: 'XY',
      ordinates: new Float64Array(),
      ends: [],
      parts: [],
      members: members.map(toGeometry),
    };
  const ordinates: number[] = [];
  const ends: number[] = [];
  const parts: number[] = [];
  const add = (line: Shape): void => {
    for (const { x, y } of line.getCoordinates()) ordinates.push(x, y);
    ends.push(ordinates.length / 2);
  };
  const [kind = 'Point'] = kinds;
  for (const member of members) {
    if (kind !== 'Polygon') {
      add(member);
      continue;
    }
    add(member.getExteriorRing());
    for (let hole = 0; hole < member.getNumInteriorRing(); hole += 1) add(member.getInteriorRingN(hole));
    parts.push(ends.length);
  }
  const type = kind === 'Polygon' ? 'MultiPolygon' : kind === 'Point' ? 'MultiPoint' : 'MultiLineString';
  return { type, dimension: 'XY', ordinates: Float64Array.from(ordinates), ends: kind === 'Point' ? [] : ends, parts };
}
