/** Writes GeoJSON geometries. */
import type { Geometry } from '../../geometry/geometry.ts';
import type { TextWriter } from '../writing/text-writer.ts';

export interface GeometryForm {
  /** Whether y is written before x. */
  readonly isNorthFirst: boolean;
  /**
   * Whether outer rings are written counterclockwise and holes clockwise, as RFC 7946 requires; otherwise rings are
   * unchanged.
   */
  readonly isOriented: boolean;
}

/** Measures are omitted, because the format does not support them. */
export function writeGeometryJson(out: TextWriter, geometry: Geometry, form: GeometryForm): void {
  const { type, members = [] } = geometry;
  if (type === 'GeometryCollection') {
    out.writeRaw('{"type":"GeometryCollection","geometries":');
    writeList(out, members.length, (index) => {
      const member = members[index];
      if (member !== undefined) writeGeometryJson(out, member, form);
    });
    out.writeRaw('}');
    return;
  }
  out.writeRaw(`{"type":"${type}","coordinates":`);
  writeCoordinates(out, geometry, form);
  out.writeRaw('}');
}

function writeCoordinates(out: TextWriter, geometry: Geometry, form: GeometryForm): void {
  const { type, ordinates, dimension, ends, parts } = geometry;
  const count = ordinates.length / dimension.length;
  switch (type) {
    case 'Point':
      if (count === 0 || Number.isNaN(ordinates[0])) out.writeRaw('[]');
      else writePosition(out, geometry, 0, form.isNorthFirst);
      return;
    case 'LineString':
    case 'MultiPoint':
      writeLine(out, geometry, 0, count, form.isNorthFirst);
      return;
    case 'MultiLineString':
      writeList(out, ends.length, (line) =>
        writeLine(out, geometry, ends[line - 1] ?? 0, ends[line] ?? 0, form.isNorthFirst),
      );
      return;
    case 'Polygon':
      writeRings(out, geometry, 0, ends.length, form);
      return;
    case 'MultiPolygon':
      writeList(out, parts.length, (polygon) =>
        writeRings(out, geometry, parts[polygon - 1] ?? 0, parts[polygon] ?? 0, form),
      );
  }
}

function writeList(out: TextWriter, count: number, writeItem: (index: number) => void): void {
  out.writeRaw('[');
  out.writeEach(count, (index) => {
    if (index > 0) out.writeRaw(',');
    writeItem(index);
  });
  out.writeRaw(']');
}

function writeRings(out: TextWriter, geometry: Geometry, from: number, to: number, form: GeometryForm): void {
  const { ends } = geometry;
  writeList(out, to - from, (index) => {
    const ring = from + index;
    const [start, end] = [ends[ring - 1] ?? 0, ends[ring] ?? 0];
    const isOutline = index === 0;
    if (form.isOriented && isClockwise(geometry, start, end) === isOutline)
      writeBackwards(out, geometry, start, end, form.isNorthFirst);
    else writeLine(out, geometry, start, end, form.isNorthFirst);
  });
}

/** Computed from the signed area; undefined for a ring without area. */
function isClockwise({ ordinates, dimension }: Geometry, start: number, end: number): boolean | undefined {
  const size = dimension.length;
  const originX = ordinates[start * size] ?? 0;
  const originY = ordinates[start * size + 1] ?? 0;
  let area = 0;
  let [lastX, lastY] = [0, 0];
  for (let at = (start + 1) * size; at < end * size; at += size) {
    const x = (ordinates[at] ?? 0) - originX;
    const y = (ordinates[at + 1] ?? 0) - originY;
    area += lastX * y - x * lastY;
    lastX = x;
    lastY = y;
  }
  return area === 0 ? undefined : area < 0;
}

function writeLine(out: TextWriter, geometry: Geometry, start: number, end: number, isNorthFirst: boolean): void {
  writeList(out, end - start, (index) => writePosition(out, geometry, start + index, isNorthFirst));
}

function writeBackwards(out: TextWriter, geometry: Geometry, start: number, end: number, isNorthFirst: boolean): void {
  writeList(out, end - start, (index) => writePosition(out, geometry, end - 1 - index, isNorthFirst));
}

function writePosition(
  out: TextWriter,
  { ordinates, dimension }: Geometry,
  position: number,
  isNorthFirst: boolean,
): void {
  const at = position * dimension.length;
  const x = ordinates[at] ?? 0;
  const y = ordinates[at + 1] ?? 0;
  out.writeRaw('[');
  out.writeNumber(isNorthFirst ? y : x);
  out.writeRaw(',');
  out.writeNumber(isNorthFirst ? x : y);
  if (dimension === 'XYZ' || dimension === 'XYZM') {
    const z = ordinates[at + 2] ?? Number.NaN;
    // JSON cannot represent NaN.
    if (Number.isFinite(z)) {
      out.writeRaw(',');
      out.writeNumber(z);
    }
  }
  out.writeRaw(']');
}
