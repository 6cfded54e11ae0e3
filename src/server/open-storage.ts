/** Opens what everything is kept in: SQLite and folders of the data directory, or a PostgreSQL that several nodes share. */
import { join } from 'node:path';
import type { SharedAttempts } from '../lib/shared-attempts.ts';
import { type Files, openFiles } from '../records/files.ts';
import { type Claims, claimsOfOne } from '../storage/claims.ts';
import { type Disk, realDisk } from '../storage/files/disk.ts';
import type { KindRules, Storage } from '../storage/port.ts';
import type { PostgresPlace } from '../storage/postgres/place.ts';
import { openSqliteStorage } from '../storage/sqlite/open.ts';
import { DATABASE_FILE, unusable } from './data-directory.ts';
import { recordKinds } from './record-kinds.ts';
import type { Settings } from './settings.ts';

export interface StorageWorld {
  readonly clock: () => number;
  /** The time that all nodes agree on; that of their database, unless a test knows better. */
  readonly sharedClock?: () => number;
  readonly disk?: Disk;
  readonly sync?: (descriptor: number) => Promise<void>;
  readonly further?: { readonly kinds: readonly KindRules[] };
}

/** Where the catalog and the files are. */
export interface OpenedStorage {
  readonly storage: Storage;
  readonly files: Files;
  readonly claims: Claims;
  /** Where wrong passwords are counted by all nodes; without, by this one alone. */
  readonly attempts?: SharedAttempts;
  /** The time that all nodes agree on. */
  readonly clock: () => number;
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
    const files = openFiles({ root: directory, disk });
    return { storage, files, claims: claimsOfOne(), clock, release: async () => undefined };
  } catch (error) {
    throw unusable(`--data-dir holds '${file}', which cannot be opened`, error);
  }
}

/** What speaks to PostgreSQL is loaded only here. */
async function openInPostgres(
  place: PostgresPlace,
  kinds: readonly KindRules[],
  directory: string,
  { disk = realDisk, sharedClock }: StorageWorld,
): Promise<OpenedStorage> {
  const { openPostgresNode } = await import('../storage/postgres/open-node.ts');
  try {
    const { bytesOn, ...node } = await openPostgresNode(place, kinds, sharedClock);
    return { ...node, files: openFiles({ root: directory, disk, shared: bytesOn }) };
  } catch (error) {
    throw unusable(`--storage names ${place.shown}, which cannot be opened`, causeOf(error));
  }
}

/** The operator is told what the database says, which clients are not. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
