/** Files of running operations on this node and on others. See `storage/nodes/file-pins.ts`. */
import { randomUUID } from 'node:crypto';
import type { Hash } from '../../storage/blobs/port.ts';
import { EVERY_PINNED_FILE, type SharedPins } from '../../storage/nodes/file-pins.ts';

/** The pin is renewed at this interval, because pins of dead nodes expire. */
const RENEWAL_MS = 600_000;

export interface Pins {
  begin(): OperationPins;
  /** Pins every file until the returned function is called. */
  pinEverything(): Promise<() => Promise<void>>;
  /** Must be started before references are checked. */
  watch(): Promise<PinWatch>;
  /** Returns whether an operation of this server has pinned the file. */
  isPinnedLocally(file: Hash): boolean;
}

/** The pins of one operation. */
export interface OperationPins {
  /** Must be called before the files are stored, or before their existence is relied upon. */
  pin(files: readonly Hash[]): Promise<void>;
  /** Pins on this server only, for a file that is not stored yet. */
  pinLocally(file: Hash): void;
  /** All pinned files. */
  files(): readonly Hash[];
  /** Releases the pins. They can be used again afterwards. */
  end(): Promise<void>;
}

export interface PinWatch {
  /** Returns whether the file is pinned or was pinned since the watch began. */
  has(file: Hash): Promise<boolean>;
  end(): void;
}

/** `shared` contains the pins of all nodes. */
export function createPins(shared?: SharedPins): Pins {
  const counts = new Map<Hash, number>();
  const watches = new Set<Set<Hash>>();

  function addPin(file: Hash): void {
    counts.set(file, (counts.get(file) ?? 0) + 1);
    for (const seen of watches) seen.add(file);
  }

  function removePin(file: Hash): void {
    const left = (counts.get(file) ?? 1) - 1;
    if (left === 0) counts.delete(file);
    else counts.set(file, left);
  }

  const pins: Pins = {
    isPinnedLocally: (file) => counts.has(file),

    async pinEverything() {
      const own = pins.begin();
      await own.pin([EVERY_PINNED_FILE]);
      const renewal = setInterval(() => own.pin([EVERY_PINNED_FILE]).catch(() => undefined), RENEWAL_MS).unref();
      return async () => {
        clearInterval(renewal);
        await own.end();
      };
    },

    begin() {
      const id = randomUUID();
      let pinned = new Set<Hash>();
      let isShared = false;
      const pinLocally = (file: Hash) => {
        if (pinned.has(file)) return;
        pinned.add(file);
        addPin(file);
      };
      return {
        pinLocally,
        files: () => [...pinned],
        async pin(files) {
          for (const file of files) pinLocally(file);
          if (shared === undefined || files.length === 0) return;
          isShared = true;
          await shared.pin(id, files);
        },
        async end() {
          for (const file of pinned) removePin(file);
          pinned = new Set();
          if (isShared) await shared?.end(id);
          isShared = false;
        },
      };
    },

    async watch() {
      const elsewhere = await shared?.watch();
      const seen = new Set<Hash>(counts.keys());
      watches.add(seen);
      return {
        has: async (file) =>
          seen.has(file) || seen.has(EVERY_PINNED_FILE) || (elsewhere !== undefined && (await elsewhere.has(file))),
        end: () => void watches.delete(seen),
      };
    },
  };
  return pins;
}
