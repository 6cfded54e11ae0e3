/**
 * Many small bytes made durable by one file, since a disk takes a second for a thousand files and some milliseconds for
 * one. Each gets its own file soon after; the bundle stays until those have come to the disk, and a start after a kill or
 * a power cut puts back from it what has not.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Disk, realDisk } from '../files/disk.ts';
import { type Hash, hashOfBytes, isHash } from './port.ts';

export type Contents = ReadonlyMap<Hash, Uint8Array>;

export interface Bundle {
  readonly contents: Contents;
  /** Once all its contents are on the disk elsewhere. */
  remove(): Promise<void>;
}

export interface Bundles {
  /** Resolved means durable. */
  write(contents: Contents): Promise<Bundle>;
  /** Those that a run before has left. */
  left(): AsyncIterable<Bundle>;
}

/** `makeFolder` makes the folder of the bundles, for good. */
export function openBundles(folder: string, makeFolder: () => Promise<void>, disk: Disk = realDisk): Bundles {
  /** For good: what was purged since then must not come back from it. */
  const removing = (file: string) => async () => {
    await disk.removeFile(file);
    await disk.syncFolder(folder);
  };
  return {
    async write(contents) {
      await makeFolder();
      const file = join(folder, randomUUID());
      try {
        await disk.writeDurably(file, print(contents));
        await disk.syncFolder(folder);
      } catch (error) {
        // A full disk takes a part of it.
        await disk.removeFile(file);
        throw error;
      }
      return { contents, remove: removing(file) };
    },
    async *left() {
      for (const name of await disk.namesIn(folder)) {
        const file = join(folder, name);
        const bytes = await disk.readBytes(file);
        if (bytes !== undefined) yield { contents: parse(bytes), remove: removing(file) };
      }
    },
  };
}

/** A line of hashes and sizes, and then all bytes. */
function print(contents: Contents): Buffer {
  const index = [...contents].map(([hash, { length }]) => [hash, length]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents.values()]);
}

/** A bundle that was cut off is one that nobody was told of: what is not whole in it is left out. */
function parse(bytes: Buffer): Contents {
  const contents = new Map<Hash, Uint8Array>();
  let start = bytes.indexOf('\n') + 1;
  for (const [hash, length] of start === 0 ? [] : parseIndex(bytes.toString('utf8', 0, start))) {
    const content = bytes.subarray(start, start + length);
    if (isHash(hash) && hashOfBytes(content) === hash) contents.set(hash, content);
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
