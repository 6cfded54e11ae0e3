/** Reads a backup from a file: its entries, its index, and objects by their hash. */
import { hash as computeHash, createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { findErrorCode } from '../problems/error-code.ts';
import { explainFileError } from '../problems/file-error.ts';
import {
  type BackupHeader,
  type BackupManifest,
  FORMAT,
  HEADER_ENTRY,
  INDEX_FOLDER,
  type IndexLine,
  listObjects,
  MANIFEST_ENTRY,
  OBJECT_FOLDER,
} from './format.ts';
import { parseIndexLine } from './index-lines.ts';
import {
  CHUNK_BYTES,
  type ChunkCipher,
  computePlainBytes,
  isSealed,
  locateChunk,
  openSealSync,
  SEAL_HEADER_BYTES,
} from './seal.ts';
import { BLOCK_BYTES, computePadding, decodeTarHeader, type TarEntry } from './tar.ts';

/** Entries that are read into memory are smaller: a part of the index has one megabyte. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

/** What makes a file unusable as a backup. The message completes "Cannot use FILE: ". */
export class UnusableBackup extends Error {
  override readonly name = 'UnusableBackup';
}

interface Location {
  readonly start: number;
  readonly bytes: number;
}

export interface OpenOptions {
  readonly passphrase?: string | undefined;
  /** Whether the hash of every object is checked, which reads the whole file. */
  readonly checksObjects: boolean;
}

/** An archive whose manifest and index are intact. */
export class BackupArchive {
  readonly id: string;
  readonly manifest: BackupManifest;
  readonly #bytes: RandomAccessBytes;
  readonly #objects: ReadonlyMap<string, Location>;
  readonly #index: readonly Location[];
  /** Objects whose content does not match their hash, if that was checked. */
  readonly #mismatched: ReadonlySet<string>;

  private constructor(bytes: RandomAccessBytes, found: ScannedEntries) {
    this.#bytes = bytes;
    this.#objects = found.objects;
    this.#index = found.index;
    this.#mismatched = found.mismatched;
    this.id = computeHash('sha256', found.manifest);
    this.manifest = parseManifest(found.manifest);
  }

  static open(file: string, options: OpenOptions): BackupArchive {
    const bytes = RandomAccessBytes.open(file, options.passphrase);
    try {
      const archive = new BackupArchive(bytes, scanEntries(bytes, options.checksObjects));
      archive.#checkIndex();
      archive.#checkDamage();
      return archive;
    } catch (error) {
      bytes.close();
      throw error;
    }
  }

  hasObject(hash: string): boolean {
    return this.#objects.has(hash);
  }

  /** Reads an object of this archive in pieces of at most one megabyte. */
  *readObject(hash: string): Generator<Buffer> {
    const found = this.#objects.get(hash);
    if (found === undefined) throw new UnusableBackup(`it lacks the object ${hash}`);
    yield* readPieces(this.#bytes, found);
  }

  *readLines(): Generator<IndexLine> {
    for (const { start, bytes } of this.#index) {
      const text = this.#bytes.read(start, bytes).toString();
      for (const part of text.split('\n')) {
        if (part === '') continue;
        const line = parseIndexLine(part);
        if (line === undefined) throw new UnusableBackup('its index has an invalid line');
        yield line;
      }
    }
  }

  /** Returns all objects that the index refers to, in this archive and in those before it. */
  listObjects(): ReadonlySet<string> {
    const hashes = new Set<string>();
    for (const line of this.readLines()) for (const hash of listObjects(line)) hashes.add(hash);
    return hashes;
  }

  /** Returns the paths of stored files that were damaged when the backup was made. */
  listDamaged(): readonly string[] {
    const paths: string[] = [];
    for (const line of this.readLines()) {
      if (line.kind === 'blob' && line.isDamaged) paths.push(`${line.shelf}/${line.hash.slice(0, 2)}/${line.hash}`);
    }
    return paths;
  }

  close(): void {
    this.#bytes.close();
  }

  /** Files that were damaged before the backup are listed in the index. */
  #checkDamage(): void {
    if (this.#mismatched.size === 0) return;
    const expected = new Set<string>();
    for (const line of this.readLines()) if (line.kind === 'blob' && line.isDamaged) expected.add(line.hash);
    for (const hash of this.#mismatched) {
      if (!expected.has(hash)) throw new UnusableBackup(`the object ${hash} is damaged`);
    }
  }

  #checkIndex(): void {
    const found = this.#index.map(({ start, bytes }) => computeHash('sha256', this.#bytes.read(start, bytes)));
    if (found.join() !== this.manifest.index.join()) throw new UnusableBackup('its index is damaged');
    for (const line of this.readLines()) {
      if (line.kind === 'head' && line.sequence !== this.manifest.position) {
        throw new UnusableBackup('its manifest and its index have different positions');
      }
    }
  }
}

function parseManifest(content: Buffer): BackupManifest {
  try {
    const manifest = JSON.parse(content.toString()) as BackupManifest;
    const { version, createdAt, since, position, index } = manifest;
    const texts: readonly unknown[] = [version, createdAt, since ?? '', ...index];
    if (Number.isSafeInteger(position) && texts.every((text) => typeof text === 'string')) return manifest;
  } catch {
    // Not a JSON object with these members.
  }
  throw new UnusableBackup('its manifest is damaged');
}

interface ScannedEntries {
  readonly manifest: Buffer;
  readonly objects: ReadonlyMap<string, Location>;
  readonly index: readonly Location[];
  readonly mismatched: ReadonlySet<string>;
}

function scanEntries(bytes: RandomAccessBytes, checksObjects: boolean): ScannedEntries {
  const objects = new Map<string, Location>();
  const index: Location[] = [];
  const mismatched = new Set<string>();
  let manifest: Buffer | undefined;
  let isFirst = true;
  for (const { name, location } of listEntries(bytes)) {
    if (isFirst) checkHeader(name === HEADER_ENTRY ? readDocument(bytes, location) : undefined);
    isFirst = false;
    if (name.startsWith(OBJECT_FOLDER)) {
      const hash = name.slice(OBJECT_FOLDER.length);
      // An intact copy can follow a damaged one.
      if (!checksObjects || computeObjectHash(bytes, location) === hash) mismatched.delete(hash);
      else mismatched.add(hash);
      objects.set(hash, location);
    } else if (name.startsWith(INDEX_FOLDER)) index.push(location);
    else if (name === MANIFEST_ENTRY) manifest = readDocument(bytes, location);
  }
  if (isFirst) checkHeader(undefined);
  if (manifest === undefined) throw new UnusableBackup('it is incomplete: it has no manifest');
  return { manifest, objects, index, mismatched };
}

function checkHeader(content: Buffer | undefined): void {
  const { format, version } = parseHeader(content);
  if (format === FORMAT) return;
  throw new UnusableBackup(
    `it has the format ${format}, which this version cannot read. Use version ${version} or later`,
  );
}

function parseHeader(content: Buffer | undefined): BackupHeader {
  try {
    const header = JSON.parse(content?.toString() ?? '') as BackupHeader;
    if (header.format.startsWith('graticule-backup/')) return header;
  } catch {
    // Some other tar archive.
  }
  throw new UnusableBackup('it is not a backup of Graticule');
}

function* listEntries(bytes: RandomAccessBytes): Generator<{ readonly name: string; readonly location: Location }> {
  let start = 0;
  while (start + BLOCK_BYTES <= bytes.size) {
    const entry = readEntry(bytes, start);
    if (entry === undefined) return;
    const location = { start: start + BLOCK_BYTES, bytes: entry.bytes };
    start = location.start + entry.bytes + computePadding(entry.bytes);
    if (start > bytes.size) throw new UnusableBackup('it is incomplete');
    yield { name: entry.name, location };
  }
}

function readEntry(bytes: RandomAccessBytes, start: number): TarEntry | undefined {
  const header = bytes.read(start, BLOCK_BYTES);
  try {
    return decodeTarHeader(header);
  } catch (error) {
    throw new UnusableBackup(
      start === 0 ? 'it is not a backup of Graticule' : error instanceof Error ? error.message : String(error),
    );
  }
}

function readDocument(bytes: RandomAccessBytes, location: Location): Buffer {
  if (location.bytes > MAX_DOCUMENT_BYTES) throw new UnusableBackup('an entry is too large');
  return bytes.read(location.start, location.bytes);
}

function* readPieces(bytes: RandomAccessBytes, { start, bytes: size }: Location): Generator<Buffer> {
  for (let done = 0; done < size; done += CHUNK_BYTES) {
    yield bytes.read(start + done, Math.min(CHUNK_BYTES, size - done));
  }
}

function computeObjectHash(bytes: RandomAccessBytes, location: Location): string {
  const hash = createHash('sha256');
  for (const piece of readPieces(bytes, location)) hash.update(piece);
  return hash.digest('hex');
}

function explainOpenError(error: unknown): string {
  return findErrorCode(error) === 'ENOENT' ? 'the file does not exist' : explainFileError(error);
}

/** The plain bytes of a file, which can be encrypted. */
class RandomAccessBytes {
  readonly size: number;
  readonly #descriptor: number;
  readonly #fileBytes: number;
  readonly #seal: ChunkCipher | undefined;
  #chunk: { readonly position: number; readonly plain: Buffer } | undefined;

  private constructor(descriptor: number, fileBytes: number, seal: ChunkCipher | undefined) {
    this.#descriptor = descriptor;
    this.#fileBytes = fileBytes;
    this.#seal = seal;
    this.size = seal === undefined ? fileBytes : computePlainBytes(fileBytes);
  }

  static open(file: string, passphrase: string | undefined): RandomAccessBytes {
    let descriptor: number;
    try {
      descriptor = openSync(file, 'r');
    } catch (error) {
      throw new UnusableBackup(explainOpenError(error));
    }
    try {
      const { size } = fstatSync(descriptor);
      const start = readExactly(descriptor, 0, Math.min(SEAL_HEADER_BYTES, size));
      if (!isSealed(start)) return new RandomAccessBytes(descriptor, size, undefined);
      if (passphrase === undefined) throw new UnusableBackup('it is encrypted. Set its passphrase');
      if (start.length < SEAL_HEADER_BYTES) throw new UnusableBackup('it is incomplete');
      return new RandomAccessBytes(descriptor, size, openSealSync(start, passphrase));
    } catch (error) {
      closeSync(descriptor);
      throw error instanceof UnusableBackup ? error : new UnusableBackup(explainFileError(error));
    }
  }

  read(start: number, bytes: number): Buffer {
    if (start + bytes > this.size) throw new UnusableBackup('it is incomplete');
    if (this.#seal === undefined) return readExactly(this.#descriptor, start, bytes);
    const result = Buffer.alloc(bytes);
    for (let done = 0; done < bytes; ) {
      const at = start + done;
      const plain = this.#decryptChunk(Math.floor(at / CHUNK_BYTES), this.#seal);
      done += plain.copy(result, done, at % CHUNK_BYTES);
    }
    return result;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #decryptChunk(position: number, seal: ChunkCipher): Buffer {
    if (this.#chunk?.position === position) return this.#chunk.plain;
    const { start, bytes } = locateChunk(position);
    const isLast = start + bytes >= this.#fileBytes;
    const sealed = readExactly(this.#descriptor, start, Math.min(bytes, this.#fileBytes - start));
    try {
      this.#chunk = { position, plain: seal.decrypt(sealed, position, isLast) };
    } catch (error) {
      throw new UnusableBackup(error instanceof Error ? error.message : String(error));
    }
    return this.#chunk.plain;
  }
}

function readExactly(descriptor: number, start: number, bytes: number): Buffer {
  const result = Buffer.alloc(bytes);
  for (let done = 0; done < bytes; ) {
    const read = readSync(descriptor, result, done, bytes - done, start + done);
    if (read === 0) throw new UnusableBackup('it is incomplete');
    done += read;
  }
  return result;
}
