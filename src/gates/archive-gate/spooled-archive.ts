/** Lets the ZIP library read an archive file within its bounds only: the offsets come from the client. */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const CHUNK_BYTES = 65_536;

/** Copied chunks are large, because the calls dominate the cost. */
const COPIED_BYTES = 1_048_576;

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
      setImmediate(callback, new Error('The archive ends before the requested range'));
      return;
    }
    this.#file.read(buffer, offset, length, position).then(
      ({ bytesRead }) => callback(null, bytesRead),
      (error: Error) => callback(error),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.readChunks(start, end), { objectMode: false });
  }

  /** Reads a range of the file. */
  async *readChunks(start: number, end: number): AsyncGenerator<Buffer> {
    if (!this.#covers(start, end)) {
      throw new Error('The archive ends before the requested range');
    }
    for (let position = start; position < end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position));
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) {
        throw new Error('The archive ends before the requested range');
      }
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /**
   * The same for bytes that are only copied: reads ahead into three rotating buffers. A chunk is valid until the next
   * but one is requested.
   */
  async *readCopiedChunks(start: number, end: number): AsyncGenerator<Buffer> {
    if (!this.#covers(start, end)) {
      throw new Error('The archive ends before the requested range');
    }
    const buffers = [0, 1, 2].map(() => Buffer.allocUnsafeSlow(Math.min(COPIED_BYTES, end - start)));
    const readInto = (turn: number, position: number) => {
      const buffer = buffers[turn % buffers.length] ?? Buffer.alloc(0);
      const reading = this.#file.read(buffer, 0, Math.min(buffer.length, end - position), position);
      // The error is handled when the chunk is awaited, which never happens if the reader stops first.
      reading.catch(() => {});
      return reading;
    };
    let position = start;
    let reading = position < end ? readInto(0, position) : undefined;
    for (let turn = 1; reading !== undefined; turn += 1) {
      const { bytesRead, buffer } = await reading;
      if (bytesRead === 0) {
        throw new Error('The archive ends before the requested range');
      }
      position += bytesRead;
      reading = position < end ? readInto(turn, position) : undefined;
      yield buffer.subarray(0, bytesRead);
    }
  }

  #covers(start: number, end: number): boolean {
    return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end <= this.#size;
  }
}
