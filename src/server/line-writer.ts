/** Appends lines to a file, many at once. */
import { appendFile } from 'node:fs/promises';

export interface LineWriterOptions {
  readonly append: (lines: string) => Promise<void>;
  /** Called for the first of several failures in a row. */
  readonly onError: (reason: unknown) => void;
}

/** Lines wait this long, so that a busy server writes many at once. */
const FLUSH_MS = 100;

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

  constructor(options: LineWriterOptions) {
    this.#options = options;
  }

  /** Whether further lines are dropped. */
  get isFull(): boolean {
    return this.#waiting.length > MAX_WAITING_CHARACTERS;
  }

  write(line: string): void {
    if (this.isFull) return;
    this.#waiting += line;
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref();
  }

  /** Writes the remaining lines. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
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
      if (!this.#hasFailed) this.#options.onError(error);
      this.#hasFailed = true;
    }
  }
}
