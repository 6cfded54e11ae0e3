/** A data file with reads that are validated against its size before memory is allocated. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { problem } from '../../lib/problems/problem.ts';

export interface DataFile {
  /** Without its folder, for messages. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Changes with the content, as far as the file system shows it. */
  readonly version: string;
  /** Fills the target from the position; a file that has become shorter is a problem. */
  readInto(target: Uint8Array, position: number): Promise<void>;
  /** Whether it is on another server. */
  readonly isRemote?: boolean;
  /** Announces ranges that will be read next; absent where each read is fast. */
  announce?(ranges: readonly { readonly position: number; readonly length: number }[]): void;
  close(): Promise<void>;
}

export async function openDataFile(path: string): Promise<DataFile> {
  const name = basename(path);
  const handle = await openHandle(path, name);
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw problem('vector-file-unreadable', { file: name, reason: 'it is not a regular file' });
    const version = [status.dev, status.ino, status.size, status.mtimeMs].join();
    return createDataFile(name, status.size, version, handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads bytes; a range beyond the end of the file is a problem. */
export async function readBytes(file: DataFile, position: number, length: number): Promise<Buffer> {
  checkWithin(file, position, length);
  const bytes = Buffer.allocUnsafe(length);
  await file.readInto(bytes, position);
  return bytes;
}

export function checkWithin(file: DataFile, position: number, length: number): void {
  if (position + length <= file.sizeBytes) return;
  throw problem('vector-file-truncated', {
    file: file.name,
    offset: file.sizeBytes,
    expectedBytes: position + length,
  });
}

async function openHandle(path: string, name: string): Promise<FileHandle> {
  try {
    // O_NONBLOCK prevents a named pipe from blocking until it has a writer.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (findDiskProblem(error) !== undefined) throw error;
    const code = findErrorCode(error) ?? 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') throw problem('vector-file-missing', { file: name });
    throw problem('vector-file-unreadable', { file: name, reason: `opening it failed with ${code}` });
  }
}

function createDataFile(name: string, sizeBytes: number, version: string, handle: FileHandle): DataFile {
  return {
    name,
    sizeBytes,
    version,
    readInto: async (target, position) => {
      let done = 0;
      while (done < target.length) {
        const { bytesRead } = await handle.read(target, done, target.length - done, position + done);
        if (bytesRead === 0) {
          throw problem('vector-file-truncated', {
            file: name,
            offset: position + done,
            expectedBytes: position + target.length,
          });
        }
        done += bytesRead;
      }
    },
    close: () => handle.close(),
  };
}
