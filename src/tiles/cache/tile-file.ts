/** The file format of a tile: its bytes after a header with a checksum and the creation time. */
import { crc32 } from 'node:zlib';

const MAGIC = 0x4754_4331;
const HEAD_BYTES = 20;

export interface CachedTile {
  /** Empty for an empty tile. */
  readonly bytes: Uint8Array;
  readonly madeAtMs: number;
}

export function writeTileFile({ bytes, madeAtMs }: CachedTile): Buffer {
  const file = Buffer.alloc(HEAD_BYTES + bytes.length);
  file.writeUInt32BE(MAGIC, 0);
  file.writeUInt32BE(bytes.length, 8);
  file.writeDoubleBE(madeAtMs, 12);
  file.set(bytes, HEAD_BYTES);
  file.writeUInt32BE(crc32(file.subarray(8)), 4);
  return file;
}

/** Returns undefined for a damaged file or another file type. */
export function readTileFile(file: Buffer): CachedTile | undefined {
  const isWhole =
    file.length >= HEAD_BYTES &&
    file.readUInt32BE(0) === MAGIC &&
    file.readUInt32BE(8) === file.length - HEAD_BYTES &&
    file.readUInt32BE(4) === crc32(file.subarray(8));
  return isWhole ? { bytes: file.subarray(HEAD_BYTES), madeAtMs: file.readDoubleBE(12) } : undefined;
}
