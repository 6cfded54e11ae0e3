/** Converts geometry literals to geometries, in the axis order as written and without heights. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { GeometryLiteral, Position } from './geometry-literal.ts';

export function flattenLiteral(literal: GeometryLiteral): Geometry {
  switch (literal.type) {
    case 'Point':
      return createFlatGeometry('Point', [literal.coordinates]);
    case 'LineString':
      return createFlatGeometry('LineString', literal.coordinates, [literal.coordinates.length]);
    case 'Polygon':
      return createFromRings('Polygon', [literal.coordinates]);
    case 'Envelope':
      return createBox(literal.coordinates);
    case 'GeometryCollection':
      return { ...createFlatGeometry('GeometryCollection', []), members: literal.members.map(flattenLiteral) };
    case 'MultiPoint':
      return createFlatGeometry(
        'MultiPoint',
        literal.members.flatMap((member) => (member.type === 'Point' ? [member.coordinates] : [])),
      );
    case 'MultiLineString': {
      const lines = literal.members.flatMap((member) => (member.type === 'LineString' ? [member.coordinates] : []));
      return createFlatGeometry('MultiLineString', lines.flat(), computeEnds(lines));
    }
    case 'MultiPolygon':
      return createFromRings(
        'MultiPolygon',
        literal.members.flatMap((member) => (member.type === 'Polygon' ? [member.coordinates] : [])),
      );
  }
}

function createFlatGeometry(
  type: Geometry['type'],
  positions: readonly Position[],
  ends: readonly number[] = [],
): Geometry {
  const ordinates = Float64Array.from(positions.flatMap(([x = Number.NaN, y = Number.NaN]) => [x, y]));
  return { type, dimension: 'XY', ordinates, ends, parts: [] };
}

function createFromRings(
  type: 'Polygon' | 'MultiPolygon',
  polygons: readonly (readonly (readonly Position[])[])[],
): Geometry {
  const rings = polygons.flat();
  return {
    ...createFlatGeometry(type, rings.flat(), computeEnds(rings)),
    parts: type === 'Polygon' ? [] : computeEnds(polygons),
  };
}

function computeEnds(lists: readonly (readonly unknown[])[]): readonly number[] {
  let end = 0;
  return lists.map((list) => {
    end += list.length;
    return end;
  });
}

/** The corners can be in any order; a box without width or height is a line or a point. */
function createBox([[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]]: readonly [Position, Position]): Geometry {
  const [minX, maxX, minY, maxY] = [Math.min(x1, x2), Math.max(x1, x2), Math.min(y1, y2), Math.max(y1, y2)];
  if (minX === maxX && minY === maxY) return createFlatGeometry('Point', [[minX, minY]]);
  const corners: readonly [Position, Position] = [
    [minX, minY],
    [maxX, maxY],
  ];
  if (minX === maxX || minY === maxY) return createFlatGeometry('LineString', corners, [2]);
  const [low, high] = corners;
  return createFromRings('Polygon', [[[low, [maxX, minY], high, [minX, maxY], low]]]);
}
