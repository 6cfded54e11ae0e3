/** Writes a file piece by piece, each while the caller prepares the next one. */
import type { FileHandle } from 'node:fs/promises';

export class WriteBehind {
  readonly #file: FileHandle;
  #last: Promise<void> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Resolves when the previous pieces are written. A failure rejects the next call, or `end`. */
  async write(pieces: readonly Buffer[]): Promise<void> {
    await this.#last;
    this.#last = writeAll(this.#file, pieces);
    this.#last.catch(() => {});
  }

  /** Call this before closing the file, also after a failure. */
  end(): Promise<void> {
    return this.#last;
  }
}

/** On a full disk, writev writes a part without an error; writing the rest then fails with ENOSPC. */
async function writeAll(file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  const totalBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { bytesWritten } = await file.writev([...pieces]);
  if (bytesWritten < totalBytes) {
    await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
  }
}
