/** The storage in PostgreSQL at one moment: one snapshot for rows, stored files and granules. */
import { join } from 'node:path';
import { readGranules } from '../../raster/granules/copy/granule-copies.ts';
import { openPostgresSource } from '../../storage/copy/postgres-storage.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import type { BackupSource } from './backup-source.ts';

export interface PostgresSourceOptions {
  readonly place: PostgresLocation;
  /** The directory of stored files that all nodes mount. */
  readonly blobs: string | undefined;
}

/** Files below the data directory of a node are copies, or belong to the operator. */
export async function openPostgresBackup({ place, blobs }: PostgresSourceOptions): Promise<BackupSource> {
  const rows = await openPostgresSource(place);
  return {
    rows,
    blobFolder: blobs === undefined ? undefined : (shelf) => join(blobs, shelf),
    // Versions of granules that are later than the snapshot are harmless.
    readGranules: (work) => readGranules({ config: place.config, schema: place.schema }, work),
    entries: [],
    close: () => rows.close(),
  };
}
