/** Writes one entry to its file, and counts the inflated bytes. */
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { WriteBehind } from '../../lib/async/write-behind.ts';
import { createArchiveRefusal, createArchiveTooLarge } from './archive-problems.ts';
import type { ArchiveLimits, PlannedEntry } from './plan.ts';
import type { SpooledArchive } from './spooled-archive.ts';

export interface InflateOptions {
  readonly limits: ArchiveLimits;
  readonly nested: 'keep' | 'refuse';
  /** The inflated bytes of all entries so far, and the size of the archive. */
  readonly total: { bytes: number };
  readonly archiveBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly createHasher: ((bytes: number) => EntryHasher) | undefined;
}

/** Receives the chunks of a file in order; ends with either `digest` or `discard`. */
export interface EntryHasher {
  update(piece: Uint8Array): Promise<void> | undefined;
  digest(): Promise<{ readonly hash: string }>;
  discard(): void;
}

export interface WrittenEntry {
  readonly bytes: number;
  /** CRC-32. */
  readonly checksum: number;
  readonly hash?: string;
}

/** Fewer and larger chunks have less overhead. */
const LARGEST_CHUNK_BYTES = 262_144;

export async function inflateEntry(
  archive: SpooledArchive,
  { entry, name, dataStart }: PlannedEntry,
  target: string,
  options: InflateOptions,
): Promise<WrittenEntry> {
  if (options.nested === 'refuse' && isArchiveName(name)) {
    throw createArchiveRefusal(name, 'it is a nested archive');
  }
  let bytes = 0;
  let checksum = 0;
  const hasher = options.createHasher?.(entry.uncompressedSize);
  // Exclusive: never writes to an existing file or through a link.
  const file = await open(target, 'wx', 0o600);
  const output = new WriteBehind(file);
  const dataEnd = dataStart + entry.compressedSize;
  const content =
    entry.compressionMethod === 0
      ? archive.readCopiedChunks(dataStart, dataEnd)
      : inflateStream(archive.readChunks(dataStart, dataEnd), entry.uncompressedSize);
  try {
    for await (const chunk of content) {
      options.signal?.throwIfAborted();
      if (bytes === 0 && options.nested === 'refuse' && hasArchiveSignature(chunk)) {
        throw createArchiveRefusal(name, 'it is a nested archive');
      }
      bytes += chunk.length;
      options.total.bytes += chunk.length;
      checkInflatedSize(name, bytes, entry, options);
      checksum = crc32(chunk, checksum);
      const hashing = hasher?.update(chunk);
      await output.write([chunk]);
      await hashing;
    }
    await output.end();
  } catch (error) {
    hasher?.discard();
    throw isDataError(error) ? createArchiveRefusal(name, 'its data is damaged') : error;
  } finally {
    await output.end().catch(() => {});
    await file.close();
  }
  const hashed = await hasher?.digest();
  if (bytes !== entry.uncompressedSize) {
    throw createArchiveRefusal(name, `it contains ${bytes} bytes, but the index declares ${entry.uncompressedSize}`);
  }
  if (checksum !== entry.crc32) {
    throw createArchiveRefusal(name, 'its data is damaged: the checksum does not match');
  }
  return { bytes, checksum, ...(hashed === undefined ? {} : { hash: hashed.hash }) };
}

/** Errors reach the reader of the stream. */
export function inflateStream(packed: AsyncIterable<Buffer>, expectedBytes: number): AsyncIterable<Buffer> {
  // Small files use small buffers; large ones would dominate archives of many small files.
  const chunkSize = Math.min(LARGEST_CHUNK_BYTES, Math.max(1_024, expectedBytes + 1));
  // Buffers a few chunks: the inflater continues in its thread while one is written. The type definition lacks this
  // option.
  const options = { chunkSize, readableHighWaterMark: 4 * chunkSize };
  const inflater = createInflateRaw(options);
  // The reader gets the error. It can also occur before or after reading, which must not end the process.
  inflater.on('error', () => {});
  pipeline(Readable.from(packed, { objectMode: false }), inflater, () => {});
  return inflater;
}

function checkInflatedSize(
  name: string,
  bytes: number,
  entry: PlannedEntry['entry'],
  { limits, total, archiveBytes }: InflateOptions,
): void {
  if (bytes > entry.uncompressedSize) {
    throw createArchiveRefusal(
      name,
      `it contains more than the ${entry.uncompressedSize} bytes that the index declares`,
    );
  }
  if (bytes > limits.maxEntryBytes) {
    throw createArchiveTooLarge(name, `it exceeds the limit of ${limits.maxEntryBytes} bytes`);
  }
  if (total.bytes > limits.maxTotalBytes) {
    throw createArchiveTooLarge(name, `the unpacked files exceed the limit of ${limits.maxTotalBytes} bytes`);
  }
  if (isExcessive(bytes, entry.compressedSize, limits) || isExcessive(total.bytes, archiveBytes, limits)) {
    throw createArchiveTooLarge(name, `it inflates to more than ${limits.maxRatio} times its compressed size`);
  }
}

function isExcessive(inflated: number, packed: number, limits: ArchiveLimits): boolean {
  return inflated > limits.ratioFromBytes && inflated > packed * limits.maxRatio;
}

/** Whether the error is from the inflater (`Z_DATA_ERROR` and others) or about data that ends early. */
function isDataError(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'Error') {
    return false;
  }
  return !('code' in error) || String(error.code).startsWith('Z_');
}

/** Nested archives, by extension and by signature. */
const endings = /\.(?:zip|zipx|jar|war|kmz|tar|tgz|gz|bz2|xz|zst|7z|rar|lz4|lzma|cab|iso)$/i;

const signatures: readonly Buffer[] = [
  'PK\x03\x04',
  'PK\x05\x06',
  '\x1f\x8b',
  'BZh',
  '\xfd7zXZ\x00',
  '\x28\xb5\x2f\xfd',
  '7z\xbc\xaf\x27\x1c',
  'Rar!\x1a\x07',
  'MSCF',
].map((text) => Buffer.from(text, 'latin1'));

function isArchiveName(name: string): boolean {
  return endings.test(name);
}

function hasArchiveSignature(firstBytes: Buffer): boolean {
  return signatures.some((signature) => firstBytes.subarray(0, signature.length).equals(signature));
}
