/** Small bytes of a draft, which wait until all are put together: the disk takes many in the time of one. */
import type { Blobs, Hash } from '../../storage/blobs/port.ts';

/** Larger ones are put at once: they take long by themselves, not by being many. */
const MAX_BYTES = 65_536;

/** More do not wait. */
const MAX_PENDING_BYTES = 16_777_216;

export interface PendingBytes {
  /** False for what does not wait. */
  accepts(bytes: Uint8Array): boolean;
  add(hash: Hash, bytes: Uint8Array): Promise<void>;
  /** For what is not needed after all; tells whether it was still waiting. */
  drop(hash: Hash): boolean;
  /** A copy of what waits. */
  find(hash: Hash): Buffer | undefined;
  put(): Promise<void>;
}

export function createPendingBytes(blobs: Pick<Blobs, 'putAll'>): PendingBytes {
  let waiting = new Map<Hash, Uint8Array>();
  let waitingBytes = 0;
  /** Those that are on their way to the disk. */
  let leaving: ReadonlyMap<Hash, Uint8Array> = new Map();

  async function put(): Promise<void> {
    if (waiting.size === 0) return;
    leaving = waiting;
    waiting = new Map();
    waitingBytes = 0;
    await blobs.putAll(leaving);
  }

  return {
    accepts: ({ length }) => length <= MAX_BYTES,
    async add(hash, bytes) {
      if (!waiting.has(hash)) {
        waiting.set(hash, bytes);
        waitingBytes += bytes.length;
      }
      if (waitingBytes > MAX_PENDING_BYTES) await put();
    },
    drop(hash) {
      waitingBytes -= waiting.get(hash)?.length ?? 0;
      return waiting.delete(hash);
    },
    find(hash) {
      const bytes = waiting.get(hash) ?? leaving.get(hash);
      return bytes && Buffer.from(bytes);
    },
    put,
  };
}
