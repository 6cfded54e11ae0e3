/**
 * Blobs in PostgreSQL tables, in pieces, visible to all nodes immediately. A blob is complete or absent, and one backup
 * contains it with the records that refer to it.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { SharedBytes } from '../../blobs/cached.ts';
import {
  BlobMissing,
  type BlobState,
  checkHash,
  type DeleteOptions,
  type Hash,
  type StoredBlob,
} from '../../blobs/port.ts';
import { readIntegerColumn } from '../../port/columns.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { runInTransaction } from '../connection/run-in-transaction.ts';
import { prepareStatement, type Row } from '../connection/statement.ts';

export const PIECE_BYTES = 1024 * 1024;

/** The number of pieces that are requested in advance. */
const PIECES_AHEAD = 3;

/** The page size of listings. */
const LISTED_AT_ONCE = 500;

const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const touch = prepareStatement(
  'touch_blob',
  `UPDATE blobs SET put_at_ms = ${nowMs} WHERE shelf = $1 AND hash = $2 AND bytes = $3 RETURNING 1`,
);
/** Pieces are selected from the inserted row, here and below: so they wait for the lock of a deletion. */
const putFirst = prepareStatement(
  'put_first_piece',
  `WITH blob AS (
     INSERT INTO blobs (shelf, hash, bytes, put_at_ms) VALUES ($1, $2, $3, ${nowMs})
     ON CONFLICT (shelf, hash) DO UPDATE SET bytes = excluded.bytes, put_at_ms = excluded.put_at_ms
     RETURNING shelf, hash)
   INSERT INTO blob_pieces (shelf, hash, n, bytes) SELECT shelf, hash, 0, $4 FROM blob ON CONFLICT DO NOTHING`,
);
const putPiece = prepareStatement(
  'put_piece',
  'INSERT INTO blob_pieces (shelf, hash, n, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
);
/** Rows are locked in hash order, here and below, which prevents deadlocks between nodes that store the same blobs. */
const touchAll = prepareStatement(
  'touch_blobs',
  `WITH known AS (
     SELECT hash FROM blobs JOIN unnest($2::text[], $3::bigint[]) AS given(hash, bytes) USING (hash, bytes)
     WHERE shelf = $1 ORDER BY hash FOR UPDATE OF blobs)
   UPDATE blobs SET put_at_ms = ${nowMs} FROM known WHERE blobs.shelf = $1 AND blobs.hash = known.hash
   RETURNING blobs.hash`,
);
const putAll = prepareStatement(
  'put_blobs',
  `WITH given AS (SELECT * FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS given(hash, start, bytes)),
   blob AS (
     INSERT INTO blobs (shelf, hash, bytes, put_at_ms) SELECT $1, hash, bytes, ${nowMs} FROM given ORDER BY hash
     ON CONFLICT (shelf, hash) DO UPDATE SET bytes = excluded.bytes, put_at_ms = excluded.put_at_ms
     RETURNING hash)
   INSERT INTO blob_pieces (shelf, hash, n, bytes)
   SELECT $1, hash, 0, substring($5::bytea FROM start::int + 1 FOR bytes::int) FROM blob JOIN given USING (hash)
   ON CONFLICT DO NOTHING`,
);
const find = prepareStatement('find_blob', 'SELECT bytes FROM blobs WHERE shelf = $1 AND hash = $2');
const selectPresent = prepareStatement(
  'present_blobs',
  'SELECT hash FROM blobs WHERE shelf = $1 AND hash = ANY ($2::text[]) AND bytes IS NOT NULL',
);
const readPiece = prepareStatement(
  'read_piece',
  'SELECT bytes FROM blob_pieces WHERE shelf = $1 AND hash = $2 AND n = $3',
);
const claim = prepareStatement(
  'claim_blob',
  `SELECT ${nowMs} - put_at_ms, bytes FROM blobs WHERE shelf = $1 AND hash = $2 AND bytes IS NOT NULL FOR UPDATE`,
);
const dropPieces = prepareStatement('drop_pieces', 'DELETE FROM blob_pieces WHERE shelf = $1 AND hash = $2');
const drop = prepareStatement('drop_blob', 'DELETE FROM blobs WHERE shelf = $1 AND hash = $2');
const purge = prepareStatement('purge_blob', 'UPDATE blobs SET bytes = NULL WHERE shelf = $1 AND hash = $2');
const list = prepareStatement(
  'list_blobs',
  `SELECT hash, ${nowMs} - put_at_ms, bytes FROM blobs WHERE shelf = $1 AND hash > $2 AND bytes IS NOT NULL
   ORDER BY hash LIMIT $3`,
);

export interface PostgresBlobsOptions {
  readonly location: PostgresLocation;
  /** Distinguishes these blobs from others in the same tables. */
  readonly shelf: string;
  /** Returned times use this clock, regardless of its offset from the clock of the database. */
  readonly clock: () => number;
}

export class PostgresBlobs implements SharedBytes {
  readonly #options: PostgresBlobsOptions;
  /** For short statements. */
  readonly #session: ReconnectingSession;

  constructor(options: PostgresBlobsOptions) {
    this.#options = options;
    this.#session = new ReconnectingSession(options.location);
  }

  async put(hash: Hash, bytes: Uint8Array): Promise<void> {
    await this.#put(hash, bytes.length, async (n) => bytes.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES));
  }

  async putAll(contents: ReadonlyMap<Hash, Uint8Array>): Promise<void> {
    const inOrder = [...contents].toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (const some of splitIntoGroups(inOrder)) await this.#putGroup(some);
  }

