/** Files of a document that cannot be sent before all of it is known: written below a folder that is gone afterwards. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** What encoders need that write files first. */
export interface ScratchFolders {
  /** Makes an empty folder for them. */
  createFolder(): Promise<ScratchFolder>;
}

export interface ScratchFolder {
  readonly path: string;
  /** Takes it away with all that is in it. */
  discard(): Promise<void>;
}

/** The pieces that `write` gives, with a folder that is there until the last one, or until nobody asks any more. */
export async function* withScratchFolder(
  world: ScratchFolders,
  write: (folder: string) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const folder = await world.createFolder();
  try {
    yield* write(folder.path);
  } finally {
    await folder.discard();
  }
}

const READ_BYTES = 65_536;

export async function* readScratchFile(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES })) {
    signal.throwIfAborted();
    yield piece as Buffer;
  }
}

const WRITE_BYTES = 262_144;

/** A file that grows at its end, a large piece at a time; its head is put in when all is known. */
export class ScratchFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #written = 0;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  static async create(path: string): Promise<ScratchFile> {
    return new ScratchFile(path, await open(path, 'wx+'));
  }

  get bytes(): number {
    return this.#written + this.#waitingBytes;
  }

  /** Whether there is enough to be written for it to be worth it. */
  get isFull(): boolean {
    return this.#waitingBytes >= WRITE_BYTES;
  }

  append(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  async flush(): Promise<void> {
    if (this.#waitingBytes === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#handle.write(bytes, 0, bytes.length, this.#written);
    this.#written += bytes.length;
  }

  /** Ends the file, with its first bytes replaced. */
  async finish(head: Uint8Array): Promise<void> {
    await this.flush();
    await this.#handle.write(head, 0, head.length, 0);
    await this.close();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
