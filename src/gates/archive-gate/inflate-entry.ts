/** Writes one entry to its file, counting what really comes out of it. */
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
  /** What has come out of all entries so far, and how large the archive itself is. */
  readonly total: { bytes: number };
  readonly archiveBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly createHasher: ((bytes: number) => EntryHasher) | undefined;
}

/** Is given the pieces of a file in their order; ends with one of `digest` and `discard`. */
export interface EntryHasher {
  update(piece: Uint8Array): Promise<void> | undefined;
  digest(): Promise<string>;
  discard(): void;
}

export interface WrittenEntry {
  readonly bytes: number;
  readonly hash?: string;
}

/** Fewer and larger pieces lose less time between them. */
const LARGEST_CHUNK_BYTES = 262_144;

export async function inflateEntry(
  archive: SpooledArchive,
  { entry, name, dataStart }: PlannedEntry,
  target: string,
  options: InflateOptions,
): Promise<WrittenEntry> {
  if (options.nested === 'refuse' && isArchiveName(name)) {
    throw createArchiveRefusal(name, 'it is an archive inside the archive');
  }
  let bytes = 0;
  let checksum = 0;
  const hasher = options.createHasher?.(entry.uncompressedSize);
  // Exclusive: nothing that is there already, and no link, is ever written through.
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
        throw createArchiveRefusal(name, 'it is an archive inside the archive');
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
  const hash = await hasher?.digest();
  if (bytes !== entry.uncompressedSize) {
    throw createArchiveRefusal(name, `it holds ${bytes} bytes where the index says ${entry.uncompressedSize}`);
  }
  if (checksum !== entry.crc32) {
    throw createArchiveRefusal(name, 'its data is damaged: the checksum is another one');
  }
  return { bytes, ...(hash === undefined ? {} : { hash }) };
}

/** Whoever reads it hears of damage. */
export function inflateStream(packed: AsyncIterable<Buffer>, expectedBytes: number): AsyncIterable<Buffer> {
  // Archives of many small files would otherwise spend their time on large buffers.
  const chunkSize = Math.min(LARGEST_CHUNK_BYTES, Math.max(1_024, expectedBytes + 1));
  // Room for a few pieces: the inflater goes on beside the event loop while one is written. Its types do not know of it.
  const options = { chunkSize, readableHighWaterMark: 4 * chunkSize };
  const inflater = createInflateRaw(options);
  // Whoever reads hears of damage. It may be found before anybody does, or after, which must not end the server.
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
    throw createArchiveRefusal(name, `it holds more than the ${entry.uncompressedSize} bytes the index says`);
  }
  if (bytes > limits.maxEntryBytes) {
    throw createArchiveTooLarge(name, `it would be larger than ${limits.maxEntryBytes} bytes`);
  }
  if (total.bytes > limits.maxTotalBytes) {
    throw createArchiveTooLarge(name, `more than ${limits.maxTotalBytes} bytes would come out of it`);
  }
  if (isExcessive(bytes, entry.compressedSize, limits) || isExcessive(total.bytes, archiveBytes, limits)) {
    throw createArchiveTooLarge(name, `it inflates to more than ${limits.maxRatio} times its packed size`);
  }
}

function isExcessive(inflated: number, packed: number, limits: ArchiveLimits): boolean {
  return inflated > limits.ratioFromBytes && inflated > packed * limits.maxRatio;
}

/** Complaints of the inflater (`Z_DATA_ERROR` and its relatives), and of the reader about data that ends too early. */
function isDataError(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'Error') {
    return false;
  }
  return !('code' in error) || String(error.code).startsWith('Z_');
}

/** Archives inside archives, by their names and by their first bytes. */
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
