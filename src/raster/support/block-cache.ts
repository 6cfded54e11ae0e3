/** Keeps decoded blocks of an open file: neighbouring parts of a picture use the same ones. */
import type { Samples } from '../port/samples.ts';

/** Enough for a row of parts of a large map. */
const MAX_BYTES = 33_554_432;

export class BlockCache {
  readonly #blocks = new Map<string, Samples>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  has(key: string): boolean {
    return this.#blocks.has(key);
  }

  /** Blocks that are not stored are not kept: reading them costs nothing. */
  async getOrRead(key: string, read: () => Promise<Samples | undefined>): Promise<Samples | undefined> {
    const known = this.#blocks.get(key);
    if (known !== undefined) return known;
    const block = await read();
    if (block === undefined || block.byteLength > this.#maxBytes) return block;
    this.#blocks.set(key, block);
    this.#bytes += block.byteLength;
    for (const [oldest, { byteLength }] of this.#blocks) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#blocks.delete(oldest);
      this.#bytes -= byteLength;
    }
    return block;
  }
}
