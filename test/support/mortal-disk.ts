/** A disk that fails after a number of operations, folders to put on it, and a listing of the remaining files. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Disk, realDisk } from '../../src/storage/blobs/disk.ts';

export class Crash extends Error {}

export interface MortalDisk {
  readonly disk: Disk;
  /** From now on, this many operations succeed, and all later ones fail, including cleanup. */
  dieAfter(operations: number): void;
  /** The number of operations left; negative when some have failed. */
  left(): number;
  /** Every operation so far that may have changed or synced something, with the last segments of its paths. */
  readonly operations: readonly string[];
}

/** Never fails by default; `lacks` lists operations that this file system does not support. */
export function mortalDisk(lacks: Partial<Disk> = {}): MortalDisk {
  let left = Number.POSITIVE_INFINITY;
  const operations: string[] = [];
  const disk = new Proxy<Disk>(realDisk, {
    get(target, name) {
      const operation: unknown = Reflect.get(name in lacks ? lacks : target, name);
      if (typeof operation !== 'function') return operation;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        left -= 1;
        if (left === -1 && name === 'removeTree') await tear(String(given[0]));
        if (left < 0) throw new Crash('the server died');
        if (!looks.includes(String(name))) operations.push([name, ...given.map(lastName)].join(' '));
        return Reflect.apply(operation, target, given);
      };
    },
  });
  return {
    disk,
    operations,
    dieAfter(count) {
      left = count;
    },
    left: () => left,
  };
}

const looks: readonly string[] = [
  'findEntry',
  'findStatus',
  'resolvePath',
  'listNames',
  'readText',
  'readBytes',
  'hashFile',
];

/** New folders have random suffixes, which no test can expect. */
function lastName(path: unknown): string {
  return basename(String(path)).replace(/^(work-[a-z]+)-\w{6}$/, '$1');
}

/** Removing a tree is the only operation that can fail halfway. */
async function tear(path: string): Promise<void> {
  const entries = await readdir(path).catch(() => []);
  const [first] = entries.toSorted();
  if (first !== undefined) await rm(join(path, first), { recursive: true });
}

/** The initial content of the disk: a string is a file, an object a folder. */
export interface Folder {
  readonly [name: string]: string | Folder;
}

/** Creates a data directory with this content. */
export async function freshRoot(content: Folder = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'graticule-files-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await put(root, content);
  return root;
}

export async function put(folder: string, content: Folder): Promise<void> {
  for (const [name, entry] of Object.entries(content)) {
    if (typeof entry === 'string') {
      await writeFile(join(folder, name), entry);
    } else {
      await mkdir(join(folder, name));
      await put(join(folder, name), entry);
    }
  }
}

/** The current content of the disk, with links as `-> link`. */
export async function look(folder: string): Promise<Folder> {
  const found: Record<string, string | Folder> = {};
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found[entry.name] = await look(path);
    else found[entry.name] = entry.isSymbolicLink() ? '-> link' : await readFile(path, 'utf8');
  }
  return found;
}
