/** The files of a draft: small bytes wait until all are put together, since the disk takes many in the time of one. */
import { type Blobs, type Hash, hashOfBytes } from '../storage/blobs/port.ts';
import type { FileKeeper, Files, GatheredFiles } from './files.ts';

/** Larger ones are put at once: they take long by themselves, not by being many. */
const MAX_BYTES = 65_536;

/** More do not wait. */
const MAX_WAITING_BYTES = 16_777_216;

type KeeperWith = (pin: (file: string) => void) => FileKeeper;

export function gatherFiles(
  blobs: Blobs,
  createKeeper: KeeperWith,
  keepingWith: (keeperWith: KeeperWith) => Files['keeping'],
): GatheredFiles {
  let waiting = new Map<Hash, Uint8Array>();
  let waitingBytes = 0;

  async function put(): Promise<void> {
    const contents = waiting;
    if (contents.size === 0) return;
    await blobs.putAll(contents);
    waiting = new Map();
    waitingBytes = 0;
  }

  return {
    put,
    read: async (hash) => {
      const bytes = waiting.get(hash);
      return bytes === undefined ? blobs.read(hash) : Buffer.from(bytes);
    },
    keeping: keepingWith((pin) => {
      const keeper = createKeeper(pin);
      return {
        ...keeper,
        async keepBytes(bytes) {
          if (bytes.length > MAX_BYTES) return keeper.keepBytes(bytes);
          const hash = hashOfBytes(bytes);
          pin(hash);
          if (!waiting.has(hash)) {
            waiting.set(hash, bytes);
            waitingBytes += bytes.length;
          }
          if (waitingBytes > MAX_WAITING_BYTES) await put();
          return hash;
        },
      };
    }),
  };
}
