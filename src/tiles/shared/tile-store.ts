/** A place for the tiles of all nodes. */

export interface StoredTile {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

export interface TileStore {
  /** For messages, without secrets. */
  readonly shown: string;
  /** Returns undefined for a missing tile. */
  read(key: string, signal: AbortSignal): Promise<Buffer | undefined>;
  /** Creates or replaces a tile. Readers see a complete tile or none; the caller detects damaged ones. */
  write(key: string, content: Buffer, signal: AbortSignal): Promise<void>;
  /** Lists the tiles whose keys start with this text in batches. It may miss the latest changes. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<readonly StoredTile[]>;
  /** Succeeds if the tile does not exist. */
  delete(key: string): Promise<void>;
  close(): void;
}
