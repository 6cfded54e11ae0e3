/** A moving buffer over a file with read-ahead, so that sequential records need few system calls. */
import { freeBytes } from '../../../lib/files/free-bytes.ts';
import { checkWithin, type DataFile } from '../../support/data-file.ts';

export interface FileWindow {
  readonly file: DataFile;
  /** The loaded bytes; replaced by `load`. */
  readonly bytes: Buffer;
  readonly view: DataView;
  /** The file offset of `bytes`. */
  readonly start: number;
  /** Whether this range of the file is loaded. */
  isLoaded(position: number, length: number): boolean;
  /** Loads the range with read-ahead. */
  load(position: number, length: number): Promise<void>;
  /** Releases the loaded bytes. */
  free(): void;
}

export function createWindow(file: DataFile, chunkBytes: number): FileWindow {
  return new MovingWindow(file, chunkBytes);
}

class MovingWindow implements FileWindow {
  readonly file: DataFile;
  readonly #chunkBytes: number;
  bytes: Buffer = Buffer.alloc(0);
  view: DataView = new DataView(this.bytes.buffer);
  start = 0;
  #length = 0;

  constructor(file: DataFile, chunkBytes: number) {
    this.file = file;
    this.#chunkBytes = chunkBytes;
  }

  isLoaded(position: number, length: number): boolean {
    return position >= this.start && position + length <= this.start + this.#length;
  }

  async load(position: number, length: number): Promise<void> {
    checkWithin(this.file, position, length);
    // Moving backwards means that records are out of order, so read-ahead is useless.
    const wanted = position < this.start ? length : Math.max(length, this.#chunkBytes);
    const available = Math.min(wanted, this.file.sizeBytes - position);
    if (available > this.bytes.length) {
      this.free();
      this.bytes = Buffer.allocUnsafeSlow(available);
      this.view = new DataView(this.bytes.buffer);
    }
    this.#length = 0;
    await this.file.readInto(this.bytes.subarray(0, available), position);
    this.start = position;
    this.#length = available;
  }

  free(): void {
    this.#length = 0;
    freeBytes(this.bytes);
    this.bytes = Buffer.alloc(0);
    this.view = new DataView(this.bytes.buffer);
  }
}
