/** Opens what everything is kept in: SQLite and folders of the data directory, or a PostgreSQL that several nodes share. */
import { join } from 'node:path';
import { type Files, openFiles } from '../records/files.ts';
import { type Disk, realDisk } from '../storage/files/disk.ts';
import type { KindRules, Storage } from '../storage/port.ts';
import type { PostgresPlace } from '../storage/postgres/place.ts';
import { openSqliteStorage } from '../storage/sqlite/open.ts';
import { DATABASE_FILE, unusable } from './data-directory.ts';
import { recordKinds } from './record-kinds.ts';
import type { Settings } from './settings.ts';

export interface StorageWorld {
  readonly clock: () => number;
  readonly disk?: Disk;
  readonly sync?: (descriptor: number) => Promise<void>;
  readonly further?: { readonly kinds: readonly KindRules[] };
}

/** Where the catalog and the files are. */
export interface OpenedStorage {
  readonly storage: Storage;
  readonly files: Files;
  /** Lets go of what the files need, once the storage is closed. */
  release(): Promise<void>;
}

export async function openStorage(settings: Settings, world: StorageWorld): Promise<OpenedStorage> {
  const kinds = [...recordKinds, ...(world.further?.kinds ?? [])];
  return settings.storage === undefined
    ? openInDirectory(settings.dataDir, kinds, world)
    : openInPostgres(settings.storage, kinds, settings.dataDir, world);
}

async function openInDirectory(
  directory: string,
  kinds: readonly KindRules[],
  { clock, sync, disk = realDisk }: StorageWorld,
): Promise<OpenedStorage> {
  const file = join(directory, DATABASE_FILE);
  try {
    const storage = await openSqliteStorage({ file, clock, kinds, ...(sync === undefined ? {} : { sync }) });
    return { storage, files: openFiles({ root: directory, disk }), release: async () => undefined };
  } catch (error) {
    throw unusable(`--data-dir holds '${file}', which cannot be opened`, error);
  }
}

/** What speaks to PostgreSQL is loaded only here. */
async function openInPostgres(
  place: PostgresPlace,
  kinds: readonly KindRules[],
  directory: string,
  { clock, disk = realDisk }: StorageWorld,
): Promise<OpenedStorage> {
  const { openPostgresStorage } = await import('../storage/postgres/open.ts');
  const { PostgresBlobs } = await import('../storage/postgres/blobs.ts');
  const opened: { close(): Promise<void> }[] = [];
  const shared = (shelf: string) => {
    const blobs = new PostgresBlobs({ place, shelf, clock });
    opened.push(blobs);
    return blobs;
  };
  try {
    const storage = await openPostgresStorage({ place, kinds });
    const release = async () => void (await Promise.all(opened.map((each) => each.close())));
    return { storage, files: openFiles({ root: directory, disk, shared }), release };
  } catch (error) {
    throw unusable(`--storage names ${place.shown}, which cannot be opened`, causeOf(error));
  }
}

/** The operator is told what the database says, which clients are not. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
