/** Encodes a geometry as WKT, x before y, which `decodeWkt` can read. */
import type { Geometry } from './geometry.ts';

const marks = { XY: '', XYZ: ' Z', XYM: ' M', XYZM: ' ZM' } as const;

export function encodeWkt(geometry: Geometry): string {
  return `${geometry.type.toUpperCase()}${marks[geometry.dimension]} ${encodeBody(geometry)}`;
}

function encodeBody(geometry: Geometry): string {
  const { type, ordinates, ends, parts, members } = geometry;
  if (type === 'GeometryCollection') {
    return members === undefined || members.length === 0 ? 'EMPTY' : `(${members.map(encodeWkt).join(', ')})`;
  }
  if (ordinates.length === 0) return 'EMPTY';
  const positions = formatPositions(geometry);
  if (type === 'Point') return `(${positions[0] ?? ''})`;
  if (type === 'MultiPoint') return `(${positions.map((position) => `(${position})`).join(', ')})`;
  if (type === 'LineString') return `(${positions.join(', ')})`;
  const lines = splitAtEnds(positions, ends).map((line) => `(${line.join(', ')})`);
  if (type !== 'MultiPolygon') return `(${lines.join(', ')})`;
  return `(${splitAtEnds(lines, parts)
    .map((rings) => `(${rings.join(', ')})`)
    .join(', ')})`;
}

function formatPositions({ ordinates, dimension }: Geometry): readonly string[] {
  const size = dimension.length;
  return Array.from({ length: ordinates.length / size }, (_, index) =>
    ordinates.subarray(index * size, (index + 1) * size).join(' '),
  );
}

function splitAtEnds<T>(list: readonly T[], ends: readonly number[]): readonly (readonly T[])[] {
  return ends.map((end, index) => list.slice(ends[index - 1] ?? 0, end));
}
