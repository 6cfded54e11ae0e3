/** The data files that a move copies: their hashes, and whether they change meanwhile. */
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import type { JsonObject } from '../../../lib/json/value.ts';
import { MoveInError } from '../report/move-in-error.ts';
import { FileUnavailableError } from '../source/source.ts';

export interface CopiedFile {
  /** The path on this machine. */
  readonly file: string;
  /** The path in the source, for messages. */
  readonly label: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Changes if the file is written or replaced. */
  readonly state: string;
}

/** A file that a store consists of. */
export interface WantedFile {
  /** The path among the files of the store. */
  readonly name: string;
  readonly file: string;
  readonly label: string;
}

/** The bytes that are read at once. */
const READ_BYTES = 1_048_576;

export class DataCopies {
  /** By path on this machine; a source is translated several times. */
  readonly #known = new Map<string, CopiedFile>();
  /** The files of each store by configuration path. */
  readonly #stores = new Map<string, readonly CopiedFile[]>();

  /** Forgets the stores of the previous translation, but not the hashes. */
  begin(): void {
    this.#stores.clear();
  }

  /** Hashes the files of a store, and returns them as the configuration lists them. */
  async add(store: string, wanted: readonly WantedFile[]): Promise<readonly JsonObject[]> {
    const listed: JsonObject[] = [];
    const copied: CopiedFile[] = [];
    for (const each of wanted) {
      const file = this.#known.get(each.file) ?? (await hashFile(each));
      this.#known.set(each.file, file);
      copied.push(file);
      listed.push({ path: each.name, bytes: file.bytes, sha256: file.sha256 });
    }
    this.#stores.set(store, copied);
    return listed.sort((one, other) => (String(one['path']) < String(other['path']) ? -1 : 1));
  }

  /** Files with the same content are listed once. */
  listFiles(isImported: (store: string) => boolean): readonly CopiedFile[] {
    const files = new Map<string, CopiedFile>();
    for (const [store, copied] of this.#stores) {
      if (isImported(store)) for (const file of copied) files.set(file.sha256, file);
    }
    return [...files.values()];
  }

  /** The stores with at least one of these files. */
  findStores(hashes: ReadonlySet<string>): ReadonlySet<string> {
    const found = [...this.#stores].filter(([, files]) => files.some(({ sha256 }) => hashes.has(sha256)));
    return new Set(found.map(([store]) => store));
  }

  /** Throws if a file changed since it was hashed, so that files of different times are never combined. */
  async checkUnchanged(isImported: (store: string) => boolean): Promise<void> {
    for (const [store, copied] of this.#stores) {
      if (!isImported(store)) continue;
      for (const file of copied) {
        const status = await lstat(file.file, { bigint: true }).catch(() => undefined);
        if (status === undefined || formatState(status) !== file.state) throw createChangedError(file);
      }
    }
  }
}

async function hashFile({ file, label }: WantedFile): Promise<CopiedFile> {
  const handle = await openFile(file);
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw createChangedError({ label });
    const hash = createHash('sha256');
    for await (const piece of handle.createReadStream({ autoClose: false, highWaterMark: READ_BYTES })) {
      hash.update(piece as Buffer);
    }
    const copied = {
      file,
      label,
      bytes: Number(before.size),
      sha256: hash.digest('hex'),
      state: formatState(before),
    };
    if (formatState(await handle.stat({ bigint: true })) !== copied.state) throw createChangedError(copied);
    return copied;
  } finally {
    await handle.close();
  }
}

/** Whether a file cannot be read, so that its store is imported without it. Other errors end the move. */
export function isFileFailure(error: unknown): error is Error {
  return error instanceof FileUnavailableError || (error instanceof Error && 'syscall' in error);
}

/** Reads a file with its hashed content; throws if it changed. */
export async function* streamFile(copied: CopiedFile): AsyncGenerator<Uint8Array> {
  const handle = await openCopied(copied);
  try {
    if (formatState(await handle.stat({ bigint: true })) !== copied.state) throw createChangedError(copied);
    let left = copied.bytes;
    while (left > 0) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(READ_BYTES, left)));
      if (bytesRead === 0) throw createChangedError(copied);
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Links of the source are resolved before, so a link here was created meanwhile. */
function openFile(file: string): Promise<FileHandle> {
  return open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

async function openCopied(copied: CopiedFile): Promise<FileHandle> {
  try {
    return await openFile(copied.file);
  } catch {
    throw createChangedError(copied);
  }
}

function formatState({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

export function createChangedError({ label }: Pick<CopiedFile, 'label'>): MoveInError {
  return new MoveInError(
    'source-changed',
    `The file '${label}' changed while it was copied. Nothing was applied. Run the command again when no program writes the data.`,
  );
}
