/**
 * Passes the chunks of a backup from its thread to the server in memory that is used again and again. New memory for
 * each chunk would make the garbage collector of the server run dozens of times in a backup of a gigabyte.
 */
import { CHUNK_BYTES, TAG_BYTES } from '../../lib/backup/seal.ts';

export interface ChunkRing {
  readonly memory: SharedArrayBuffer;
  /** The number of chunks that the server has passed on, as an Int32. */
  readonly passed: SharedArrayBuffer;
}

/** The chunks in memory. */
const PLACES = 4;

/** A chunk can be encrypted. */
const PLACE_BYTES = CHUNK_BYTES + TAG_BYTES;

export function createChunkRing(): ChunkRing {
  return { memory: new SharedArrayBuffer(PLACES * PLACE_BYTES), passed: new SharedArrayBuffer(4) };
}

/** The end of the thread, which has no event loop while it waits. */
export class ChunkSender {
  readonly #memory: SharedArrayBuffer;
  readonly #passed: Int32Array<SharedArrayBuffer>;
  #sent = 0;

  constructor({ memory, passed }: ChunkRing) {
    this.#memory = memory;
    this.#passed = new Int32Array(passed);
  }

  /** Returns the memory of the next chunk, as soon as there is a place for it. */
  allocate(): Uint8Array {
    return this.#waitForPlace(CHUNK_BYTES);
  }

  /** Sends a chunk in allocated memory, or a copy of another one. */
  add(chunk: Uint8Array): void {
    if (chunk.buffer !== this.#memory) this.#waitForPlace(chunk.length).set(chunk);
    this.#sent += 1;
  }

  #waitForPlace(bytes: number): Uint8Array {
    for (;;) {
      const passed = Atomics.load(this.#passed, 0);
      if (this.#sent - passed < PLACES) break;
      Atomics.wait(this.#passed, 0, passed);
    }
    return new Uint8Array(this.#memory, (this.#sent % PLACES) * PLACE_BYTES, bytes);
  }
}

/** The end of the server. */
export class ChunkReceiver {
  readonly #memory: SharedArrayBuffer;
  readonly #passed: Int32Array<SharedArrayBuffer>;
  #received = 0;

  constructor({ memory, passed }: ChunkRing) {
    this.#memory = memory;
    this.#passed = new Int32Array(passed);
  }

  /** Returns the next chunk. A full one is valid until `pass` is called for it; others are copies. */
  receive(bytes: number): Uint8Array {
    const chunk = new Uint8Array(this.#memory, (this.#received % PLACES) * PLACE_BYTES, bytes);
    this.#received += 1;
    // Receivers of a stream may join small pieces with the next one before they send them.
    return bytes < CHUNK_BYTES ? chunk.slice() : chunk;
  }

  /** Reports that the oldest chunk was sent. */
  pass(): void {
    Atomics.add(this.#passed, 0, 1);
    Atomics.notify(this.#passed, 0);
  }
}
