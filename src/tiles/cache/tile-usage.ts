/** The sizes of the tiles on disk, in order of last use. */

/** The minimum allocation of a file on disk. */
const BLOCK_BYTES = 4_096;

interface Entry {
  readonly bytes: number;
  readonly touchedAtMs: number;
}

/** A file of a previous run. */
export interface FoundTile {
  readonly path: string;
  readonly size: number;
  readonly atMs: number;
}

export class TileUsage {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #lastUsed: string | undefined;

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#entries.size;
  }

  get lastUsed(): string | undefined {
    return this.#lastUsed;
  }

  find(path: string): Entry | undefined {
    return this.#entries.get(path);
  }

  /** From the least to the most recently used. */
  listPaths(): Iterable<string> {
    return this.#entries.keys();
  }

  /** Adds or replaces the entry as the most recently used. */
  record(path: string, size: number, touchedAtMs: number): void {
    this.remove(path);
    const bytes = Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    this.#entries.set(path, { bytes, touchedAtMs });
    this.#lastUsed = path;
    this.#bytes += bytes;
  }

  remove(path: string): void {
    this.#bytes -= this.#entries.get(path)?.bytes ?? 0;
    this.#entries.delete(path);
  }

  /** Adds files of a previous run as less recently used than those of this run. */
  addEarlier(found: readonly FoundTile[]): void {
    const ofThisRun = [...this.#entries];
    this.#entries.clear();
    this.#bytes = 0;
    const oldestFirst = found.toSorted((one, other) => one.atMs - other.atMs);
    for (const { path, size, atMs } of oldestFirst) this.record(path, size, atMs);
    for (const [path, { bytes, touchedAtMs }] of ofThisRun) this.record(path, bytes, touchedAtMs);
  }
}
