/** Appends lines to a file, many at once. Lines that could not be written are kept and written again. */
import { appendFile } from 'node:fs/promises';

export interface LineWriterOptions {
  readonly append: (lines: string) => Promise<void>;
  /** Called for the first of several failures in a row. */
  readonly onError: (reason: unknown) => void;
}

/** Lines wait this long, so that a busy server writes many at once. */
const FLUSH_MS = 100;

/** The pause after a failure, such as a full disk. */
const RETRY_MS = 1_000;

/** If the disk does not accept lines, later ones are dropped instead of filling the memory. */
const MAX_WAITING_CHARACTERS = 8_388_608;

/** Opens the file for each write, so that log rotation needs no signal. */
export function appendToFile(file: string): LineWriterOptions['append'] {
  return (lines) => appendFile(file, lines, { mode: 0o640 });
}

export class LineWriter {
  readonly #options: LineWriterOptions;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #dropped = 0;

  constructor(options: LineWriterOptions) {
    this.#options = options;
  }

  /** The number of lines that were dropped since the start. */
  get droppedLines(): number {
    return this.#dropped;
  }

  /** Returns whether the line can be stored; otherwise counts it as dropped. */
  admit(): boolean {
    if (this.#waiting.length <= MAX_WAITING_CHARACTERS) return true;
    this.#dropped += 1;
    return false;
  }

  /** The caller must have called `admit`. */
  write(line: string): void {
    this.#waiting += line;
    this.#schedule(this.#hasFailed ? RETRY_MS : FLUSH_MS);
  }

  /** Writes the remaining lines. They are lost if it fails. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => this.#flush(), ms).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#append());
  }

  async #append(): Promise<void> {
    const lines = this.#waiting;
    if (lines === '') return;
    this.#waiting = '';
    try {
      await this.#options.append(lines);
      this.#hasFailed = false;
    } catch (error) {
      this.#waiting = `${lines}${this.#waiting}`;
      if (!this.#hasFailed) this.#options.onError(error);
      this.#hasFailed = true;
      this.#schedule(RETRY_MS);
    }
  }
}
