/** Writes everything that a source contains into an archive. */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchiveWriter, WrittenBackup } from '../../lib/backup/archive-writer.ts';
import { type IndexLine, OBJECT_BYTES } from '../../lib/backup/format.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import type { GranuleReader } from '../../raster/granules/copy/granule-copies.ts';
import { isHash } from '../../storage/blobs/port.ts';
import { copiedTables, readCopiedRows, type Shelf, shelves } from '../../storage/copy/tables.ts';
import type { BackupSource, DirectoryEntry } from './backup-source.ts';
import { isListNote } from './object-lists.ts';

const NOTES = 'notes';

export async function writeBackup(source: BackupSource, writer: ArchiveWriter): Promise<WrittenBackup> {
  const head = await source.rows.readHead();
  writer.addLine({ kind: 'head', ...head });
  for (const table of copiedTables) {
    for await (const rows of readCopiedRows(source.rows, table)) {
      const kept = table.name === NOTES ? rows.filter(([name]) => !isListNote(String(name))) : rows;
      const object = writer.addObject(encodeLines(kept));
      writer.addLine({ kind: 'rows', table: table.name, rows: kept.length, object });
    }
  }
  await source.readGranules((origin) => writeGranules(origin, writer));
  for (const shelf of shelves) {
    if (source.blobFolder === undefined) await writeStreamedBlobs(source, shelf, writer);
    else writeBlobFiles(source.blobFolder(shelf), shelf, writer);
  }
  for (const entry of source.entries) if (entry.kind !== 'invalid name') writeEntry(entry, writer);
  return writer.end(head.sequence);
}

function encodeLines(rows: readonly unknown[]): Buffer {
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

async function writeGranules(origin: GranuleReader | undefined, writer: ArchiveWriter): Promise<void> {
  if (origin === undefined) return;
  writer.addLine({ kind: 'granule versions', object: writer.addObject(encodeLines(await origin.listVersions())) });
  for (const { mosaic, schema, readRows } of await origin.listIndexes()) {
    let isEmpty = true;
    for await (const rows of readRows()) {
      writer.addLine({ kind: 'granules', mosaic, schema, object: writer.addObject(encodeLines(rows)) });
      isEmpty = false;
    }
    if (isEmpty) writer.addLine({ kind: 'granules', mosaic, schema, object: writer.addObject(Buffer.alloc(0)) });
  }
}

/** One damaged file does not prevent the backup of all others. */
const damaged = { isDamaged: true } as const;

async function writeStreamedBlobs(source: BackupSource, shelf: Shelf, writer: ArchiveWriter): Promise<void> {
  for await (const { hash, bytes } of source.rows.listBlobs(shelf)) {
    const isIntact = bytes === null || (await writer.addStream(hash, bytes, source.rows.read(shelf, hash)));
    writer.addLine({ kind: 'blob', shelf, hash, bytes, ...(isIntact ? {} : damaged) });
  }
}

const PURGED = '.purged';

/** A file that was copied, and is hashed in another thread. */
interface UncheckedFile {
  readonly descriptor: number;
  readonly isIntact: () => boolean;
  readonly line: Extract<IndexLine, { readonly kind: 'blob' }>;
}

/** Enough for the hash threads to have the next file when they finish one. */
const MAX_UNCHECKED_FILES = 6;

/** Nothing is deleted while a backup runs, except what no record of its state refers to. */
function writeBlobFiles(folder: string, shelf: Shelf, writer: ArchiveWriter): void {
  const unchecked: UncheckedFile[] = [];
  for (const start of listNames(folder)) {
    const names = new Set(start.length === 2 ? listNames(join(folder, start)) : []);
    for (const name of names) {
      const hash = name.replace(PURGED, '');
      if (!isHash(hash)) continue;
      if (name !== hash) {
        if (!names.has(hash)) writer.addLine({ kind: 'blob', shelf, hash, bytes: null });
        continue;
      }
      const copied = copyBlobFile(join(folder, start, hash), { shelf, hash }, writer);
      if (copied !== undefined) unchecked.push(copied);
      if (unchecked.length > MAX_UNCHECKED_FILES) finishBlobFile(unchecked.shift(), writer);
    }
  }
  for (const copied of unchecked) finishBlobFile(copied, writer);
}

/** Returns undefined if the file was deleted since it was listed. */
function copyBlobFile(
  file: string,
  blob: { readonly shelf: Shelf; readonly hash: string },
  writer: ArchiveWriter,
): UncheckedFile | undefined {
  const descriptor = openFile(file);
  if (descriptor === undefined) return undefined;
  const { size: bytes } = fstatSync(descriptor);
  const isIntact = writer.addStoredFile(blob.hash, descriptor, bytes);
  return { descriptor, isIntact, line: { kind: 'blob', ...blob, bytes } };
}

/** If a file cannot be read, the backup fails, and the end of its thread closes the files that are open. */
function finishBlobFile(copied: UncheckedFile | undefined, writer: ArchiveWriter): void {
  if (copied === undefined) return;
  writer.addLine({ ...copied.line, ...(copied.isIntact() ? {} : damaged) });
  closeSync(copied.descriptor);
}

function writeEntry(entry: Exclude<DirectoryEntry, { readonly kind: 'invalid name' }>, writer: ArchiveWriter): void {
  if (entry.kind !== 'file') {
    writer.addLine(entry);
    return;
  }
  const descriptor = openFile(entry.file);
  // Deleted since it was listed.
  if (descriptor === undefined) return;
  try {
    const objects: string[] = [];
    for (;;) {
      const piece = readPiece(descriptor);
      if (piece.length > 0) objects.push(writer.addObject(piece));
      if (piece.length < OBJECT_BYTES) break;
    }
    writer.addLine({ kind: 'file', path: entry.path, objects });
  } finally {
    closeSync(descriptor);
  }
}

function readPiece(descriptor: number): Buffer {
  const piece = Buffer.allocUnsafe(OBJECT_BYTES);
  let done = 0;
  while (done < OBJECT_BYTES) {
    const read = readSync(descriptor, piece, done, OBJECT_BYTES - done, null);
    if (read === 0) break;
    done += read;
  }
  return piece.subarray(0, done);
}

function openFile(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
