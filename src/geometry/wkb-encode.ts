/** Encodes a geometry as WKB, in ISO form or, with an SRID, in PostGIS form. */
import type { Dimension, Geometry } from './geometry.ts';

export interface WkbForm {
  readonly byteOrder?: 'little' | 'big';
  /** With an SRID, even 0, the result is in PostGIS form. */
  readonly srid?: number;
  /** The number of bytes to reserve for a header, which avoids a copy. */
  readonly leadingBytes?: number;
}

const codes = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
  GeometryCollection: 7,
} as const satisfies Record<Geometry['type'], number>;

const isoOffsets = { XY: 0, XYZ: 1000, XYM: 2000, XYZM: 3000 } as const satisfies Record<Dimension, number>;
const flags = { XY: 0, XYZ: 0x8000_0000, XYM: 0x4000_0000, XYZM: 0xc000_0000 } as const;
const orders = { XY: 2, XYZ: 3, XYM: 3, XYZM: 4 } as const satisfies Record<Dimension, number>;

const SRID_FLAG = 0x2000_0000;

export function encodeWkb(geometry: Geometry, form: WkbForm = {}): Uint8Array {
  const isLittle = form.byteOrder !== 'big';
  const { leadingBytes = 0 } = form;
  const bytes = new Uint8Array(leadingBytes + computeSize(geometry) + (form.srid === undefined ? 0 : 4));
  const view = new DataView(bytes.buffer);
  let offset = leadingBytes;

  const writeUint32 = (value: number): void => {
    view.setUint32(offset, value, isLittle);
    offset += 4;
  };
  const writeHeader = (type: Geometry['type'], dimension: Dimension, srid?: number): void => {
    bytes[offset] = isLittle ? 1 : 0;
    offset += 1;
    writeUint32(
      form.srid === undefined
        ? codes[type] + isoOffsets[dimension]
        : codes[type] + flags[dimension] + (srid === undefined ? 0 : SRID_FLAG),
    );
    if (srid !== undefined) writeUint32(srid);
  };
  const writeOrdinates = (source: Float64Array, from: number, to: number): void => {
    for (let index = from; index < to; index += 1, offset += 8)
      view.setFloat64(offset, source[index] ?? Number.NaN, isLittle);
  };
  const writeSequence = (source: Geometry, from: number, to: number): void => {
    const size = orders[source.dimension];
    writeUint32(to - from);
    writeOrdinates(source.ordinates, from * size, to * size);
  };
  const writeRings = (source: Geometry, from: number, to: number): void => {
    writeUint32(to - from);
    for (let ring = from; ring < to; ring += 1)
      writeSequence(source, source.ends[ring - 1] ?? 0, source.ends[ring] ?? 0);
  };

  const write = (source: Geometry, srid?: number): void => {
    const { type, dimension, ends, parts } = source;
    const size = orders[dimension];
    writeHeader(type, dimension, srid);
    switch (type) {
      case 'Point':
        // An empty point is encoded with NaN ordinates.
        writeOrdinates(source.ordinates, 0, size);
        return;
      case 'LineString':
        writeSequence(source, 0, ends.at(-1) ?? 0);
        return;
      case 'Polygon':
        writeRings(source, 0, ends.length);
        return;
      case 'MultiPoint':
        writeUint32(source.ordinates.length / size);
        for (let at = 0; at < source.ordinates.length; at += size) {
          writeHeader('Point', dimension);
          writeOrdinates(source.ordinates, at, at + size);
        }
        return;
      case 'MultiLineString':
        writeUint32(ends.length);
        ends.forEach((end, line) => {
          writeHeader('LineString', dimension);
          writeSequence(source, ends[line - 1] ?? 0, end);
        });
        return;
      case 'MultiPolygon':
        writeUint32(parts.length);
        parts.forEach((part, polygon) => {
          writeHeader('Polygon', dimension);
          writeRings(source, parts[polygon - 1] ?? 0, part);
        });
        return;
      case 'GeometryCollection':
        writeUint32(source.members?.length ?? 0);
        for (const member of source.members ?? []) write(member);
    }
  };

  write(geometry, form.srid);
  return bytes;
}

function computeSize({ type, dimension, ordinates, ends, parts, members = [] }: Geometry): number {
  const size = orders[dimension] * 8;
  switch (type) {
    case 'Point':
      return 5 + size;
    case 'LineString':
      return 9 + ordinates.byteLength;
    case 'Polygon':
      return 9 + 4 * ends.length + ordinates.byteLength;
    case 'MultiPoint':
      return 9 + (ordinates.byteLength / size) * (5 + size);
    case 'MultiLineString':
      return 9 + 9 * ends.length + ordinates.byteLength;
    case 'MultiPolygon':
      return 9 + 9 * parts.length + 4 * ends.length + ordinates.byteLength;
    case 'GeometryCollection':
      return 9 + members.reduce((sum, member) => sum + computeSize(member), 0);
  }
}
