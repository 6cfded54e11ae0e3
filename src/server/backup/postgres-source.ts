/** The storage in PostgreSQL at one moment: one snapshot for rows, stored files and granules. */
import { join } from 'node:path';
import { readGranules } from '../../raster/granules/copy/granule-copies.ts';
import { openPostgresSource } from '../../storage/copy/postgres-storage.ts';
import type { ObjectStoreOptions } from '../../storage/objects/send-request.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import type { BackupSource } from './backup-source.ts';

export interface PostgresSourceOptions {
  readonly place: PostgresLocation;
  /** The directory of stored files that all nodes mount. */
  readonly blobs: string | undefined;
  /** The object store with the larger stored files. */
  readonly objects?: ObjectStoreOptions | undefined;
}

/** Files below the data directory of a node are copies, or belong to the operator. */
export async function openPostgresBackup({ place, blobs, objects }: PostgresSourceOptions): Promise<BackupSource> {
  const store = objects && new (await import('../../storage/objects/s3-store.ts')).S3Store(objects);
  const rows = await openPostgresSource(place, store);
  return {
    rows,
    blobFolder: blobs === undefined ? undefined : (shelf) => join(blobs, shelf),
    // Versions of granules that are later than the snapshot are harmless.
    readGranules: (work) => readGranules({ config: place.config, schema: place.schema }, work),
    entries: [],
    async close() {
      await rows.close();
      store?.close();
    },
  };
}
