/** The GeoPackage geometry encoding: a header with SRS and envelope, then well-known binary. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import { decodeWkb, WkbError } from '../../geometry/wkb-decode.ts';
import { encodeWkb } from '../../geometry/wkb-encode.ts';

const FIXED_BYTES = 8;

/** By envelope code in the flags: none, xy, xyz, xym, xyzm. */
const envelopeNumbers = [0, 4, 6, 6, 8] as const;

export interface BlobHeader {
  readonly srsId: number;
  readonly isEmpty: boolean;
  /** Present if the writer stored an envelope. */
  readonly bounds?: Bounds;
  readonly wkbOffset: number;
}

/** Needs only the first bytes of a blob. */
export function decodeBlobHeader(bytes: Uint8Array): BlobHeader {
  if (bytes.byteLength < FIXED_BYTES || bytes[0] !== 0x47 || bytes[1] !== 0x50) {
    throw new WkbError(0, 'a geometry does not begin with GP');
  }
  const flags = bytes[3] ?? 0;
  const isLittle = (flags & 1) === 1;
  if ((flags & 0x20) !== 0) throw new WkbError(3, 'a geometry has an extended type, which is not supported');
  const numbers = envelopeNumbers[(flags >> 1) & 7];
  if (numbers === undefined) throw new WkbError(3, 'a geometry has an envelope of an unknown type');
  const wkbOffset = FIXED_BYTES + numbers * 8;
  if (bytes.byteLength < wkbOffset) throw new WkbError(FIXED_BYTES, 'a geometry ends within its header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const readDouble = (index: number): number => view.getFloat64(FIXED_BYTES + index * 8, isLittle);
  const header = { srsId: view.getInt32(4, isLittle), isEmpty: (flags & 0x10) !== 0, wkbOffset };
  if (numbers === 0 || header.isEmpty) return header;
  const bounds = { minX: readDouble(0), maxX: readDouble(1), minY: readDouble(2), maxY: readDouble(3) };
  return bounds.minX <= bounds.maxX && bounds.minY <= bounds.maxY ? { ...header, bounds } : header;
}

export function decodeGeometryBlob(bytes: Uint8Array): { readonly srsId: number; readonly geometry: Geometry } {
  const { srsId, wkbOffset } = decodeBlobHeader(bytes);
  return { srsId, geometry: decodeWkb(bytes.subarray(wkbOffset)).geometry };
}

export function encodeGeometryBlob(geometry: Geometry, srsId: number): Uint8Array {
  const bounds = computeGeometryBounds(geometry);
  const wkbOffset = FIXED_BYTES + (bounds === undefined || geometry.type === 'Point' ? 0 : 32);
  const bytes = encodeWkb(geometry, { leadingBytes: wkbOffset });
  const view = new DataView(bytes.buffer);
  bytes.set([0x47, 0x50, 0, 1 | (wkbOffset === FIXED_BYTES ? 0 : 2) | (bounds === undefined ? 0x10 : 0)]);
  view.setInt32(4, srsId, true);
  if (bounds !== undefined && wkbOffset !== FIXED_BYTES) {
    [bounds.minX, bounds.maxX, bounds.minY, bounds.maxY].forEach((each, index) => {
      view.setFloat64(FIXED_BYTES + index * 8, each, true);
    });
  }
  return bytes;
}
