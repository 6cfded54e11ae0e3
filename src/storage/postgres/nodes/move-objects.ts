/**
 * Moves the bytes of blobs between pieces in PostgreSQL and an object store, one blob at a time. Each is complete in one
 * of the places at any moment, so an interrupted move is continued by repeating it.
 */
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { realDisk } from '../../blobs/disk.ts';
import { BlobMissing, type Hash } from '../../blobs/port.ts';
import { saveToFile } from '../../blobs/save-to-file.ts';
import type { ObjectStore } from '../../objects/port.ts';
import { readIntegerColumn, readTextColumn } from '../../port/columns.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { runInTransaction } from '../connection/run-in-transaction.ts';
import type { PostgresSession } from '../connection/session.ts';
import { PIECE_BYTES } from './blobs.ts';
import { MAX_ROW_BYTES, ObjectBlobs } from './object-blobs.ts';

const SHELF = 'blobs';
const LISTED_AT_ONCE = 500;

/** A server that reported within this time may be running. */
const ALIVE_MS = 20_000;

export interface MoveOptions {
  readonly location: PostgresLocation;
  readonly objects: ObjectStore;
  /** The folder of temporary files. */
  readonly folder: string;
}

export interface MoveReport {
  readonly files: number;
  readonly bytes: number;
  /** Files whose bytes do not match their hash or are missing. They stay where they are. */
  readonly damaged: readonly Hash[];
}

export async function countLiveNodes(location: PostgresLocation): Promise<number> {
  return runInTransaction(location, async (session) => {
    const results = await session.run(
      `SELECT count(*) FROM nodes WHERE seen_at_ms > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${ALIVE_MS}`,
    );
    return readIntegerColumn(results.at(-1)?.[0]?.[0]);
  });
}

/** Whether a migrated database has no records and no history. */
export async function isStorageEmpty(location: PostgresLocation): Promise<boolean> {
  return runInTransaction(location, async (session) => {
    const results = await session.run('SELECT (SELECT count(*) FROM records) + (SELECT count(*) FROM changes)');
    return readIntegerColumn(results.at(-1)?.[0]?.[0]) === 0;
  });
}

export function moveToObjects(options: MoveOptions): Promise<MoveReport> {
  return withBlobs(options, (blobs) =>
    moveAll(options, blobs, {
      condition: `object IS NULL AND bytes > ${MAX_ROW_BYTES}`,
      move: ({ hash, bytes }, file) => blobs.moveIn({ kind: 'file', file, bytes, hash }),
    }),
  );
}

/** No node may be running: it would store further files in the object store. */
export function moveToDatabase(options: MoveOptions): Promise<MoveReport> {
  return withBlobs(options, async (blobs) => {
    const report = await moveAll(options, blobs, {
      condition: 'object IS NOT NULL',
      move: ({ hash }, file) => blobs.moveOut(hash, (session) => insertPieces(session, hash, file)),
    });
    // Without nodes, every upload was interrupted.
    await runInTransaction(options.location, (session) => session.run('UPDATE object_leftovers SET is_deleted = true'));
    await blobs.collectLeftovers();
    return report;
  });
}

async function withBlobs<T>(options: MoveOptions, work: (blobs: ObjectBlobs) => Promise<T>): Promise<T> {
  const blobs = new ObjectBlobs({ ...options, shelf: SHELF, clock: Date.now });
  try {
    return await work(blobs);
  } finally {
    await blobs.close();
  }
}

interface ListedBlob {
  readonly hash: Hash;
  readonly bytes: number;
}

interface Direction {
  readonly condition: string;
  readonly move: (blob: ListedBlob, file: string) => Promise<void>;
}

async function moveAll(
  { location, folder }: MoveOptions,
  blobs: ObjectBlobs,
  { condition, move }: Direction,
): Promise<MoveReport> {
  const damaged: Hash[] = [];
  let [files, bytes] = [0, 0];
  for await (const blob of listBlobs(location, condition)) {
    const file = join(folder, randomUUID());
    try {
      if (await saveIntact(blobs, blob.hash, file)) {
        await move(blob, file);
        files += 1;
        bytes += blob.bytes;
      } else damaged.push(blob.hash);
    } finally {
      await realDisk.removeFile(file);
    }
  }
  return { files, bytes, damaged };
}

async function saveIntact(blobs: ObjectBlobs, hash: Hash, file: string): Promise<boolean> {
  try {
    return (await saveToFile(blobs.read(hash), file)) === hash;
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}

async function* listBlobs(location: PostgresLocation, condition: string): AsyncGenerator<ListedBlob> {
  for (let after = ''; ; ) {
    const rows = await runInTransaction(
      location,
      async (session) =>
        (
          await session.run(
            `SELECT hash, bytes FROM blobs WHERE shelf = '${SHELF}' AND hash > '${after}' AND ${condition}
             ORDER BY hash LIMIT ${LISTED_AT_ONCE}`,
          )
        ).at(-1) ?? [],
    );
    for (const [hash, bytes] of rows) yield { hash: readTextColumn(hash), bytes: readIntegerColumn(bytes) };
    if (rows.length < LISTED_AT_ONCE) return;
    after = readTextColumn(rows.at(-1)?.[0]);
  }
}

async function insertPieces(session: PostgresSession, hash: Hash, file: string): Promise<void> {
  const text = 'INSERT INTO blob_pieces (shelf, hash, n, bytes) VALUES ($1, $2, $3, $4)';
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    for (let n = 0; n * PIECE_BYTES < size; n += 1) {
      const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - n * PIECE_BYTES));
      await handle.read(piece, 0, piece.length, n * PIECE_BYTES);
      await session.query({ name: 'move_piece', text }, [SHELF, hash, n, piece]);
    }
  } finally {
    await handle.close();
  }
}
