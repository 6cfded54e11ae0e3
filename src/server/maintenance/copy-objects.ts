/**
 * The object stores of `graticule storage copy`. The files of the target are uploaded before the rows are copied, each
 * with its row, so that a repeated copy continues an interrupted one.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realDisk } from '../../storage/blobs/disk.ts';
import { saveToFile } from '../../storage/blobs/save-to-file.ts';
import type { CopySource } from '../../storage/copy/tables.ts';
import type { ObjectStoreLocation } from '../../storage/objects/location.ts';
import type { ObjectStore } from '../../storage/objects/port.ts';
import { S3Store } from '../../storage/objects/s3-store.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import { bindObjectStore } from '../../storage/postgres/nodes/bind-object-store.ts';
import { countLiveNodes, isStorageEmpty } from '../../storage/postgres/nodes/move-objects.ts';
import { MAX_ROW_BYTES, ObjectBlobs } from '../../storage/postgres/nodes/object-blobs.ts';
import { readCredentials } from './object-credentials.ts';
import { migrateStorage } from './storage-locations.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export async function openObjects(location: ObjectStoreLocation, environment: Environment): Promise<ObjectStore> {
  return new S3Store({ location, credentials: await readCredentials(environment) });
}

/** Checks that the source uses this store. */
export async function openSourceObjects(
  place: PostgresLocation,
  location: ObjectStoreLocation,
  environment: Environment,
): Promise<ObjectStore> {
  const objects = await openObjects(location, environment);
  try {
    await migrateStorage({ kind: 'postgres', place, shown: place.shown });
    await bindObjectStore(place, objects);
    return objects;
  } catch (error) {
    objects.close();
    throw error;
  }
}

export interface UploadTarget {
  readonly place: PostgresLocation;
  readonly objects: ObjectStore;
}

/** Uploads the larger files of a source that the target lacks. */
export async function uploadFiles(
  source: Pick<CopySource, 'listBlobs' | 'read'>,
  { place, objects }: UploadTarget,
  report: (message: string) => void,
): Promise<void> {
  await migrateStorage({ kind: 'postgres', place, shown: place.shown });
  if ((await countLiveNodes(place)) > 0) throw new Error('nodes are using the database; stop every node first');
  if (!(await isStorageEmpty(place))) throw new Error('the database is not empty');
  await bindObjectStore(place, objects);
  const folder = await mkdtemp(join(tmpdir(), 'graticule-copy-'));
  const blobs = new ObjectBlobs({ location: place, shelf: 'blobs', clock: Date.now, objects });
  let [files, present] = [0, 0];
  try {
    for await (const { hash, bytes } of source.listBlobs('blobs')) {
      if (bytes === null || bytes <= MAX_ROW_BYTES) continue;
      if ((await blobs.getState(hash)) === 'present') {
        present += 1;
        continue;
      }
      const file = join(folder, randomUUID());
      try {
        if ((await saveToFile(source.read('blobs', hash), file)) !== hash) {
          throw new Error(`file ${hash} in blobs is damaged`);
        }
        await blobs.putFile(hash, file);
      } finally {
        await realDisk.removeFile(file);
      }
      files += 1;
    }
    report(`${objects.shown}: ${files} files uploaded, ${present} were present`);
  } finally {
    await blobs.close();
    await rm(folder, { recursive: true, force: true });
  }
}
