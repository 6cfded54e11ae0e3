/**
 * Checks that an object store belongs to this database: both have the same identifier. Another bucket or prefix would
 * lack the files, and that of another installation would be changed by two collectors.
 */
import { randomUUID } from 'node:crypto';
import { type ObjectStore, ObjectStoreFailure } from '../../objects/port.ts';
import { readTextColumn } from '../../port/columns.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { PostgresSession } from '../connection/session.ts';

/** The object with the identifier. */
export const MARK_KEY = 'graticule-storage';

/** Other nodes can bind the same store at the same time. */
const ATTEMPTS = 5;

export interface BoundStore {
  readonly id: string;
  /** Whether the store has the identifier. */
  readonly isMarked: boolean;
}

/** Returns undefined if the database was never used with an object store. */
export async function readBoundStore(session: PostgresSession, schema: string): Promise<BoundStore | undefined> {
  const exists = (await session.run(`SELECT to_regclass('${schema}.object_store') IS NOT NULL`)).at(-1)?.[0]?.[0];
  if (exists !== true) return undefined;
  const [row] = (await session.run('SELECT id, is_marked FROM object_store')).at(-1) ?? [];
  return row && { id: readTextColumn(row[0]), isMarked: row[1] === true };
}

/** Returns the problem of a store with this identifier. Changes nothing. */
export function findMismatch(
  bound: BoundStore | undefined,
  mark: string | undefined,
  shown: string,
): string | undefined {
  if (mark !== undefined && mark !== bound?.id) {
    return `${shown} contains the files of another installation. Use another prefix, or the database of that installation`;
  }
  if (mark === undefined && bound?.isMarked === true) {
    return `${shown} does not contain the files of the database. Set --blobs to the bucket and prefix that were used before`;
  }
  return undefined;
}

export const STORE_REQUIRED =
  'The database has files in an object store. Set --blobs to the address of the bucket, s3://…';

/** Called at the start of a node. Without a store, checks that none is required. */
export async function bindObjectStore(place: PostgresLocation, objects: ObjectStore | undefined): Promise<void> {
  const session = await PostgresSession.open(place, 'writes');
  try {
    if (objects !== undefined) await bind(session, place.schema, objects);
    else if ((await readBoundStore(session, place.schema)) !== undefined) throw new ObjectStoreFailure(STORE_REQUIRED);
  } finally {
    session.end();
  }
}

async function bind(session: PostgresSession, schema: string, objects: ObjectStore): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = await readMark(objects);
    // A mark of another installation is found before anything is stored.
    const bound = await readBoundStore(session, schema);
    // Another node may have written its mark in between.
    const mark = first === undefined && bound?.isMarked === true ? await readMark(objects) : first;
    if (isIncomplete(mark, bound)) {
      await objects.delete(MARK_KEY);
      continue;
    }
    const mismatch = findMismatch(bound, mark, objects.shown);
    if (mismatch !== undefined) throw new ObjectStoreFailure(mismatch);
    if (bound === undefined) {
      await session.run(
        `INSERT INTO object_store (id, is_marked) VALUES ('${randomUUID()}', false) ON CONFLICT DO NOTHING`,
      );
    } else if (mark === undefined) {
      await objects.create(MARK_KEY, Buffer.from(bound.id));
    } else {
      if (!bound.isMarked) await session.run('UPDATE object_store SET is_marked = true');
      return;
    }
  }
  throw new ObjectStoreFailure(`${objects.shown} does not return what was written to it`);
}

/** Some stores show an object before it has its bytes. */
async function readMark(objects: ObjectStore): Promise<string | undefined> {
  return (await objects.readSmall(MARK_KEY))?.toString('utf8') || undefined;
}

/** Whether a store has acknowledged only a part of the identifier. */
function isIncomplete(mark: string | undefined, bound: BoundStore | undefined): boolean {
  if (mark === undefined || bound === undefined || bound.isMarked) return false;
  return mark !== bound.id && bound.id.startsWith(mark);
}

export async function isStoreBound(place: PostgresLocation): Promise<boolean> {
  const session = await PostgresSession.open(place, 'writes');
  try {
    return (await readBoundStore(session, place.schema))?.isMarked === true;
  } finally {
    session.end();
  }
}

/** Called when the database has no object in the store any more. Nodes can then start without the store. */
export async function unbindObjectStore(place: PostgresLocation, objects: ObjectStore): Promise<void> {
  const session = await PostgresSession.open(place, 'writes');
  try {
    const used = await session.run(
      'SELECT EXISTS (SELECT FROM blobs WHERE object IS NOT NULL) OR EXISTS (SELECT FROM object_leftovers)',
    );
    if (used.at(-1)?.[0]?.[0] !== false) return;
    await objects.delete(MARK_KEY);
    await session.run('DELETE FROM object_store');
  } finally {
    session.end();
  }
}
