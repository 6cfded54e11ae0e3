/**
 * Blobs in an object store, with their keys in PostgreSQL. A blob exists if its row does: the store is never listed, and
 * each upload has its own key, so that no upload replaces or revives the object of another. An object that no row names
 * is noted in `object_leftovers` before its upload and after its deletion, so that a crash leaves no unknown objects.
 */
import { createHash, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { allSettled } from '../../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../../lib/async/concurrency-limiter.ts';
import type { SharedBytes } from '../../blobs/cached.ts';
import {
  BlobMissing,
  type BlobState,
  checkHash,
  type DeleteOptions,
  type Hash,
  type IncomingBlob,
  type StoredBlob,
} from '../../blobs/port.ts';
import { PartMemory } from '../../objects/part-memory.ts';
import { type ObjectContent, ObjectMissing, type ObjectStore } from '../../objects/port.ts';
import { readIntegerColumn, readTextColumn } from '../../port/columns.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { runInTransaction } from '../connection/run-in-transaction.ts';
import type { PostgresSession } from '../connection/session.ts';
import { prepareStatement, type Row } from '../connection/statement.ts';
import { PostgresBlobs } from './blobs.ts';
import { IncomingObject } from './incoming-object.ts';

/** Smaller blobs are in the database, where many of them are stored at once: a request for each would take longer. */
export const MAX_ROW_BYTES = 65_536;

/** The number of concurrent uploads of one operation. */
const UPLOADS_AT_ONCE = 4;

/** Older uploads belong to dead nodes. No upload may take longer. */
const MAX_UPLOAD_INTERVAL = `interval '1 day'`;

const LEFTOVERS_AT_ONCE = 100;

/** The memory for parts of files that are received, of all uploads together: 32 MB. */
const MAX_PARTS_IN_MEMORY = 4;

/** Of an object whose upload began before its file was complete. */
const UNKNOWN_HASH = '';

const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const findObject = prepareStatement('find_object', 'SELECT bytes, object FROM blobs WHERE shelf = $1 AND hash = $2');
const touchObject = prepareStatement(
  'touch_object',
  `UPDATE blobs SET put_at_ms = ${nowMs} WHERE shelf = $1 AND hash = $2 AND bytes = $3 RETURNING 1`,
);
const beginUpload = prepareStatement(
  'begin_object',
  `INSERT INTO object_leftovers (shelf, hash, object, is_deleted, created_at)
   VALUES ($1, $2, $3, false, clock_timestamp())`,
);
const noteUpload = prepareStatement('note_object_upload', 'UPDATE object_leftovers SET upload = $2 WHERE object = $1');
const lockBlob = prepareStatement(
  'lock_object_blob',
  'SELECT bytes, object FROM blobs WHERE shelf = $1 AND hash = $2 FOR UPDATE',
);
/** The collector may have taken an upload for that of a dead node. */
const claimUpload = prepareStatement(
  'claim_object',
  'DELETE FROM object_leftovers WHERE object = $1 AND NOT is_deleted RETURNING 1',
);
const putObject = prepareStatement(
  'put_object',
  `INSERT INTO blobs (shelf, hash, bytes, put_at_ms, object) VALUES ($1, $2, $3, ${nowMs}, $4)
   ON CONFLICT (shelf, hash) DO UPDATE SET put_at_ms = excluded.put_at_ms, bytes = excluded.bytes,
     object = CASE WHEN blobs.bytes = excluded.bytes THEN coalesce(blobs.object, excluded.object) ELSE excluded.object END
   RETURNING object`,
);
const forgetObject = prepareStatement(
  'forget_blob_object',
  'UPDATE blobs SET object = NULL WHERE shelf = $1 AND hash = $2',
);
const noteDeleted = prepareStatement(
  'note_deleted_object',
  `INSERT INTO object_leftovers (shelf, hash, object, is_deleted, created_at)
   VALUES ($1, $2, $3, true, clock_timestamp())
   ON CONFLICT (object) DO UPDATE SET is_deleted = true, hash = excluded.hash`,
);
const claim = prepareStatement(
  'claim_object_blob',
  `SELECT ${nowMs} - put_at_ms, bytes, object FROM blobs
   WHERE shelf = $1 AND hash = $2 AND bytes IS NOT NULL FOR UPDATE`,
);
const dropPieces = prepareStatement('drop_object_pieces', 'DELETE FROM blob_pieces WHERE shelf = $1 AND hash = $2');
const dropBlob = prepareStatement('drop_object_blob', 'DELETE FROM blobs WHERE shelf = $1 AND hash = $2');
const purgeBlob = prepareStatement(
  'purge_object_blob',
  'UPDATE blobs SET bytes = NULL, object = NULL WHERE shelf = $1 AND hash = $2',
);
const listDeleted = prepareStatement(
  'list_deleted_objects',
  'SELECT object, upload FROM object_leftovers WHERE shelf = $1 AND hash = $2 AND is_deleted',
);
/** An upload that is taken for a dead one cannot be completed any more. */
const takeLeftovers = prepareStatement(
  'take_object_leftovers',
  `UPDATE object_leftovers SET is_deleted = true WHERE object IN (
     SELECT object FROM object_leftovers
     WHERE shelf = $1 AND (is_deleted OR created_at < clock_timestamp() - ${MAX_UPLOAD_INTERVAL}) LIMIT $2)
   RETURNING object, upload`,
);
const forgetLeftover = prepareStatement('forget_object', 'DELETE FROM object_leftovers WHERE object = $1');

export interface ObjectBlobsOptions {
  readonly location: PostgresLocation;
  readonly shelf: string;
  readonly clock: () => number;
  readonly objects: ObjectStore;
}

interface UploadedObject {
  readonly hash: Hash;
  readonly bytes: number;
  readonly object: string;
  /** Whether a blob that was deleted in the meantime stays deleted. */
  readonly mustExist: boolean;
}

export class ObjectBlobs implements SharedBytes {
  readonly #options: ObjectBlobsOptions;
  /** Small blobs, and those that were stored before the object store was used. */
  readonly #rows: PostgresBlobs;
  readonly #session: ReconnectingSession;
  readonly #memory: PartMemory;

  constructor(options: ObjectBlobsOptions) {
    this.#options = options;
    this.#rows = new PostgresBlobs(options);
    this.#session = new ReconnectingSession(options.location);
    this.#memory = new PartMemory(options.objects.partBytes, MAX_PARTS_IN_MEMORY);
  }

  async put(hash: Hash, bytes: Uint8Array): Promise<void> {
    if (bytes.length <= MAX_ROW_BYTES) await this.#rows.put(hash, bytes);
    else await this.#put({ kind: 'bytes', bytes, hash }, bytes.length);
  }

  async putAll(contents: ReadonlyMap<Hash, Uint8Array>): Promise<void> {
    const isSmall = ([, { length }]: readonly [Hash, Uint8Array]) => length <= MAX_ROW_BYTES;
    const atOnce = createConcurrencyLimiter(UPLOADS_AT_ONCE);
    await allSettled([
      this.#rows.putAll(new Map([...contents].filter(isSmall))),
      ...[...contents].filter((each) => !isSmall(each)).map((each) => atOnce(() => this.put(...each))),
    ]);
  }

  async putFile(hash: Hash, file: string, incoming?: IncomingBlob): Promise<void> {
    const { size } = await stat(file);
    if (size <= MAX_ROW_BYTES) await this.#rows.putFile(hash, file);
    else if (await this.#touch(hash, size)) return;
    else if (incoming instanceof IncomingObject && (await incoming.complete())) {
      await this.#useObject({ hash, bytes: size, object: incoming.object, mustExist: false });
    } else await this.#upload({ kind: 'file', file, bytes: size, hash }, size, { mustExist: false });
  }

  follow(file: string, isStorable: () => Promise<boolean>): IncomingBlob {
    const { shelf, objects } = this.#options;
    const id = randomUUID();
    const object = `${shelf}/${id.slice(0, 2)}/${id}`;
    const { partBytes, maxParts } = objects;
    return new IncomingObject({
      ...{ object, file, partBytes, maxParts, memory: this.#memory, isStorable },
      begin: async () => {
        await this.#session.query(beginUpload, [shelf, UNKNOWN_HASH, object]);
        const upload = await objects.beginParts(object);
        try {
          await this.#session.query(noteUpload, [object, upload.uploadId]);
          return upload;
        } catch (error) {
          await objects.abortUpload(object, upload.uploadId).catch(() => undefined);
          throw error;
        }
      },
      remove: async (uploadId, hasFailed) => {
        if (hasFailed) {
          // The note of the upload stays: a request that timed out can still arrive at the store.
          await objects.abortUpload(object, uploadId);
          await objects.delete(object);
          return;
        }
        await this.#session.query(noteDeleted, [shelf, UNKNOWN_HASH, object]);
        await this.#removeObject(object, uploadId);
      },
    });
  }

  getState(hash: Hash): Promise<BlobState> {
    return this.#rows.getState(hash);
  }

  findSize(hash: Hash): Promise<number | undefined> {
    return this.#rows.findSize(hash);
  }

  findPresent(hashes: readonly Hash[]): Promise<ReadonlySet<Hash>> {
    return this.#rows.findPresent(hashes);
  }

  list(): AsyncIterable<readonly StoredBlob[]> {
    return this.#rows.list();
  }

  async *read(hash: Hash): AsyncGenerator<Uint8Array> {
    const [row] = await this.#query(findObject, hash);
    const [bytes, object] = row ?? [];
    if (typeof object !== 'string') {
      yield* this.#rows.read(hash);
      return;
    }
    try {
      yield* this.#options.objects.read(object, readIntegerColumn(bytes));
    } catch (error) {
      // Deleted in the meantime, or lost.
      throw error instanceof ObjectMissing ? new BlobMissing(hash, await this.#findMissingState(hash)) : error;
    }
  }

  async isIntact(hash: Hash): Promise<boolean> {
    const found = createHash('sha256');
    try {
      for await (const piece of this.read(hash)) found.update(piece);
    } catch (error) {
      if (error instanceof BlobMissing) return false;
      throw error;
    }
    return found.digest('hex') === hash;
  }

  /** The row is deleted first: a row without an object would make a later put believe that the bytes exist. */
  async delete(hash: Hash, { purged, unless }: DeleteOptions): Promise<boolean> {
    checkHash(hash);
    const { shelf, clock } = this.#options;
    const isGone = await runInTransaction(this.#options.location, async (session) => {
      const [row] = await session.query(claim, [shelf, hash]);
      if (row === undefined) return false;
      const [ageMs, bytes, object] = row;
      const now = { hash, bytes: readIntegerColumn(bytes), putAtMs: clock() - readIntegerColumn(ageMs) };
      if ((await unless?.({ ...now, isHalfPurged: false })) === true) return false;
      if (typeof object === 'string') await session.query(noteDeleted, [shelf, hash, object]);
      await session.query(dropPieces, [shelf, hash]);
      await session.query(purged ? purgeBlob : dropBlob, [shelf, hash]);
      return true;
    });
    // Also objects of an earlier deletion that failed at this point.
    await this.#removeObjects(await this.#query(listDeleted, hash));
    return isGone;
  }

  /** Deletes objects of interrupted uploads and deletions; returns their number. */
  async collectLeftovers(signal?: AbortSignal): Promise<number> {
    for (let count = 0; ; ) {
      signal?.throwIfAborted();
      const leftovers = await this.#session.query(takeLeftovers, [this.#options.shelf, LEFTOVERS_AT_ONCE]);
      await this.#removeObjects(leftovers);
      count += leftovers.length;
      if (leftovers.length < LEFTOVERS_AT_ONCE) return count;
    }
  }

  async close(): Promise<void> {
    await allSettled([this.#rows.close(), this.#session.close()]);
  }

  /** Stores the bytes of an existing blob, which are in pieces, as an object. */
  async moveIn(content: ObjectContent & { readonly kind: 'file' }): Promise<void> {
    await this.#upload(content, content.bytes, { mustExist: true });
  }

  /** `insertPieces` stores the bytes of a blob in pieces. */
  async moveOut(hash: Hash, insertPieces: (session: PostgresSession) => Promise<void>): Promise<void> {
    const { shelf, location } = this.#options;
    await runInTransaction(location, async (session) => {
      const [[, object] = []] = await session.query(lockBlob, [shelf, hash]);
      // Deleted in the meantime.
      if (typeof object !== 'string') return;
      await insertPieces(session);
      await session.query(forgetObject, [shelf, hash]);
      await session.query(noteDeleted, [shelf, hash, object]);
    });
    await this.#removeObjects(await this.#query(listDeleted, hash));
  }

  async #put(content: ObjectContent, bytes: number): Promise<void> {
    if (!(await this.#touch(content.hash, bytes))) await this.#upload(content, bytes, { mustExist: false });
  }

  /** Returns whether the blob exists. */
  async #touch(hash: Hash, bytes: number): Promise<boolean> {
    return (await this.#query(touchObject, hash, bytes)).length > 0;
  }

  async #upload(content: ObjectContent, bytes: number, { mustExist }: { readonly mustExist: boolean }): Promise<void> {
    const { hash } = content;
    const { shelf, objects } = this.#options;
    const object = `${shelf}/${hash.slice(0, 2)}/${hash}-${randomUUID()}`;
    await this.#query(beginUpload, hash, object);
    try {
      await objects.put(object, content, {
        onUpload: async (upload) => void (await this.#session.query(noteUpload, [object, upload])),
      });
    } catch (error) {
      // The note of the upload stays: a request that timed out can still arrive at the store.
      await objects.delete(object).catch(() => undefined);
      throw error;
    }
    await this.#useObject({ hash, bytes, object, mustExist });
  }

  async #useObject(uploaded: UploadedObject): Promise<void> {
    const isUsed = await runInTransaction(this.#options.location, (session) => this.#nameObject(session, uploaded));
    if (!isUsed) await this.#removeObjects([[uploaded.object, null]]).catch(() => undefined);
  }

  /** Returns false if the object is not needed: another node stored the bytes, or a blob to move was deleted. */
  async #nameObject(session: PostgresSession, { hash, bytes, object, mustExist }: UploadedObject): Promise<boolean> {
    const { shelf } = this.#options;
    const [[stored, former] = []] = await session.query(lockBlob, [shelf, hash]);
    if (mustExist && typeof stored !== 'number') {
      await session.query(noteDeleted, [shelf, hash, object]);
      return false;
    }
    const [[named] = []] = await session.query(putObject, [shelf, hash, bytes, object]);
    if (named !== object) {
      await session.query(noteDeleted, [shelf, hash, object]);
      return false;
    }
    if ((await session.query(claimUpload, [object])).length === 0) {
      throw new Error('An upload to the object store took longer than a day.');
    }
    // Bytes of another size are damaged.
    if (typeof former === 'string') await session.query(noteDeleted, [shelf, hash, former]);
    await session.query(dropPieces, [shelf, hash]);
    return true;
  }

  async #removeObjects(leftovers: readonly Row[]): Promise<void> {
    const atOnce = createConcurrencyLimiter(UPLOADS_AT_ONCE);
    await allSettled(
      leftovers.map(([object, upload]) => atOnce(() => this.#removeObject(readTextColumn(object), upload))),
    );
  }

  async #removeObject(object: string, upload: unknown): Promise<void> {
    const { objects } = this.#options;
    if (typeof upload === 'string') await objects.abortUpload(object, upload);
    await objects.delete(object);
    await this.#session.query(forgetLeftover, [object]);
  }

  async #findMissingState(hash: Hash): Promise<BlobState> {
    const state = await this.getState(hash);
    return state === 'present' ? 'absent' : state;
  }

  async #query(
    statement: ReturnType<typeof prepareStatement>,
    hash: Hash,
    ...values: readonly unknown[]
  ): Promise<readonly Row[]> {
    checkHash(hash);
    return this.#session.query(statement, [this.#options.shelf, hash, ...values]);
  }
}
