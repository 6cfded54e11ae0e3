/**
 * Many small bytes made durable by one file, since a disk takes a second for a thousand files and some milliseconds for
 * one. Each gets its own file soon after; the bundle stays until those have come to the disk, and a start after a kill or
 * a power cut puts back from it what has not.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Disk, realDisk } from './disk.ts';
import { type Hash, hashBytes, isHash } from './port.ts';

export type BlobContents = ReadonlyMap<Hash, Uint8Array>;

export interface Bundle {
  readonly contents: BlobContents;
  /** Once all its contents are on the disk elsewhere. */
  remove(): Promise<void>;
}

export interface Bundles {
  /** Resolved means durable. */
  write(contents: BlobContents): Promise<Bundle>;
  /** Those that a run before has left. */
  listLeftover(): AsyncIterable<Bundle>;
}

/** `makeFolder` makes the folder of the bundles, for good. */
export function openBundles(folder: string, makeFolder: () => Promise<void>, disk: Disk = realDisk): Bundles {
  /** For good: what was purged since then must not come back from it. */
  const createRemover = (file: string) => async () => {
    await disk.removeFile(file);
    await disk.syncFolder(folder);
  };
  return {
    async write(contents) {
      await makeFolder();
      const file = join(folder, randomUUID());
      try {
        await disk.writeDurably(file, encodeBundle(contents));
        await disk.syncFolder(folder);
      } catch (error) {
        // A full disk takes a part of it.
        await disk.removeFile(file);
        throw error;
      }
      return { contents, remove: createRemover(file) };
    },
    async *listLeftover() {
      for (const name of await disk.listNames(folder)) {
        const file = join(folder, name);
        const bytes = await disk.readBytes(file);
        if (bytes !== undefined) yield { contents: decodeBundle(bytes), remove: createRemover(file) };
      }
    },
  };
}

/** A line of hashes and sizes, and then all bytes. */
function encodeBundle(contents: BlobContents): Buffer {
  const index = [...contents].map(([hash, { length }]) => [hash, length]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents.values()]);
}

/** A bundle that was cut off is one that nobody was told of: what is not whole in it is left out. */
function decodeBundle(bytes: Buffer): BlobContents {
  const contents = new Map<Hash, Uint8Array>();
  let start = bytes.indexOf('\n') + 1;
  for (const [hash, length] of start === 0 ? [] : parseIndex(bytes.toString('utf8', 0, start))) {
    const content = bytes.subarray(start, start + length);
    if (isHash(hash) && hashBytes(content) === hash) contents.set(hash, content);
    start += length;
  }
  return contents;
}

function parseIndex(line: string): readonly (readonly [Hash, number])[] {
  try {
    return JSON.parse(line) as readonly (readonly [Hash, number])[];
  } catch {
    return [];
  }
}
