/** Geometries as well-known text, with their coordinates rounded and in the order that was asked for. */
import type { Geometry } from '../../vector/geometry.ts';
import type { TextWriter } from '../text-writer.ts';
import { isEmptyGeometry } from '../written-geometry.ts';

const marks = { XY: '', XYZ: ' Z', XYM: ' M', XYZM: ' ZM' } as const;

export function writeWkt(out: TextWriter, geometry: Geometry, isNorthFirst: boolean): void {
  const { type, dimension, ends, parts, members = [] } = geometry;
  out.raw(`${type.toUpperCase()}${marks[dimension]} `);
  if (isEmptyGeometry(geometry)) {
    out.raw('EMPTY');
    return;
  }
  const line = (start: number, end: number): void => writeLine(out, geometry, start, end, isNorthFirst);
  const rings = (from: number, to: number): void =>
    list(out, to - from, (index) => line(ends[from + index - 1] ?? 0, ends[from + index] ?? 0));
  const count = geometry.ordinates.length / dimension.length;
  switch (type) {
    case 'Point':
    case 'LineString':
      line(0, count);
      return;
    case 'MultiPoint':
      list(out, count, (index) => line(index, index + 1));
      return;
    case 'Polygon':
    case 'MultiLineString':
      rings(0, ends.length);
      return;
    case 'MultiPolygon':
      list(out, parts.length, (index) => rings(parts[index - 1] ?? 0, parts[index] ?? 0));
      return;
    case 'GeometryCollection':
      list(out, members.length, (index) => {
        const member = members[index];
        if (member !== undefined) writeWkt(out, member, isNorthFirst);
      });
  }
}

function list(out: TextWriter, count: number, writeItem: (index: number) => void): void {
  out.raw('(');
  out.each(count, (index) => {
    if (index > 0) out.raw(', ');
    writeItem(index);
  });
  out.raw(')');
}

function writeLine(
  out: TextWriter,
  { ordinates, dimension }: Geometry,
  start: number,
  end: number,
  isNorthFirst: boolean,
): void {
  const size = dimension.length;
  list(out, end - start, (index) => {
    const at = (start + index) * size;
    out.number(ordinates[isNorthFirst ? at + 1 : at] ?? 0);
    out.raw(' ');
    out.number(ordinates[isNorthFirst ? at : at + 1] ?? 0);
    for (let extra = 2; extra < size; extra += 1) {
      const value = ordinates[at + extra] ?? 0;
      out.raw(' ');
      // The text has a place for every ordinate, also where there is no height or measure.
      if (Number.isFinite(value)) out.number(value);
      else out.raw('NaN');
    }
  });
}
