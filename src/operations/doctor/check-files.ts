/** Whether the files that records name are there, with all their bytes. */
import type { StoredFiles } from '../../records/files/files.ts';
import type { Hash } from '../../storage/blobs/port.ts';

/** A file that is not as it should be. */
export interface BrokenFile {
  readonly code: 'files-missing' | 'files-damaged';
  /** Which of the files of an upload it is; undefined where there is but one, or where nobody knows. */
  readonly path?: string;
  /** What is told of it: `is not there`. */
  readonly state: string;
}

export interface FileCheck {
  /** Looks at a set of files, or at single bytes, once: whatever else names them. */
  check(file: Hash): Promise<readonly BrokenFile[]>;
  /** How many files were looked at, and how many of them were read to the end. */
  getCounts(): { readonly files: number; readonly read: number };
}

/** So many bytes are read to see whether they are those of their hash; of the rest only the size is looked at. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

export function createFileCheck({ blobs, sets, readSetFiles: filesOf }: StoredFiles): FileCheck {
  const known = new Map<Hash, readonly BrokenFile[]>();
  let files = 0;
  let read = 0;
  let readBytes = 0;

  async function checkFileSet(set: Hash): Promise<readonly BrokenFile[]> {
    const list = await filesOf(set).catch(() => undefined);
    if (list === undefined) {
      return [{ code: 'files-damaged', state: 'is in a list that cannot be read' }];
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
      return [{ code: 'files-missing', state: 'is not there' }];
    }
    files += 1;
    if (expected !== undefined && bytes !== expected) {
      return [{ code: 'files-damaged', state: `has ${bytes} bytes, and should have ${expected}` }];
    }
    if (readBytes + bytes > MAX_READ_BYTES) {
      return [];
    }
    read += 1;
    readBytes += bytes;
    const isIntact = await blobs.isIntact(hash);
    return isIntact ? [] : [{ code: 'files-damaged', state: 'holds other bytes than were put there' }];
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
