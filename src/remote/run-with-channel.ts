/** Runs tasks of threads that may read remote files. */
import type { Transferable } from 'node:worker_threads';
import { Problem } from '../lib/problems/problem.ts';
import type { RangeChannel } from './channel.ts';
import { withRangeChannel } from './range-channel.ts';
import type { RemoteBlocks } from './remote-blocks.ts';
import { parseRemoteUrl } from './remote-url.ts';

/** The parts of a task that reads remote files; empty if all files are local. */
export interface SentChannel {
  readonly input: { readonly channel?: RangeChannel };
  readonly options: { readonly transfer?: readonly Transferable[]; readonly store?: string };
}

/** A file that changes during each of so many attempts is being written. */
const MAX_ATTEMPTS = 3;

/** Restarts the task if a file changes while it is read. */
export async function runWithChannel<T>(
  blocks: RemoteBlocks,
  locations: readonly string[],
  signal: AbortSignal,
  run: (sent: SentChannel) => Promise<T>,
): Promise<T> {
  const urls = locations.flatMap((location) => parseRemoteUrl(location) ?? []);
  const [first] = urls;
  if (first === undefined) return run({ input: {}, options: {} });
  // Slow servers hold only their share of the threads.
  const store = `remote\n${URL.parse(first)?.host ?? ''}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withRangeChannel(blocks, urls, signal, (channel) =>
        run({ input: { channel }, options: { transfer: [channel.port], store } }),
      );
    } catch (error) {
      const hasChanged = error instanceof Problem && error.code === 'remote-file-changed';
      if (!hasChanged || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