  async putFile(hash: Hash, file: string): Promise<void> {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      await this.#put(hash, size, async (n) => {
        const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - n * PIECE_BYTES));
        await handle.read(piece, 0, piece.length, n * PIECE_BYTES);
        return piece;
      });
    } finally {
      await handle.close();
    }
  }

  async getState(hash: Hash): Promise<BlobState> {
    const [row] = await this.#query(find, hash);
    if (row === undefined) return 'absent';
    return row[0] === null ? 'purged' : 'present';
  }

  async findSize(hash: Hash): Promise<number | undefined> {
    const [row] = await this.#query(find, hash);
    return row === undefined || row[0] === null ? undefined : readIntegerColumn(row[0]);
  }

  async findPresent(hashes: readonly Hash[]): Promise<ReadonlySet<Hash>> {
    const rows = await this.#session.query(selectPresent, [this.#options.shelf, hashes]);
    return new Set(rows.map(([hash]) => String(hash)));
  }

  async *read(hash: Hash): AsyncGenerator<Buffer> {
    const bytes = await this.findSize(hash);
    if (bytes === undefined) throw new BlobMissing(hash, await this.getState(hash));
    // The next pieces are requested while one is written.
    const requestPiece = (n: number) => (n < countPieces(bytes) ? this.#query(readPiece, hash, n) : undefined);
    const ahead = Array.from({ length: PIECES_AHEAD }, (_, n) => requestPiece(n));
    for (const each of ahead) each?.catch(() => undefined);
    for (let n = 0; n < countPieces(bytes); n += 1) {
      const [row] = (await ahead.shift()) ?? [];
      // Deleted in the meantime, or damaged.
      if (!Buffer.isBuffer(row?.[0])) throw new BlobMissing(hash, await this.getState(hash));
      const next = requestPiece(n + PIECES_AHEAD);
      next?.catch(() => undefined);
      ahead.push(next);
      yield row[0];
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

  /** Puts of the same bytes on any node wait for the decision. */
  async delete(hash: Hash, { purged, unless }: DeleteOptions): Promise<boolean> {
    checkHash(hash);
    const { shelf, clock } = this.#options;
    return runInTransaction(this.#options.location, async (session) => {
      const [row] = await session.query(claim, [shelf, hash]);
      if (row === undefined) return false;
      const putAtMs = clock() - readIntegerColumn(row[0]);
      if ((await unless?.({ hash, bytes: readIntegerColumn(row[1]), putAtMs, isHalfPurged: false })) === true)
        return false;
      await session.query(dropPieces, [shelf, hash]);
      await session.query(purged ? purge : drop, [shelf, hash]);
      return true;
    });
  }

  async *list(): AsyncGenerator<readonly StoredBlob[]> {
    const { shelf, clock } = this.#options;
    for (let after = ''; ; ) {
      const rows = await this.#session.query(list, [shelf, after, LISTED_AT_ONCE]);
      yield rows.map((row) => ({
        hash: String(row[0]),
        bytes: readIntegerColumn(row[2]),
        putAtMs: clock() - readIntegerColumn(row[1]),
        isHalfPurged: false,
      }));
      if (rows.length < LISTED_AT_ONCE) return;
      after = String(rows.at(-1)?.[0]);
    }
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  async #put(hash: Hash, bytes: number, pieceAt: (n: number) => Promise<Uint8Array>): Promise<void> {
    if ((await this.#query(touch, hash, bytes)).length > 0) return;
    const first = await pieceAt(0);
    const { shelf } = this.#options;
    if (countPieces(bytes) === 1) {
      await this.#query(putFirst, hash, bytes, first);
      return;
    }
    await runInTransaction(this.#options.location, async (session) => {
      await session.query(putFirst, [shelf, hash, bytes, first]);
      for (let n = 1; n < countPieces(bytes); n += 1) await session.query(putPiece, [shelf, hash, n, await pieceAt(n)]);
    });
  }

  /** Existing blobs are not sent again. */
  async #putGroup(contents: readonly BlobContent[]): Promise<void> {
    for (const [hash] of contents) checkHash(hash);
    const { shelf } = this.#options;
    const hashesAndSizes = [contents.map(([hash]) => hash), contents.map(([, { length }]) => length)];
    const known = new Set((await this.#session.query(touchAll, [shelf, ...hashesAndSizes])).map(([hash]) => hash));
    const missing = contents.filter(([hash]) => !known.has(hash));
    const [only] = missing;
    if (only === undefined) return;
    if (missing.length === 1) {
      await this.put(...only);
      return;
    }
    let end = 0;
    const starts = missing.map(([, { length }]) => {
      end += length;
      return end - length;
    });
    await this.#session.query(putAll, [
      shelf,
      missing.map(([hash]) => hash),
      starts,
      missing.map(([, { length }]) => length),
      Buffer.concat(missing.map(([, bytes]) => bytes)),
    ]);
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

/** An empty blob has one empty piece. */
function countPieces(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / PIECE_BYTES));
}

type BlobContent = readonly [hash: Hash, bytes: Uint8Array];

/** Groups blobs that fit into one piece; larger ones are on their own. */
function* splitIntoGroups(contents: readonly BlobContent[]): Generator<readonly BlobContent[]> {
  let group: BlobContent[] = [];
  let bytes = 0;
  for (const content of contents) {
    if (group.length > 0 && bytes + content[1].length > PIECE_BYTES) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(content);
    bytes += content[1].length;
  }
  if (group.length > 0) yield group;
}
