/** Stores texts outside the heap: a hundred thousand strings would multiply the size of the heap. */
import { SpillFile } from '../../../lib/files/spill-file.ts';
import { findDiskProblem } from '../../../lib/problems/disk-problem.ts';

/** A range of bytes in memory or in a file that contains text. */
export class TextSlice {
  readonly #source: Buffer | SpillFile;
  readonly #start: number;
  readonly #end: number;

  constructor(source: Buffer | SpillFile, start: number, end: number) {
    this.#source = source;
    this.#start = start;
    this.#end = end;
  }

  /** In bytes. */
  get size(): number {
    return this.#end - this.#start;
  }

  toString(): string {
    return this.#source instanceof SpillFile
      ? this.#source.readText({ start: this.#start, bytes: this.size })
      : this.#source.toString('utf8', this.#start, this.#end);
  }

  /** Returns the end offset. */
  copyTo(target: Buffer, start: number): number {
    return start + this.#read().copy(target, start);
  }

  isSame(other: TextSlice): boolean {
    return other.size === this.size && this.#read().equals(other.#read());
  }

  #read(): Buffer {
    return this.#source instanceof SpillFile
      ? this.#source.read({ start: this.#start, bytes: this.size })
      : this.#source.subarray(this.#start, this.#end);
  }
}

/** Many texts share one buffer. */
const PIECE_BYTES = 1_048_576;

/** About ten thousand layers; more texts are written to a file, if there is a folder for it. */
const MAX_BYTES_IN_MEMORY = 16_777_216;

export class TextBuffer {
  readonly #spillFolder: string | undefined;
  #file: SpillFile | undefined;
  #bytes = Buffer.alloc(0);
  #used = 0;
  #total = 0;

  constructor(spillFolder?: string) {
    this.#spillFolder = spillFolder;
  }

  append(text: string): TextSlice {
    const size = Buffer.byteLength(text);
    this.#total += size;
    if (this.#spillFolder !== undefined && this.#total > MAX_BYTES_IN_MEMORY)
      return this.#spill(this.#spillFolder, text);
    if (this.#used + size > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, size));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#bytes.write(text, start);
    return new TextSlice(this.#bytes, start, this.#used);
  }

  /** Deletes the file; its texts cannot be read any more. */
  close(): void {
    this.#file?.close();
  }

  #spill(folder: string, text: string): TextSlice {
    this.#file ??= new SpillFile(folder);
    try {
      const { start, bytes } = this.#file.append(text);
      return new TextSlice(this.#file, start, start + bytes);
    } catch (error) {
      throw findDiskProblem(error) ?? error;
    }
  }
}
