/** Decompresses tiles, directories and metadata of archives within limits. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type ArchivedFormat, type StoredTile, TileArchiveError, type TileEncoding } from './tile-archive.ts';

/** The limit of a decompressed tile: twenty times the size that tile writers recommend as the maximum. */
export const MAX_TILE_BYTES = 10_485_760;

/** Throws if the decompressed bytes exceed the limit. */
export function decompress(packed: Uint8Array, encoding: TileEncoding, maxBytes: number, what: string): Uint8Array {
  try {
    const options = { maxOutputLength: maxBytes };
    if (encoding === 'gzip') return gunzipSync(packed, options);
    if (encoding === 'br') return brotliDecompressSync(packed, options);
    if (encoding === 'zstd') return zstdDecompressSync(packed, options);
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new TileArchiveError(
      isTooLarge ? `${what} exceeds the limit of ${maxBytes} bytes` : `${what} cannot be decompressed`,
    );
  }
  if (packed.length > maxBytes) throw new TileArchiveError(`${what} exceeds the limit of ${maxBytes} bytes`);
  return packed;
}

export function unpackTile({ bytes, encoding }: StoredTile): Uint8Array {
  return decompress(bytes, encoding, MAX_TILE_BYTES, 'one of its tiles');
}

/** Returns whether the bytes begin like a gzip file; writers of MBTiles omit the compression of some tiles. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Returns the image format of bytes; undefined if they are none of the supported ones. */
export function detectPictureFormat(bytes: Uint8Array): Exclude<ArchivedFormat, 'mvt'> | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'webp';
  return head.slice(4, 12) === 'ftypavif' ? 'avif' : undefined;
}
