/** Small bytes of a batch wait in memory and are stored together: the disk syncs many in the time of one. */
import type { Blobs, Hash } from '../../storage/blobs/port.ts';

/** Larger bytes are stored immediately, because their own size dominates the cost. */
const MAX_BYTES = 65_536;

/** The limit of all waiting bytes. */
const MAX_PENDING_BYTES = 16_777_216;

export interface PendingBytes {
  /** Returns false for bytes that must be stored immediately. */
  accepts(bytes: Uint8Array): boolean;
  add(hash: Hash, bytes: Uint8Array): Promise<void>;
  /** Discards bytes that are not needed. Returns whether they were still waiting. */
  drop(hash: Hash): boolean;
  /** Returns a copy of waiting bytes. */
  find(hash: Hash): Buffer | undefined;
  put(): Promise<void>;
}

export function createPendingBytes(blobs: Pick<Blobs, 'putAll'>): PendingBytes {
  let waiting = new Map<Hash, Uint8Array>();
  let waitingBytes = 0;
  /** The bytes that are being written. */
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
