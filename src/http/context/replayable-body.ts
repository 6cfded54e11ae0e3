/** A body that can be read repeatedly: it is kept in memory or, if it is large, in a file. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { CreateSpoolFile } from './app-options.ts';
import type { HttpRequestBody } from './exchange.ts';

/** Larger bodies are written to a file. */
const IN_MEMORY_BYTES = 1_048_576;

export class ReplayableBody {
  readonly #body: HttpRequestBody;
  readonly #spool: CreateSpoolFile;
  readonly #source: AsyncIterator<Buffer>;
  readonly #hash: Hash = createHash('sha256');
  readonly #pieces: Buffer[] = [];
  #size = 0;
  #file: { readonly path: string; readonly handle: FileHandle; discard(): Promise<void> } | undefined;

  constructor(body: HttpRequestBody, spool: CreateSpoolFile) {
    this.#body = body;
    this.#spool = spool;
    this.#source = body.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  }

  /** Returns the body from its beginning; stop reading the previous stream first. */
  open(): HttpRequestBody {
    const { headers, socket } = this.#body;
    return Object.assign(Readable.from(this.#read(), { objectMode: false }), { headers, socket });
  }

  /** Returns the hash of the whole body; reads the rest if necessary. */
  async digest(): Promise<string> {
    for (let piece = await this.#next(); piece !== undefined; piece = await this.#next());
    return this.#hash.copy().digest('hex');
  }

  async discard(): Promise<void> {
    await this.#file?.handle.close();
    await this.#file?.discard();
  }

  async *#read(): AsyncGenerator<Buffer> {
    if (this.#file === undefined) yield* [...this.#pieces];
    else yield* createReadStream(this.#file.path, { end: this.#size - 1 });
    for (let piece = await this.#next(); piece !== undefined; piece = await this.#next()) yield piece;
  }

  /** Reads and stores the next chunk. */
  async #next(): Promise<Buffer | undefined> {
    const { done, value } = await this.#source.next();
    if (done) return undefined;
    this.#hash.update(value);
    this.#size += value.length;
    if (this.#file === undefined && this.#size <= IN_MEMORY_BYTES) {
      this.#pieces.push(value);
      return value;
    }
    if (this.#file === undefined) {
      const { file, discard } = await this.#spool();
      this.#file = { path: file, handle: await open(file, 'wx', 0o600), discard };
      for (const piece of this.#pieces.splice(0)) await this.#file.handle.writeFile(piece);
    }
    await this.#file.handle.writeFile(value);
    return value;
  }
}
