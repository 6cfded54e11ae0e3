/**
 * Memory for the parts of all uploads of a node. It is kept, because the garbage collector frees memory of this size
 * late: several uploads in a row would need a multiple of it.
 */
export class PartMemory {
  readonly #partBytes: number;
  #unmade: number;
  readonly #free: SharedArrayBuffer[] = [];
  readonly #waiting: ((memory: SharedArrayBuffer) => void)[] = [];

  constructor(partBytes: number, maxParts: number) {
    this.#partBytes = partBytes;
    this.#unmade = maxParts;
  }

  /** Waits for memory that others return. Callers must not wait for a client while they hold it. */
  async take(): Promise<SharedArrayBuffer> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#unmade === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#unmade -= 1;
    return new SharedArrayBuffer(this.#partBytes);
  }

  giveBack(memory: SharedArrayBuffer): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(memory);
    else next(memory);
  }
}
