/** A persistent cache of indexes over data files, one per file. */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';

/** The file that an index was built from. */
export interface IndexedFile {
  readonly path: string;
  /** Changes with the content. */
  readonly version: string;
}

/** Methods do not fail: an unreadable index is rebuilt, and one that cannot be stored is rebuilt later. */
export interface IndexFolder {
  /** Returns the valid index for this version of the file, or undefined. */
  read(file: IndexedFile): Promise<ArrayBuffer | undefined>;
  /** Replaces the index of other versions of the file. */
  write(file: IndexedFile, index: ArrayBuffer): Promise<void>;
  /** Deletes indexes of missing files, then the least recently used ones until the size limit is met. */
  prune(): Promise<void>;
}

export interface IndexFolderOptions {
  /** Created with the first index. */
  readonly folder: string;
  /** For all indexes together. */
  readonly maxBytes: number;
  readonly now: () => Date;
}

/**
 * The header: a signature with format version and byte order, the checksum of the rest, the lengths of the file name
 * and its version, and the length of the index.
 */
const MARK = Uint32Array.of(0x5852_4947, 0x3145_444e, 0x0102_0304);
const PREFIX_WORDS = MARK.length + 3;
const PREFIX_BYTES = PREFIX_WORDS * 4;

/** Longer than any path. */
const MAX_LABEL_BYTES = 65_536;

/** Bytes to process before other requests get a turn. */
const PIECE_BYTES = 1_048_576;

/** The name of the file being written; leftovers of a crash are overwritten. */
const UNFINISHED = 'unfinished';

export function openIndexFolder({ folder, maxBytes, now }: IndexFolderOptions): IndexFolder {
  const oneAtATime = createKeyedMutex();
  const getIndexPath = ({ path }: IndexedFile): string =>
    join(folder, `${createHash('sha256').update(path).digest('hex')}.index`);

  async function write(file: IndexedFile, index: ArrayBuffer): Promise<void> {
    await mkdir(folder, { mode: 0o700, recursive: true });
    const unfinished = join(folder, UNFINISHED);
    const handle = await open(unfinished, 'w', 0o600);
    try {
      await writeIndex(handle, file, index);
      await handle.utimes(now(), now());
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, getIndexPath(file));
  }

  async function prune(): Promise<void> {
    const kept: { readonly place: string; readonly bytes: number; readonly usedAtMs: number }[] = [];
    for (const name of await readdir(folder)) {
      const place = join(folder, name);
      if (name !== UNFINISHED && (await isCurrentIndex(place))) {
        const { size, mtimeMs } = await stat(place);
        kept.push({ place, bytes: size, usedAtMs: mtimeMs });
      } else {
        await unlink(place);
      }
    }
    let total = kept.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { place, bytes } of kept.sort((one, other) => one.usedAtMs - other.usedAtMs)) {
      if (total <= maxBytes) return;
      await unlink(place);
      total -= bytes;
    }
  }

  const runInTurn = (work: () => Promise<void>): Promise<void> => oneAtATime('', () => work().catch(() => undefined));

  return {
    read: (file) => readIndex(getIndexPath(file), file, now).catch(() => undefined),
    write: (file, index) =>
      runInTurn(async () => {
        if (index.byteLength > maxBytes) return;
        await write(file, index);
        await prune();
      }),
    prune: () => runInTurn(prune),
  };
}

async function writeIndex(handle: FileHandle, { path, version }: IndexedFile, index: ArrayBuffer): Promise<void> {
  const label = encodeLabel({ path, version });
  const pieces = [label, ...splitPieces(index)];
  let checksum = 0;
  for (const piece of pieces) checksum = crc32(piece, checksum);
  const prefix = Uint32Array.of(...MARK, checksum, label.length, index.byteLength);
  await handle.writev([new Uint8Array(prefix.buffer), ...pieces]);
}

function encodeLabel({ path, version }: IndexedFile): Buffer {
  return Buffer.from(JSON.stringify([path, version]));
}

function* splitPieces(index: ArrayBuffer): Generator<Uint8Array> {
  for (let at = 0; at < index.byteLength; at += PIECE_BYTES)
    yield new Uint8Array(index, at, Math.min(PIECE_BYTES, index.byteLength - at));
}

async function readIndex(place: string, file: IndexedFile, now: () => Date): Promise<ArrayBuffer | undefined> {
  const handle = await open(place, 'r+');
  try {
    const head = await readHead(handle);
    if (head === undefined || !head.label.equals(encodeLabel(file))) return undefined;
    const { size } = await handle.stat();
    let at = PREFIX_BYTES + head.label.length;
    if (size !== at + head.indexBytes) return undefined;
    const index = new ArrayBuffer(head.indexBytes);
    let checksum = crc32(head.label);
    for (const piece of splitPieces(index)) {
      if (!(await readFully(handle, piece, at))) return undefined;
      checksum = crc32(piece, checksum);
      at += piece.length;
    }
    if (checksum !== head.checksum) return undefined;
    await handle.utimes(now(), now());
    return index;
  } finally {
    await handle.close();
  }
}

interface Head {
  readonly checksum: number;
  readonly label: Buffer;
  readonly indexBytes: number;
}

async function readHead(handle: FileHandle): Promise<Head | undefined> {
  const prefix = new Uint32Array(PREFIX_WORDS);
  if (!(await readFully(handle, new Uint8Array(prefix.buffer), 0))) return undefined;
  const [checksum = 0, labelBytes = 0, indexBytes = 0] = prefix.subarray(MARK.length);
  if (MARK.some((word, index) => prefix[index] !== word) || labelBytes > MAX_LABEL_BYTES) return undefined;
  const label = Buffer.alloc(labelBytes);
  return (await readFully(handle, label, PREFIX_BYTES)) ? { checksum, label, indexBytes } : undefined;
}

/** Returns whether the file has enough bytes at that position. */
async function readFully(handle: FileHandle, target: Uint8Array, position: number): Promise<boolean> {
  for (let done = 0; done < target.length; ) {
    const { bytesRead } = await handle.read(target, done, target.length - done, position + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return true;
}

/** Whether the indexed file still exists. */
async function isCurrentIndex(place: string): Promise<boolean> {
  const handle = await open(place, 'r');
  try {
    const head = await readHead(handle);
    if (head === undefined) return false;
    const [path]: unknown[] = JSON.parse(head.label.toString());
    return typeof path === 'string' && (await stat(path)).isFile();
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}
