/** Files that operations under way have kept, and that no record may name yet: nobody may take them away. */
import type { Hash } from '../storage/blobs/port.ts';

export interface Pins {
  pin(file: Hash): void;
  /** As often as it was pinned. */
  unpin(file: Hash): void;
  has(file: Hash): boolean;
  /** Remembers what is pinned from now on, also what is let go of meanwhile, for whoever looks first and acts then. */
  watch(): PinWatch;
}

export interface PinWatch {
  /** Whether it is pinned, or was since the watch began. */
  has(file: Hash): boolean;
  end(): void;
}

export function createPins(): Pins {
  const counts = new Map<Hash, number>();
  const watches = new Set<Set<Hash>>();
  return {
    pin(file) {
      counts.set(file, (counts.get(file) ?? 0) + 1);
      for (const seen of watches) seen.add(file);
    },
    unpin(file) {
      const left = (counts.get(file) ?? 1) - 1;
      if (left === 0) counts.delete(file);
      else counts.set(file, left);
    },
    has: (file) => counts.has(file),
    watch() {
      const seen = new Set<Hash>();
      watches.add(seen);
      return {
        has: (file) => counts.has(file) || seen.has(file),
        end: () => void watches.delete(seen),
      };
    },
  };
}
