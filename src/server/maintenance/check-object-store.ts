/** Checks that an object store answers and belongs to the database. Nothing is written to it. */
import { explainFileError } from '../../lib/problems/file-error.ts';
import { S3Store } from '../../storage/objects/s3-store.ts';
import type { ObjectStoreOptions } from '../../storage/objects/send-request.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import { PostgresSession } from '../../storage/postgres/connection/session.ts';
import { findMismatch, MARK_KEY, readBoundStore } from '../../storage/postgres/nodes/bind-object-store.ts';
import { getCause } from '../storage/open-with-retry.ts';

export async function checkStore(place: PostgresLocation, options: ObjectStoreOptions): Promise<string> {
  const store = new S3Store(options);
  try {
    const mark = (await store.readSmall(MARK_KEY))?.toString('utf8');
    const mismatch = findMismatch(await readBound(place), mark, store.shown);
    if (mismatch !== undefined) throw new Error(mismatch);
    return mark === undefined
      ? `${store.shown} can be read. The first start will use it.`
      : `${store.shown} contains the files of this database.`;
  } catch (error) {
    throw new Error(`Cannot use --blobs: ${explainFileError(getCause(error))}`, { cause: error });
  } finally {
    store.close();
  }
}

async function readBound(place: PostgresLocation) {
  const session = await PostgresSession.open(place, 'reads');
  try {
    return await readBoundStore(session, place.schema);
  } finally {
    session.end();
  }
}
