/** Computes the bounds of plain WKB from its bytes, without creating a geometry. */
import type { Bounds } from '../crs/bounds.ts';

const HEADER_BYTES = 5;
const COUNT_BYTES = 4;
const POSITION_BYTES = 16;

const POINT = 1;
const LINE_STRING = 2;
const POLYGON = 3;
const MULTI_POINT = 4;
const MULTI_POLYGON = 6;

/**
 * Returns undefined for anything but complete two-dimensional geometries in little-endian order that have positions:
 * the caller must decode those.
 */
export function findWkbBounds(bytes: Uint8Array): Bounds | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  return addGeometry(view, 0, box) === bytes.byteLength && box.minX <= box.maxX && box.minY <= box.maxY
    ? box
    : undefined;
}

type Box = { -readonly [K in keyof Bounds]: number };

/** Returns the end of the geometry, or -1. */
function addGeometry(view: DataView, start: number, box: Box): number {
  const content = start + HEADER_BYTES;
  if (content > view.byteLength || view.getUint8(start) !== 1) return -1;
  const type = view.getUint32(start + 1, true);
  if (type === POINT) return addPositions(view, content, 1, box);
  if (type < LINE_STRING || type > MULTI_POLYGON || content + COUNT_BYTES > view.byteLength) return -1;
  const count = view.getUint32(content, true);
  let at = content + COUNT_BYTES;
  if (type === LINE_STRING) return addPositions(view, at, count, box);
  for (let index = 0; index < count && at !== -1; index += 1) {
    if (type >= MULTI_POINT) {
      // Each member is of the single type.
      if (at + HEADER_BYTES > view.byteLength || view.getUint32(at + 1, true) !== type - 3) return -1;
      at = addGeometry(view, at, box);
    } else if (type === POLYGON) {
      if (at + COUNT_BYTES > view.byteLength) return -1;
      at = addPositions(view, at + COUNT_BYTES, view.getUint32(at, true), box);
    }
  }
  return at;
}

function addPositions(view: DataView, start: number, count: number, box: Box): number {
  const end = start + count * POSITION_BYTES;
  if (end > view.byteLength) return -1;
  for (let at = start; at < end; at += POSITION_BYTES) {
    const [x, y] = [view.getFloat64(at, true), view.getFloat64(at + 8, true)];
    if (x < box.minX) box.minX = x;
    if (x > box.maxX) box.maxX = x;
    if (y < box.minY) box.minY = y;
    if (y > box.maxY) box.maxY = y;
  }
  return end;
}
