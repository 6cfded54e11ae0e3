/** Files of a source that were read once, in a file on this machine that has no name: it disappears with the process. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../source/temporary-folder.ts';

/** Further files are read again from the source when they are needed. */
const MAX_BYTES = 4_294_967_296;

export class KeptFiles {
  readonly #descriptor: number;
  readonly #maxBytes: number;
  readonly #pieces = new Map<string, readonly [position: number, length: number]>();
  #size = 0;
  #isOpen = true;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
    const folder = createTemporaryFolder();
    try {
      this.#descriptor = openSync(join(folder.path, 'files'), 'wx+', 0o600);
    } finally {
      // An open file without a name stays readable.
      folder.remove();
    }
  }

  /** Returns false if the files are too large to be kept; a file with a known path replaces the former one. */
  keep(path: string, bytes: Buffer): boolean {
    if (!this.#isOpen || this.#size + bytes.length > this.#maxBytes) return false;
    let written = 0;
    while (written < bytes.length) {
      written += writeSync(this.#descriptor, bytes, written, bytes.length - written, this.#size + written);
    }
    this.#pieces.set(path, [this.#size, bytes.length]);
    this.#size += bytes.length;
    return true;
  }

  /** Returns undefined for a file that is not kept. */
  read(path: string): Buffer | undefined {
    const piece = this.#pieces.get(path);
    if (piece === undefined) return undefined;
    const [position, length] = piece;
    const bytes = Buffer.alloc(length);
    let read = 0;
    while (read < length) {
      const count = readSync(this.#descriptor, bytes, read, length - read, position + read);
      if (count === 0) throw new Error(`The file with the contents of the source ends after ${position + read} bytes.`);
      read += count;
    }
    return bytes;
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}
