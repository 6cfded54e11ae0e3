/** Packs geometries directly from well-known binary: the common types; others are decoded first. */
import { type AllocateOrdinates, createOrdinateBlocks } from '../../geometry/ordinate-blocks.ts';
import { decodeWkb } from '../../geometry/wkb-decode.ts';
import { LINES, POINTS, POLYGONS } from '../port/packed-features.ts';
import type { FeaturePacker } from './pack-features.ts';

/** The two-dimensional type codes. */
const POINT = 1;
const LINE_STRING = 2;
const POLYGON = 3;
const MULTI_POLYGON = 6;

/** The byte order and the type. */
const HEAD_BYTES = 5;
const COUNT_BYTES = 4;
const POSITION_BYTES = 16;

/** Packs a range of bytes as a geometry of the current feature. */
export type PackWkb = (bytes: Uint8Array, view: DataView, start: number, length: number, slot: number) => void;

export function createWkbPacker(packer: FeaturePacker): PackWkb {
  let takeOrdinates: AllocateOrdinates | undefined;
  return (bytes, view, start, length, slot) => {
    if (packPlain(view, start, start + length, packer, slot)) return;
    takeOrdinates ??= createOrdinateBlocks();
    // Copied, because a decoded geometry can keep its bytes.
    packer.addGeometry(decodeWkb(Buffer.from(bytes.subarray(start, start + length)), takeOrdinates).geometry, slot);
  };
}

/** Returns false without packing anything for other types and incomplete geometries. */
function packPlain(view: DataView, start: number, end: number, packer: FeaturePacker, slot: number): boolean {
  if (end - start < HEAD_BYTES || view.getUint8(start) !== 1) return false;
  const content = start + HEAD_BYTES;
  const behindCount = content + COUNT_BYTES;
  switch (view.getUint32(start + 1, true)) {
    case POINT:
      if (end !== content + POSITION_BYTES || Number.isNaN(view.getFloat64(content, true))) return false;
      packPositions(view, content, 1, packer, packer.startShape(POINTS, slot, 1, 1));
      packer.addRing(1, true);
      return true;
    case LINE_STRING: {
      const positions = end < behindCount ? 0 : view.getUint32(content, true);
      if (positions === 0 || end !== behindCount + positions * POSITION_BYTES) return false;
      packPositions(view, behindCount, positions, packer, packer.startShape(LINES, slot, positions, 1));
      packer.addRing(positions, true);
      return true;
    }
    case POLYGON: {
      const sizes = { positions: 0, rings: 0 };
      if (measurePolygon(view, start, end, sizes) !== end || sizes.positions === 0) return false;
      packPolygon(view, start, packer, packer.startShape(POLYGONS, slot, sizes.positions, sizes.rings));
      return true;
    }
    case MULTI_POLYGON: {
      const sizes = { positions: 0, rings: 0 };
      const polygons = end < behindCount ? 0 : view.getUint32(content, true);
      let measured = behindCount;
      for (let index = 0; index < polygons && measured > 0; index += 1) {
        measured = measurePolygon(view, measured, end, sizes);
      }
      if (measured !== end || sizes.positions === 0) return false;
      let to = packer.startShape(POLYGONS, slot, sizes.positions, sizes.rings);
      let at = behindCount;
      for (let index = 0; index < polygons; index += 1) [at, to] = packPolygon(view, at, packer, to);
      return true;
    }
    default:
      return false;
  }
}

/** Returns the end of a polygon and counts its rings; -1 if it is invalid or has empty rings. */
function measurePolygon(
  view: DataView,
  start: number,
  end: number,
  sizes: { positions: number; rings: number },
): number {
  let at = start + HEAD_BYTES + COUNT_BYTES;
  if (at > end || view.getUint8(start) !== 1 || view.getUint32(start + 1, true) !== POLYGON) return -1;
  const rings = view.getUint32(start + HEAD_BYTES, true);
  for (let ring = 0; ring < rings; ring += 1) {
    if (at + COUNT_BYTES > end) return -1;
    const positions = view.getUint32(at, true);
    at += COUNT_BYTES + positions * POSITION_BYTES;
    if (positions === 0 || at > end) return -1;
    sizes.positions += positions;
    sizes.rings += 1;
  }
  return at;
}

/** Packs a measured polygon; returns its end in the bytes and in the ordinates. */
function packPolygon(view: DataView, start: number, packer: FeaturePacker, into: number): [number, number] {
  const rings = view.getUint32(start + HEAD_BYTES, true);
  let at = start + HEAD_BYTES + COUNT_BYTES;
  let to = into;
  for (let ring = 0; ring < rings; ring += 1) {
    const positions = view.getUint32(at, true);
    packPositions(view, at + COUNT_BYTES, positions, packer, to);
    packer.addRing(positions, ring === 0);
    at += COUNT_BYTES + positions * POSITION_BYTES;
    to += positions * 2;
  }
  return [at, to];
}

function packPositions(
  view: DataView,
  start: number,
  positions: number,
  { ordinates }: FeaturePacker,
  to: number,
): void {
  for (let index = 0, at = start; index < positions * 2; index += 1, at += 8) {
    ordinates[to + index] = view.getFloat64(at, true);
  }
}
