/** Reads the messages of features, which each begin with their length, through a window of the file. */
import { checkWithin, type DataFile } from '../support/data-file.ts';
import { createUnsupportedProblem } from '../support/file-problems.ts';

const LENGTH_BYTES = 4;

/** A feature is in memory several times while it is read. */
const MAX_FEATURE_BYTES = 134_217_728;

/** The window for consecutive features, and for single ones. */
export const SCAN_BYTES = 262_144;
export const SEARCH_BYTES = 16_384;

export interface FeatureMessage {
  /** Valid until the next read. */
  readonly bytes: Buffer;
  readonly position: number;
  /** The position of the next feature. */
  readonly end: number;
}

export class MessageReader {
  readonly #file: DataFile;
  readonly #windowBytes: number;
  #start = 0;
  #window: Buffer = Buffer.alloc(0);

  constructor(file: DataFile, windowBytes: number) {
    this.#file = file;
    this.#windowBytes = windowBytes;
  }

  /** Returns a message that is in the window; undefined if `fill` must read it first. */
  take(position: number): FeatureMessage | undefined {
    const at = position - this.#start;
    if (at < 0 || at + LENGTH_BYTES > this.#window.length) return undefined;
    const from = at + LENGTH_BYTES;
    const length = this.#window.readUInt32LE(at);
    if (from + length > this.#window.length) return undefined;
    const end = position + LENGTH_BYTES + length;
    return { bytes: this.#window.subarray(from, from + length), position: position + LENGTH_BYTES, end };
  }

  async fill(position: number): Promise<void> {
    checkWithin(this.#file, position, LENGTH_BYTES);
    const rest = this.#file.sizeBytes - position;
    await this.#load(position, Math.min(this.#windowBytes, rest));
    const length = this.#window.readUInt32LE(0);
    checkWithin(this.#file, position + LENGTH_BYTES, length);
    if (length > MAX_FEATURE_BYTES) {
      const reason = `a feature has ${length} bytes; the limit is ${MAX_FEATURE_BYTES}`;
      throw createUnsupportedProblem(this.#file.name, reason);
    }
    if (LENGTH_BYTES + length > this.#window.length)
      await this.#load(position, Math.min(Math.max(this.#windowBytes, LENGTH_BYTES + length), rest));
  }

  async #load(position: number, length: number): Promise<void> {
    const window = Buffer.allocUnsafe(length);
    await this.#file.readInto(window, position);
    this.#window = window;
    this.#start = position;
  }
}
