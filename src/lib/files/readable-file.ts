/** A file that is open for reading, piece by piece, from anywhere in it. */
import { createWriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface ReadableFile {
  /** The bytes from `start` to before `end`. */
  pieces(start: number, end: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** How much of a file is in memory at a time. */
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

/** For contents that are always small. */
export function createFileFromBytes(bytes: Uint8Array): ReadableFile {
  return {
    async *pieces(start, end) {
      yield bytes.subarray(start, end);
    },
    close: async () => undefined,
  };
}

/** Writes all of it to a new file. */
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
