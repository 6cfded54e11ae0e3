/** Parses the header of a .shp or .shx file. */

import type { Bounds } from '../../../crs/bounds.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { type DataFile, readBytes } from '../../support/data-file.ts';
import { findShapeType, MULTI_PATCH, NULL_SHAPE, type ShapeType } from './shape-types.ts';

export const HEADER_BYTES = 100;

const FILE_CODE = 9994;

export interface ShpHeader {
  /** The declared length, limited to the file size. */
  readonly lengthBytes: number;
  /** Undefined if the file declares only null shapes. */
  readonly type: ShapeType | undefined;
  readonly typeNumber: number;
  /** Undefined if the declared bounds are invalid. */
  readonly bounds: Bounds | undefined;
}

export async function readShpHeader(file: DataFile): Promise<ShpHeader> {
  const bytes = await readBytes(file, 0, HEADER_BYTES);
  const code = bytes.readInt32BE(0);
  if (code !== FILE_CODE) {
    throw problem('vector-file-malformed', {
      file: file.name,
      offset: 0,
      reason: `the file code is ${code}, but must be ${FILE_CODE}`,
    });
  }
  const lengthBytes = bytes.readUInt32BE(24) * 2;
  if (lengthBytes > file.sizeBytes) {
    throw problem('vector-file-truncated', { file: file.name, offset: file.sizeBytes, expectedBytes: lengthBytes });
  }
  const typeNumber = bytes.readInt32LE(32);
  const type = findShapeType(typeNumber);
  if (typeNumber === MULTI_PATCH) {
    throw problem('vector-file-unsupported', {
      file: file.name,
      reason: 'multipatch shapes (surfaces in space) are not supported',
    });
  }
  if (type === undefined && typeNumber !== NULL_SHAPE) {
    throw problem('vector-file-malformed', {
      file: file.name,
      offset: 32,
      reason: `the shape type ${typeNumber} does not exist`,
    });
  }
  return { lengthBytes, type, typeNumber, bounds: readBounds(bytes) };
}

/** Writers leave zeros, NaN or reversed values if the bounds are unknown. */
function readBounds(bytes: Buffer): Bounds | undefined {
  const [minX = Number.NaN, minY = Number.NaN, maxX = Number.NaN, maxY = Number.NaN] = [36, 44, 52, 60].map((offset) =>
    bytes.readDoubleLE(offset),
  );
  const isSound = [minX, minY, maxX, maxY].every(Number.isFinite) && minX <= maxX && minY <= maxY;
  const isZero = minX === 0 && minY === 0 && maxX === 0 && maxY === 0;
  return isSound && !isZero ? { minX, minY, maxX, maxY } : undefined;
}
