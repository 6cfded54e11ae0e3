/** A disk that fails after a number of operations, folders to put on it, and a look at what is left. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Disk, realDisk } from '../../src/storage/blobs/disk.ts';

export class Crash extends Error {}

export interface MortalDisk {
  readonly disk: Disk;
  /** From now on, this many operations still succeed, and all later ones, also of cleaning up, fail. */
  dieAfter(operations: number): void;
  /** How many of them are left; negative when some have failed. */
  left(): number;
  /** Every operation so far that may have changed or secured something, with the last names of its paths. */
  readonly operations: readonly string[];
}

/** Lives for ever until told otherwise; `lacks` are operations that this file system does not have. */
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

/** Fresh folders have random endings, which no test can expect. */
function lastName(path: unknown): string {
  return basename(String(path)).replace(/^(work-[a-z]+)-\w{6}$/, '$1');
}

/** Removing a tree is the one operation that can die in the middle of itself. */
async function tear(path: string): Promise<void> {
  const entries = await readdir(path).catch(() => []);
  const [first] = entries.toSorted();
  if (first !== undefined) await rm(join(path, first), { recursive: true });
}

/** What a test puts on the disk: text is a file, an object a folder. */
export interface Folder {
  readonly [name: string]: string | Folder;
}

/** Makes a data directory with this in it. */
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

/** What is on the disk now, links as `-> link`. */
export async function look(folder: string): Promise<Folder> {
  const found: Record<string, string | Folder> = {};
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found[entry.name] = await look(path);
    else found[entry.name] = entry.isSymbolicLink() ? '-> link' : await readFile(path, 'utf8');
  }
  return found;
}
