/** Reads the index of an archive and validates every entry before anything is written. */
import type { FileHandle } from 'node:fs/promises';
import type { Entry, ZipFile } from 'yauzl';
import { toFileNameKey } from '../../lib/text/file-name.ts';
import { createArchiveRefusal, createArchiveTooLarge, runZipStep } from './archive-problems.ts';
import { classifyEntry } from './entry-kind.ts';
import { decodeEntryName, type NameLimits, readEntryPath } from './entry-name.ts';
import { checkLayout, type Span } from './layout.ts';

export interface ArchiveLimits extends NameLimits {
  readonly maxEntries: number;
  readonly maxEntryBytes: number;
  readonly maxTotalBytes: number;
  /** Inflated bytes to compressed bytes. */
  readonly maxRatio: number;
  /** The ratio applies above this number of inflated bytes. */
  readonly ratioFromBytes: number;
}

/**
 * The fields that unpacking needs. Comments and extra fields are dropped, because they can be as large as the archive.
 */
export type PackedData = Pick<Entry, 'compressedSize' | 'uncompressedSize' | 'compressionMethod' | 'crc32'>;

export interface PlannedEntry {
  /** The path inside the archive, with slashes. */
  readonly name: string;
  readonly parts: readonly string[];
  readonly kind: 'file' | 'folder';
  readonly entry: PackedData;
  /** The offset of its compressed bytes. */
  readonly dataStart: number;
}

const damagedIndex = 'it is not a ZIP archive, or its index is damaged';

export async function planUnpacking(
  zip: ZipFile,
  file: FileHandle,
  limits: ArchiveLimits,
): Promise<readonly PlannedEntry[]> {
  if (zip.entryCount > limits.maxEntries) {
    throw createArchiveTooLarge(null, `it contains more than ${limits.maxEntries} entries`);
  }
  const indexStart = readIndexCursor(zip);
  const claimed = new ClaimedPaths();
  const planned: PlannedEntry[] = [];
  const spans: Span[] = [];
  let totalBytes = 0;
  const entries = zip.eachEntry();
  for (;;) {
    const next = await runZipStep(entries.next(), null, damagedIndex);
    if (next.done) {
      break;
    }
    const entry: Entry = next.value;
    const plan = validateEntry(entry, claimed, limits);
    const dataStart = await readDataStart(zip, entry, plan.name);
    spans.push({ name: plan.name, start: entry.relativeOffsetOfLocalHeader, end: dataStart + entry.compressedSize });
    totalBytes += entry.uncompressedSize;
    if (totalBytes > limits.maxTotalBytes) {
      throw createArchiveTooLarge(plan.name, `the unpacked files exceed the limit of ${limits.maxTotalBytes} bytes`);
    }
    planned.push({ ...plan, dataStart });
  }
  await checkLayout(file, { spans, indexStart, indexEnd: readIndexCursor(zip), zip });
  if (!planned.some(({ kind }) => kind === 'file')) {
    throw createArchiveRefusal(null, 'it contains no files');
  }
  return planned;
}

function validateEntry(entry: Entry, claimed: ClaimedPaths, limits: ArchiveLimits): Omit<PlannedEntry, 'dataStart'> {
  const name = decodeEntryName({
    bytes: entry.fileNameRaw,
    isUtf8: (entry.generalPurposeBitFlag & 0x800) !== 0,
    extraFields: entry.extraFields,
  });
  if (name === undefined) {
    throw createArchiveRefusal(entry.fileNameRaw.toString('latin1'), 'its name is not valid UTF-8');
  }
  const path = readEntryPath(name, limits);
  if ('objection' in path) {
    throw createArchiveRefusal(name, path.objection);
  }
  const kind = classifyEntry({
    nameIsFolder: path.isFolder,
    externalFileAttributes: entry.externalFileAttributes,
    generalPurposeBitFlag: entry.generalPurposeBitFlag,
    compressionMethod: entry.compressionMethod,
    uncompressedSize: entry.uncompressedSize,
    extraFields: entry.extraFields,
  });
  if ('objection' in kind) {
    throw createArchiveRefusal(name, kind.objection);
  }
  const collision = path.parts.length === 0 ? undefined : claimed.claim(path.parts, kind.kind);
  if (collision !== undefined) {
    throw createArchiveRefusal(name, collision);
  }
  if (entry.uncompressedSize > limits.maxEntryBytes) {
    throw createArchiveTooLarge(name, `it exceeds the limit of ${limits.maxEntryBytes} bytes`);
  }
  const { compressedSize, uncompressedSize, compressionMethod, crc32 } = entry;
  return {
    name: path.parts.join('/'),
    parts: path.parts,
    kind: kind.kind,
    entry: { compressedSize, uncompressedSize, compressionMethod, crc32 },
  };
}

/** Returns the offset of the data of an entry. Its local header must match the index. */
async function readDataStart(zip: ZipFile, entry: Entry, name: string): Promise<number> {
  const header = await runZipStep(
    zip.readLocalFileHeaderPromise(entry),
    name,
    'its data is not at the offset in the index',
  );
  if (!header.fileName.equals(entry.fileNameRaw) || header.compressionMethod !== entry.compressionMethod) {
    throw createArchiveRefusal(name, 'its header and the index do not match');
  }
  if ((header.generalPurposeBitFlag & 0x41) !== 0) {
    throw createArchiveRefusal(name, 'it is encrypted');
  }
  return header.fileDataStart;
}

/** The position of the library in the index: a number, although its type is wider. */
function readIndexCursor(zip: ZipFile): number {
  return Number(zip.readEntryCursor);
}

interface Claim {
  /** The first spelling. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Whether it is an entry itself, or only a parent of one. */
  readonly isEntry: boolean;
}

/** Collects the paths of an archive, and detects paths that are equal on some file systems. */
class ClaimedPaths {
  readonly #claims = new Map<string, Claim>();

  /** Claims a path and its parents; returns the reason if that is impossible. */
  claim(parts: readonly string[], kind: 'file' | 'folder'): string | undefined {
    for (let length = 1; length < parts.length; length += 1) {
      const objection = this.#add(parts.slice(0, length), 'folder', false);
      if (objection !== undefined) {
        return objection;
      }
    }
    return this.#add(parts, kind, true);
  }

  #add(parts: readonly string[], kind: 'file' | 'folder', isEntry: boolean): string | undefined {
    const path = parts.join('/');
    const key = toFileNameKey(path);
    const known = this.#claims.get(key);
    if (known === undefined) {
      this.#claims.set(key, { path, kind, isEntry });
      return undefined;
    }
    if (known.path !== path) {
      return `it conflicts with '${known.path}' on file systems that do not distinguish the two names`;
    }
    if (known.kind !== kind) {
      return 'it is both a file and a folder';
    }
    if (known.isEntry && isEntry) {
      return 'it occurs twice';
    }
    if (isEntry) {
      this.#claims.set(key, { ...known, isEntry });
    }
    return undefined;
  }
}
