/** Collects written bytes into chunks of one size, and encrypts them on request. */
import { readSync } from 'node:fs';
import { CHUNK_BYTES, type ChunkCipher } from './seal.ts';

/** The chunk is valid until this returns. */
export type EmitChunk = (chunk: Uint8Array) => void;

/** Returns memory of `CHUNK_BYTES` for a chunk, which is emitted before the next call. */
export type AllocateChunk = () => Uint8Array;

export class ChunkWriter {
  readonly #emit: EmitChunk;
  readonly #seal: ChunkCipher | undefined;
  readonly #allocate: AllocateChunk;
  #chunk: Uint8Array;
  #used = 0;
  #position = 0;

  /** With `seal`, what is emitted is the encrypted copy of a chunk. */
  constructor(emit: EmitChunk, seal?: ChunkCipher, allocate: AllocateChunk = createAllocator()) {
    this.#emit = emit;
    this.#seal = seal;
    this.#allocate = seal === undefined ? allocate : createAllocator();
    if (seal !== undefined) emit(seal.header);
    this.#chunk = this.#allocate();
  }

  write(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; ) {
      const part = bytes.subarray(start, start + this.#makeRoom());
      this.#chunk.set(part, this.#used);
      this.#used += part.length;
      start += part.length;
    }
  }

  /** Copies bytes of an open file without another buffer, and passes them to `inspect`. Throws if the file is shorter. */
  copyFile(descriptor: number, bytes: number, inspect: (part: Uint8Array) => void): void {
    for (let left = bytes; left > 0; ) {
      const room = Math.min(this.#makeRoom(), left);
      const read = readSync(descriptor, this.#chunk, this.#used, room, null);
      if (read === 0) throw new Error('a file became shorter while it was read');
      inspect(this.#chunk.subarray(this.#used, this.#used + read));
      this.#used += read;
      left -= read;
    }
  }

  end(): void {
    this.#flush(true);
  }

  /** Returns the free bytes of the chunk, at least one. */
  #makeRoom(): number {
    if (this.#used === CHUNK_BYTES) this.#flush(false);
    return CHUNK_BYTES - this.#used;
  }

  #flush(isLast: boolean): void {
    const chunk = this.#chunk.subarray(0, this.#used);
    this.#used = 0;
    if (this.#seal !== undefined) {
      this.#emit(this.#seal.encrypt(chunk, this.#position, isLast));
      this.#position += 1;
    } else this.#emit(chunk);
    if (!isLast) this.#chunk = this.#allocate();
  }
}

/** Returns the same memory for all chunks. */
function createAllocator(): AllocateChunk {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  return () => chunk;
}
