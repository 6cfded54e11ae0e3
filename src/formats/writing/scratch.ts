/** Temporary files for documents that cannot be streamed; their folder is deleted afterwards. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Access to temporary folders. */
export interface ScratchFolders {
  /** Creates an empty folder. */
  createFolder(): Promise<ScratchFolder>;
}

export interface ScratchFolder {
  readonly path: string;
  /** Deletes the folder with its content. */
  discard(): Promise<void>;
}

/** Yields the chunks of `write` with a folder that exists until the last chunk or until the reader stops. */
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

/** An append-only file with buffered writes; its header is written at the end. */
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

  /** Whether the buffer is large enough to be written. */
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

  /** Finishes the file and overwrites its first bytes. */
  async finish(head: Uint8Array): Promise<void> {
    await this.flush();
    await this.#handle.write(head, 0, head.length, 0);
    await this.close();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
