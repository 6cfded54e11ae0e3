/** Converts geometries to literals of filters. */
import type { Geometry } from '../../geometry/geometry.ts';
import { type SimplePart, toSimpleParts } from '../../geometry/simple-parts.ts';
import type { GeometryLiteral, Position } from '../model/geometry-literal.ts';

/** Heights are dropped. Returns null for a geometry without positions. */
export function createGeometryLiteral(geometry: Geometry, srsName: string | undefined): GeometryLiteral | null {
  const parts = toSimpleParts(geometry);
  const crs = srsName === undefined ? {} : { srsName };
  const members = parts.map((part): GeometryLiteral => ({ ...createPartLiteral(part), ...crs }));
  const [first] = members;
  if (first === undefined) return null;
  if (members.length === 1) return first;
  const isMixed = parts.some(({ dimension }) => dimension !== parts[0]?.dimension);
  return { kind: 'geometry', type: isMixed ? 'GeometryCollection' : `Multi${getPartType(first)}`, members, ...crs };
}

function getPartType({ type }: GeometryLiteral): 'Point' | 'LineString' | 'Polygon' {
  return type === 'Point' || type === 'LineString' ? type : 'Polygon';
}

function createPartLiteral({ dimension, lines }: SimplePart): GeometryLiteral {
  const [first = new Float64Array()] = lines;
  switch (dimension) {
    case 0:
      return { kind: 'geometry', type: 'Point', coordinates: [...first] };
    case 1:
      return { kind: 'geometry', type: 'LineString', coordinates: toPositions(first) };
    case 2:
      return { kind: 'geometry', type: 'Polygon', coordinates: lines.map(toPositions) };
  }
}

function toPositions(line: Float64Array): readonly Position[] {
  return Array.from({ length: line.length / 2 }, (_, at) => [
    line[at * 2] ?? Number.NaN,
    line[at * 2 + 1] ?? Number.NaN,
  ]);
}
