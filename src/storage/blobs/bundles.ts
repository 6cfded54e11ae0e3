/**
 * Makes many small blobs durable with one file: a disk needs a second for a thousand files and some milliseconds for
 * one. Each blob gets its own file soon after. The bundle stays until those files are on disk; after a crash, the next
 * start restores the missing ones from it.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Disk, realDisk } from './disk.ts';
import { type Hash, hashBytes, isHash } from './port.ts';

export type BlobContents = ReadonlyMap<Hash, Uint8Array>;

export interface Bundle {
  readonly contents: BlobContents;
  /** Must be called when all contents are on disk elsewhere. */
  remove(): Promise<void>;
}

export interface Bundles {
  /** Resolves when the contents are durable. */
  write(contents: BlobContents): Promise<Bundle>;
  /** Lists the bundles of a previous run. */
  listLeftover(): AsyncIterable<Bundle>;
}

/** `makeFolder` creates the folder of the bundles durably. */
export function openBundles(folder: string, makeFolder: () => Promise<void>, disk: Disk = realDisk): Bundles {
  /** Durable: blobs that were purged since then must not return from the bundle. */
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
        // A full disk may have written a part of the file.
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

/** Encodes a line of hashes and sizes, followed by all bytes. */
function encodeBundle(contents: BlobContents): Buffer {
  const index = [...contents].map(([hash, { length }]) => [hash, length]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents.values()]);
}

/** A truncated bundle was never acknowledged; its incomplete contents are ignored. */
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
