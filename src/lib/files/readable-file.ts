/** An open file that is read piece by piece, from any offset. */
import { createWriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface ReadableFile {
  /** Reads the bytes from `start` (inclusive) to `end` (exclusive). */
  pieces(start: number, end: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The part of a file that is in memory at a time. */
const PIECE_BYTES = 262_144;

export function createFileFromHandle(handle: FileHandle): ReadableFile {
  return {
    pieces: (start, end) =>
      start >= end
        ? Readable.from([])
        : handle.createReadStream({ start, end: end - 1, highWaterMark: PIECE_BYTES, autoClose: false }),
    close: () => handle.close(),
  };
}

/** Wraps content that is in memory. */
export function createFileFromBytes(bytes: Uint8Array): ReadableFile {
  return {
    async *pieces(start, end) {
      yield bytes.subarray(start, end);
    },
    close: async () => undefined,
  };
}

/** Copies the content to a new file. */
export async function saveFile(file: ReadableFile, sizeBytes: number, path: string): Promise<void> {
  await pipeline(file.pieces(0, sizeBytes), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

export async function readFileBytes(file: ReadableFile, sizeBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.pieces(0, sizeBytes)) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
