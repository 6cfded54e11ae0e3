/** Writes a backup in a stream: objects as they are read, and parts of the index between them. */
import { hash as computeHash } from 'node:crypto';
import type { ChunkWriter } from './chunks.ts';
import {
  type BackupHeader,
  type BackupManifest,
  HEADER_ENTRY,
  INDEX_FOLDER,
  type IndexLine,
  MANIFEST_ENTRY,
  OBJECT_FOLDER,
} from './format.ts';
import { StoredFileChecks } from './stored-file-checks.ts';
import { BLOCK_BYTES, computePadding, encodeTarHeader } from './tar.ts';

/** A part of the index is written when it has this size. */
const INDEX_PART_CHARACTERS = 1024 * 1024;

const zeros = Buffer.alloc(2 * BLOCK_BYTES);

export interface WrittenBackup {
  /** The hash of the manifest, which identifies the backup. */
  readonly id: string;
  readonly manifest: BackupManifest;
}

/** What is known of earlier backups. */
export interface EarlierBackups {
  /** The short hashes of the objects of the base. */
  readonly base?: Uint8Array | undefined;
  readonly checks?: StoredFileChecks;
}

/** Half of a hash identifies an object of the base. */
const SHORT_HASH_BYTES = 16;

export class ArchiveWriter {
  readonly #out: ChunkWriter;
  readonly #header: BackupHeader;
  /** Objects of this archive; an entry needs about 100 bytes. */
  readonly #known = new Set<string>();
  readonly #inBase: ReadonlySet<string>;
  readonly #checks: StoredFileChecks;
  readonly #damaged: string[] = [];
  readonly #indexHashes: string[] = [];
  #lines: string[] = [];
  #lineCharacters = 0;
  #objects = 0;
  #bytes = 0;

  constructor(out: ChunkWriter, header: BackupHeader, { base, checks }: EarlierBackups = {}) {
    this.#out = out;
    this.#header = header;
    this.#inBase = new Set(splitShortHashes(base ?? new Uint8Array()));
    this.#checks = checks ?? new StoredFileChecks();
    this.#addEntry(HEADER_ENTRY, Buffer.from(JSON.stringify(header)));
  }

  /** Adds bytes in memory and returns their hash. */
  addObject(bytes: Uint8Array): string {
    const hash = computeHash('sha256', bytes);
    if (!this.#isNew(hash, bytes.length)) return hash;
    this.#addEntry(`${OBJECT_FOLDER}${hash}`, bytes);
    return hash;
  }

  /**
   * Adds a file that is stored under its hash. The returned function waits until the file is checked, and returns
   * whether it is intact. The file must stay open until then.
   */
  addStoredFile(hash: string, descriptor: number, bytes: number): () => boolean {
    if (!this.#isNewFile(hash, bytes)) return () => true;
    this.#out.write(encodeTarHeader({ name: `${OBJECT_FOLDER}${hash}`, bytes }));
    const check = this.#checks.startFile(hash, descriptor, bytes);
    this.#out.copyFile(descriptor, bytes, (part) => check.add(part));
    this.#out.write(zeros.subarray(0, computePadding(bytes)));
    return () => this.#recordCheck(hash, check.finish());
  }

  /** Adds an object of a known size and hash that arrives in pieces, and returns whether it is intact. */
  async addStream(hash: string, bytes: number, pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
    if (!this.#isNewFile(hash, bytes)) return true;
    this.#out.write(encodeTarHeader({ name: `${OBJECT_FOLDER}${hash}`, bytes }));
    const check = this.#checks.start(hash);
    let left = bytes;
    for await (const piece of pieces) {
      left -= piece.length;
      check.add(piece);
      this.#out.write(piece);
    }
    if (left !== 0) throw new Error(`the stored file ${hash} does not have the stated size`);
    this.#out.write(zeros.subarray(0, computePadding(bytes)));
    return this.#recordCheck(hash, check.finish());
  }

  /** The objects of the line must have been added. */
  addLine(line: IndexLine): void {
    const text = JSON.stringify(line);
    this.#lines.push(text);
    this.#lineCharacters += text.length;
    if (this.#lineCharacters >= INDEX_PART_CHARACTERS) this.#writeIndexPart();
  }

  end(position: number): WrittenBackup {
    if (this.#lines.length > 0) this.#writeIndexPart();
    const manifest: BackupManifest = {
      ...this.#header,
      position,
      objects: this.#objects,
      bytes: this.#bytes,
      index: this.#indexHashes,
    };
    const bytes = Buffer.from(JSON.stringify(manifest));
    this.#addEntry(MANIFEST_ENTRY, bytes);
    this.#out.write(zeros);
    this.#out.end();
    return { id: computeHash('sha256', bytes), manifest };
  }

  /** The hashes of stored files that are damaged. */
  get damaged(): readonly string[] {
    return this.#damaged;
  }

  /** Returns the beginnings of the hashes of all objects, also of those in the base. */
  listShortHashes(): Uint8Array {
    const all = Buffer.alloc(this.#known.size * SHORT_HASH_BYTES);
    let at = 0;
    for (const hash of this.#known) at += all.write(hash.slice(0, 2 * SHORT_HASH_BYTES), at, 'hex');
    return all;
  }

  #isNew(hash: string, bytes: number): boolean {
    if (this.#known.has(hash)) return false;
    this.#known.add(hash);
    if (this.#inBase.has(hash.slice(0, 2 * SHORT_HASH_BYTES))) return false;
    this.#objects += 1;
    this.#bytes += bytes;
    return true;
  }

  #isNewFile(hash: string, bytes: number): boolean {
    const isNew = this.#isNew(hash, bytes);
    if (!isNew) this.#checks.keep(hash);
    return isNew;
  }

  /** A damaged object is not known: a later backup contains it again, because it can have been repaired. */
  #recordCheck(hash: string, isIntact: boolean): boolean {
    if (isIntact) return true;
    this.#known.delete(hash);
    this.#damaged.push(hash);
    return false;
  }

  #writeIndexPart(): void {
    const bytes = Buffer.from(`${this.#lines.join('\n')}\n`);
    this.#indexHashes.push(computeHash('sha256', bytes));
    this.#addEntry(`${INDEX_FOLDER}${this.#indexHashes.length}.jsonl`, bytes);
    this.#lines = [];
    this.#lineCharacters = 0;
  }

  #addEntry(name: string, bytes: Uint8Array): void {
    this.#out.write(encodeTarHeader({ name, bytes: bytes.length }));
    this.#out.write(bytes);
    this.#out.write(zeros.subarray(0, computePadding(bytes.length)));
  }
}

function* splitShortHashes(hashes: Uint8Array): Generator<string> {
  const bytes = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength);
  for (let start = 0; start < bytes.length; start += SHORT_HASH_BYTES) {
    yield bytes.toString('hex', start, start + SHORT_HASH_BYTES);
  }
}
