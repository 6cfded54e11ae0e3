/** Texts that would fill the memory: they are written once to a file without a name, which disappears with the process. */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The position of a text in the file. */
export interface SpilledText {
  readonly start: number;
  readonly bytes: number;
}

/** Texts are written together, which takes less than a millisecond. */
const WRITE_BYTES = 262_144;

/** Texts up to this size are read into one buffer: many small buffers fill the memory faster than they are collected. */
const SCRATCH_BYTES = 65_536;

export class SpillFile {
  readonly #folder: string;
  readonly #tail = Buffer.allocUnsafeSlow(WRITE_BYTES);
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  #descriptor: number | undefined;
  #tailBytes = 0;
  /** The number of bytes in the file, without the tail. */
  #written = 0;
  #isClosed = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  append(text: string): SpilledText {
    const bytes = Buffer.byteLength(text);
    if (this.#tailBytes + bytes > WRITE_BYTES) this.#write(this.#tail.subarray(0, this.#tailBytes));
    const start = this.#written + this.#tailBytes;
    if (bytes > WRITE_BYTES) this.#write(Buffer.from(text));
    else this.#tailBytes += this.#tail.write(text, this.#tailBytes);
    return { start, bytes };
  }

  read(text: SpilledText): Buffer {
    const content = Buffer.allocUnsafe(text.bytes);
    this.#readInto(content, text);
    return content;
  }

  readText(text: SpilledText): string {
    if (text.bytes > SCRATCH_BYTES) return this.read(text).toString();
    this.#readInto(this.#scratch, text);
    return this.#scratch.toString('utf8', 0, text.bytes);
  }

  /** Deletes the contents. Idempotent. */
  close(): void {
    this.#isClosed = true;
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #readInto(content: Buffer, { start, bytes }: SpilledText): void {
    if (start >= this.#written) {
      this.#tail.copy(content, 0, start - this.#written, start - this.#written + bytes);
      return;
    }
    for (let at = 0; at < bytes; ) {
      const read = readSync(this.#open(), content, at, bytes - at, start + at);
      if (read === 0) throw new Error('A spill file is shorter than its contents.');
      at += read;
    }
  }

  /** Writes after the tail, which must be empty or part of it. */
  #write(content: Buffer): void {
    for (let at = 0; at < content.length; ) {
      at += writeSync(this.#open(), content, at, content.length - at, this.#written + at);
    }
    this.#written += content.length;
    this.#tailBytes = 0;
  }

  #open(): number {
    if (this.#isClosed) throw new Error('This spill file is closed.');
    if (this.#descriptor === undefined) {
      const file = join(this.#folder, `spill-${randomUUID()}`);
      this.#descriptor = openSync(file, 'wx+', 0o600);
      unlinkSync(file);
    }
    return this.#descriptor;
  }
}
