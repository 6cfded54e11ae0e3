/**
 * A raster file that is read at positions checked against its size before anything is allocated.
 *
 * Reads are synchronous: raster sources run in threads, where this blocks nothing else and is several times faster for
 * headers.
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
  /** Returns read-only bytes from the position; throws a problem beyond the end of the file. */
  read(position: number, length: number): Buffer;
  /** Present if reading ahead is worthwhile: these ranges will be read in this order, apart from some that are not. */
  announce?(ranges: readonly { readonly position: number; readonly length: number }[]): void;
  close(): void;
}

/** Offsets and lengths of blocks are read one by one from tables, so that the neighbourhood of a small read is kept. */
const SMALL_BYTES = 64;
const PAGE_BYTES = 16_384;
/** Tables of offsets and of lengths are read in alternation. */
const MAX_PAGES = 4;

/** Headers are mostly at the beginning: one read suffices for most of them. */
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

/** Opens the file, runs the work and always closes the file. */
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
    // Without this flag, opening a pipe would block until it has a writer.
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

  const pages = new Map<number, Buffer>();
  const readFromPage = (position: number, length: number): Buffer | undefined => {
    const number = Math.floor(position / PAGE_BYTES);
    const start = number * PAGE_BYTES;
    if (position + length > start + PAGE_BYTES) return undefined;
    let page = pages.get(number);
    if (page === undefined) {
      page = readBytes(start, Math.min(PAGE_BYTES, sizeBytes - start));
      const [oldest] = pages.keys();
      if (oldest !== undefined && pages.size >= MAX_PAGES) pages.delete(oldest);
      pages.set(number, page);
    }
    return page.subarray(position - start, position - start + length);
  };

  return {
    name,
    sizeBytes,
    read(position, length) {
      if (!(position >= 0 && length >= 0 && position + length <= sizeBytes))
        throw createTruncatedProblem(position + length);
      if (position + length > HEAD_BYTES) {
        const small = length <= SMALL_BYTES ? readFromPage(position, length) : undefined;
        return small ?? readBytes(position, length);
      }
      head ??= readBytes(0, Math.min(HEAD_BYTES, sizeBytes));
      return head.subarray(position, position + length);
    },
    close() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}
