/** A moving view of a file: reads far ahead, so that records one after the other cost no call to the system each. */
import { freeBytes } from '../../../lib/files/free-bytes.ts';
import { checkWithin, type DataFile } from '../../support/data-file.ts';

export interface FileWindow {
  readonly file: DataFile;
  /** The bytes at hand; replaced by `load`. */
  readonly bytes: Buffer;
  readonly view: DataView;
  /** Where in the file `bytes` begins. */
  readonly start: number;
  /** Whether these bytes of the file are at hand. */
  isLoaded(position: number, length: number): boolean;
  /** Brings them to hand, with as many of those after them as fit. */
  load(position: number, length: number): Promise<void>;
  /** Lets go of the bytes at hand. */
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
    // Going back means that the records are out of order: what follows this one is then of no use.
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
