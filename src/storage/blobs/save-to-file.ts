import { open } from 'node:fs/promises';
import { createHasher } from './hash-thread.ts';
import type { Hash } from './port.ts';

/** Writes a new file and returns the hash of its contents. */
export async function saveToFile(pieces: AsyncIterable<Uint8Array>, file: string): Promise<Hash> {
  const handle = await open(file, 'wx', 0o600);
  const hasher = createHasher(Number.POSITIVE_INFINITY);
  try {
    for await (const piece of pieces) {
      await Promise.all([hasher.update(piece), handle.writeFile(piece)]);
    }
    return (await hasher.digest()).hash;
  } catch (error) {
    hasher.discard();
    throw error;
  } finally {
    await handle.close();
  }
}
