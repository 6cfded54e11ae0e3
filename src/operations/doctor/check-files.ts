/** Checks that the files that records refer to exist and have the right content. */
import type { StoredFiles } from '../../records/files/files.ts';
import type { Hash } from '../../storage/blobs/port.ts';

/** A missing or damaged file. */
export interface BrokenFile {
  readonly code: 'files-missing' | 'files-damaged';
  /** The path within an upload; undefined for a single file, or if the path is unknown. */
  readonly path?: string;
  /** The problem as a predicate: `is missing`. */
  readonly state: string;
}

export interface FileCheck {
  /** Checks a file set or a single file once, even if several records refer to it. */
  check(file: Hash): Promise<readonly BrokenFile[]>;
  /** Number of files checked, and of those read completely. */
  getCounts(): { readonly files: number; readonly read: number };
}

/** Size limit for reading a file to compare its hash; larger files are compared by size only. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

export function createFileCheck({ blobs, sets, readSetFiles: filesOf }: StoredFiles): FileCheck {
  const known = new Map<Hash, readonly BrokenFile[]>();
  let files = 0;
  let read = 0;
  let readBytes = 0;

  async function checkFileSet(set: Hash): Promise<readonly BrokenFile[]> {
    const list = await filesOf(set).catch(() => undefined);
    if (list === undefined) {
      return [{ code: 'files-damaged', state: 'belongs to a file list that cannot be read' }];
    }
    const broken: BrokenFile[] = [];
    for (const { path, hash, bytes } of list) {
      broken.push(...(await checkBlob(hash, bytes)).map((each) => ({ ...each, path })));
    }
    return broken;
  }

  async function checkBlob(hash: Hash, expected?: number): Promise<readonly BrokenFile[]> {
    const bytes = await blobs.findSize(hash);
    if (bytes === undefined) {
      return [{ code: 'files-missing', state: 'is missing' }];
    }
    files += 1;
    if (expected !== undefined && bytes !== expected) {
      return [{ code: 'files-damaged', state: `has ${bytes} bytes instead of ${expected}` }];
    }
    if (readBytes + bytes > MAX_READ_BYTES) {
      return [];
    }
    read += 1;
    readBytes += bytes;
    const isIntact = await blobs.isIntact(hash);
    return isIntact ? [] : [{ code: 'files-damaged', state: 'does not match its hash' }];
  }

  return {
    async check(file) {
      const before = known.get(file);
      if (before !== undefined) return before;
      const isSet = (await sets.findSize(file)) !== undefined;
      const found = isSet ? await checkFileSet(file) : await checkBlob(file);
      known.set(file, found);
      return found;
    },
    getCounts: () => ({ files, read }),
  };
}
