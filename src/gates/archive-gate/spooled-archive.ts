/** Lets the ZIP library read a spooled archive, and only from inside it: its offsets come from the client. */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const CHUNK_BYTES = 65_536;

export class SpooledArchive extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;

  constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!this.#covers(position, position + length)) {
      setImmediate(callback, new Error('The archive ends before that'));
      return;
    }
    this.#file.read(buffer, offset, length, position).then(
      ({ bytesRead }) => callback(null, bytesRead),
      (error: Error) => callback(error),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.chunks(start, end), { objectMode: false });
  }

  /** The bytes of a part of the file. */
  async *chunks(start: number, end: number): AsyncGenerator<Buffer> {
    if (!this.#covers(start, end)) {
      throw new Error('The archive ends before that');
    }
    for (let position = start; position < end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position));
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) {
        throw new Error('The archive ends before that');
      }
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  #covers(start: number, end: number): boolean {
    return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end <= this.#size;
  }
}
