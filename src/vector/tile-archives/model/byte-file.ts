/** A file that is read at positions. Raster files implement it, and so do files of other servers. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { findDiskProblem } from '../../../lib/problems/disk-problem.ts';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { problem } from '../../../lib/problems/problem.ts';

export interface ByteFile {
  /** Without its folder, for messages. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Throws a problem beyond the end of the file. */
  read(position: number, length: number): Uint8Array;
  close(): void;
}

export function openByteFile(path: string): ByteFile {
  const name = basename(path);
  const descriptor = openDescriptor(path, name);
  const status = fstatSync(descriptor);
  if (!status.isFile()) {
    closeSync(descriptor);
    throw problem('vector-file-unreadable', { file: name, reason: 'it is not a regular file' });
  }
  return {
    name,
    sizeBytes: status.size,
    read(position, length) {
      const truncated = () =>
        problem('vector-file-truncated', { file: name, offset: status.size, expectedBytes: position + length });
      if (!(position >= 0 && length >= 0 && position + length <= status.size)) throw truncated();
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let done = 0; done < length; ) {
        const count = readSync(descriptor, bytes, done, length - done, position + done);
        if (count === 0) throw truncated();
        done += count;
      }
      return bytes;
    },
    close: () => closeSync(descriptor),
  };
}

function openDescriptor(path: string, name: string): number {
  try {
    // Without this flag, opening a pipe would block until it has a writer.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (findDiskProblem(error) !== undefined) throw error;
    const code = findErrorCode(error) ?? 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') throw problem('vector-file-missing', { file: name });
    throw problem('vector-file-unreadable', { file: name, reason: `opening it failed with ${code}` });
  }
}
