/** The tiles of all nodes behind the cache of one node. It may lose any tile, and a failure is no error. */

export interface SharedTier {
  /** Returns undefined for a missing tile, and if the store is slow or fails. */
  find(key: string): Promise<Buffer | undefined>;
  /** Writes in the background, or not at all if the store fails, is full or is behind. */
  write(key: string, content: Buffer): void;
  /** Resolves when at most this many tiles are not written yet. */
  waitForWrites(most: number): Promise<void>;
  count(): SharedTierCounts;
  /** Resolves soon, also if the store is silent. */
  close(): Promise<void>;
}

export interface SharedTierCounts {
  /** As of the last cleaning, and what this node has written since. */
  readonly bytes: number;
  readonly maxBytes: number;
  readonly failedReads: number;
  /** Tiles that were not written. */
  readonly skippedWrites: number;
}
