/** Writes well-known text with rounded coordinates in the requested axis order. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { TextWriter } from './text-writer.ts';
import { isEmptyGeometry } from './writable-geometry.ts';

const marks = { XY: '', XYZ: ' Z', XYM: ' M', XYZM: ' ZM' } as const;

export function writeWkt(out: TextWriter, geometry: Geometry, isNorthFirst: boolean): void {
  const { type, dimension, ends, parts, members = [] } = geometry;
  out.writeRaw(`${type.toUpperCase()}${marks[dimension]} `);
  if (isEmptyGeometry(geometry)) {
    out.writeRaw('EMPTY');
    return;
  }
  const writeRange = (start: number, end: number): void => writeLine(out, geometry, start, end, isNorthFirst);
  const writeRings = (from: number, to: number): void =>
    writeList(out, to - from, (index) => writeRange(ends[from + index - 1] ?? 0, ends[from + index] ?? 0));
  const count = geometry.ordinates.length / dimension.length;
  switch (type) {
    case 'Point':
    case 'LineString':
      writeRange(0, count);
      return;
    case 'MultiPoint':
      writeList(out, count, (index) => writeRange(index, index + 1));
      return;
    case 'Polygon':
    case 'MultiLineString':
      writeRings(0, ends.length);
      return;
    case 'MultiPolygon':
      writeList(out, parts.length, (index) => writeRings(parts[index - 1] ?? 0, parts[index] ?? 0));
      return;
    case 'GeometryCollection':
      writeList(out, members.length, (index) => {
        const member = members[index];
        if (member !== undefined) writeWkt(out, member, isNorthFirst);
      });
  }
}

function writeList(out: TextWriter, count: number, writeItem: (index: number) => void): void {
  out.writeRaw('(');
  out.writeEach(count, (index) => {
    if (index > 0) out.writeRaw(', ');
    writeItem(index);
  });
  out.writeRaw(')');
}

function writeLine(
  out: TextWriter,
  { ordinates, dimension }: Geometry,
  start: number,
  end: number,
  isNorthFirst: boolean,
): void {
  const size = dimension.length;
  writeList(out, end - start, (index) => {
    const at = (start + index) * size;
    out.writeNumber(ordinates[isNorthFirst ? at + 1 : at] ?? 0);
    out.writeRaw(' ');
    out.writeNumber(ordinates[isNorthFirst ? at : at + 1] ?? 0);
    for (let extra = 2; extra < size; extra += 1) {
      const value = ordinates[at + extra] ?? 0;
      out.writeRaw(' ');
      // WKT has a position for every ordinate, also for a missing height or measure.
      if (Number.isFinite(value)) out.writeNumber(value);
      else out.writeRaw('NaN');
    }
  });
}
