/**
 * Counts stored files that no record, no retained history and no running operation refers to. The collector will delete
 * them.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { FileReferences } from './collect-files.ts';
import type { StoredFiles } from './files.ts';

export interface Orphans {
  readonly files: number;
  readonly bytes: number;
}

export async function countOrphans(kept: StoredFiles, named: FileReferences, signal?: AbortSignal): Promise<Orphans> {
  const pins = await kept.watchPins();
  const isNeeded = async (file: string) => (await pins.has(file)) || named.isFileReferenced(file);
  const inSets = new Set<string>();
  let files = 0;
  let bytes = 0;
  const yieldToOthers = async () => {
    await turn();
    signal?.throwIfAborted();
  };
  try {
    for await (const part of kept.sets.list()) {
      for (const set of part) {
        await yieldToOthers();
        // The file check reports unreadable lists.
        if (await isNeeded(set.hash)) {
          for (const { hash } of await kept.readSetFiles(set.hash).catch(() => [])) inSets.add(hash);
        } else bytes += set.bytes;
      }
    }
    for await (const part of kept.blobs.list()) {
      for (const blob of part) {
        await yieldToOthers();
        if (inSets.has(blob.hash) || (await isNeeded(blob.hash))) continue;
        files += 1;
        bytes += blob.bytes;
      }
    }
    return { files, bytes };
  } finally {
    pins.end();
  }
}
