/**
 * A file of raster data, read at positions that are checked against its size before anything is allocated.
 *
 * It waits for the disk: raster sources run in threads, where nobody else is kept waiting, and a header is read in a
 * fraction of the time that way.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { problem } from '../../lib/problems/problem.ts';

export interface RasterFile {
  /** Without its folder, for messages. */
  readonly name: string;
  readonly sizeBytes: number;
  /** The bytes from the position on, which nobody may change; those beyond the end of the file are a problem. */
  read(position: number, length: number): Buffer;
  close(): void;
}

/** Headers are mostly at the beginning: one read gets all of most of them. */
const HEAD_BYTES = 8_192;

export function openRasterFile(path: string): RasterFile {
  const name = basename(path);
  const descriptor = openDescriptor(path, name);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw problem('raster-file-unreadable', { file: name, reason: 'it is not a regular file' });
    return createRasterFile(name, status.size, descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Opens, works, and closes whatever happens. */
export function withRasterFile<T>(path: string, work: (file: RasterFile) => T): T {
  const file = openRasterFile(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

function openDescriptor(path: string, name: string): number {
  try {
    // A pipe in the place of a file would otherwise be waited for until somebody writes into it.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (findDiskProblem(error) !== undefined) throw error;
    const code = findErrorCode(error) ?? 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') throw problem('raster-file-missing', { file: name });
    throw problem('raster-file-unreadable', { file: name, reason: `opening it failed with ${code}` });
  }
}

function createRasterFile(name: string, sizeBytes: number, descriptor: number): RasterFile {
  let head: Buffer | undefined;
  let isOpen = true;

  const readBytes = (position: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    while (done < length) {
      const count = readSync(descriptor, bytes, done, length - done, position + done);
      if (count === 0) throw createTruncatedProblem(position + length);
      done += count;
    }
    return bytes;
  };
  const createTruncatedProblem = (expectedBytes: number) =>
    problem('raster-file-truncated', { file: name, sizeBytes, expectedBytes });

  return {
    name,
    sizeBytes,
    read(position, length) {
      if (!(position >= 0 && length >= 0 && position + length <= sizeBytes))
        throw createTruncatedProblem(position + length);
      if (position + length > HEAD_BYTES) return readBytes(position, length);
      head ??= readBytes(0, Math.min(HEAD_BYTES, sizeBytes));
      return head.subarray(position, position + length);
    },
    close() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}
