/** Writes a file piece by piece, each while the next is made ready. */
import type { FileHandle } from 'node:fs/promises';

export class WriteBehind {
  readonly #file: FileHandle;
  #last: Promise<void> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Resolved when all before is written, and not yet this: what fails is told to the next call, or at the end. */
  async write(pieces: readonly Buffer[]): Promise<void> {
    await this.#last;
    this.#last = writeAll(this.#file, pieces);
    this.#last.catch(() => {});
  }

  /** To be called before the file is closed, also after a failure. */
  end(): Promise<void> {
    return this.#last;
  }
}

/** A full disk takes a part and says so in the number only; what is left is tried again, and then it is an error. */
async function writeAll(file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  const totalBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { bytesWritten } = await file.writev([...pieces]);
  if (bytesWritten < totalBytes) {
    await file.writeFile(Buffer.concat(pieces).subarray(bytesWritten));
  }
}
