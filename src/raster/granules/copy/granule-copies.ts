/** Copies the granules of all mosaics with all versions into an empty storage. */
import { existsSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { openConnectionsTo } from '../../../vector/postgis/connection/connections.ts';
import { runInTransaction } from '../database/access.ts';
import { closeDatabase, getDatabase } from '../embedded/database.ts';
import type { CopiedGranules } from './copied-granules.ts';
import { openDatabaseGranules } from './database-granules.ts';
import { openFileGranules } from './file-granules.ts';

/** A database file, or the schema of the shared database. */
export type GranuleLocation = { readonly file: string } | { readonly config: ClientConfig; readonly schema: string };

/** Returns the number of granules in all versions. Either all are copied, or nothing changes. */
export async function copyGranules(from: GranuleLocation, to: GranuleLocation): Promise<number> {
  return readGranules(from, (origin) => writeGranules(origin, to));
}

/** Reads one state; `origin` is undefined without granules. */
export async function readGranules<T>(
  from: GranuleLocation,
  work: (origin: GranuleReader | undefined) => Promise<T>,
): Promise<T> {
  // The file is created with the first granule.
  if ('file' in from && !existsSync(from.file)) return work(undefined);
  return withGranules(from, 'READ ONLY', work);
}

export type GranuleReader = Pick<CopiedGranules, 'listIndexes' | 'listVersions'>;

/** Replaces the granules of an empty storage. */
export async function writeGranules(origin: GranuleReader | undefined, to: GranuleLocation): Promise<number> {
  const indexes = (await origin?.listIndexes()) ?? [];
  if ('file' in to && indexes.length === 0) return 0;
  return withGranules(to, 'READ WRITE', async (destination) => {
    await destination.clear();
    await destination.addVersions((await origin?.listVersions()) ?? []);
    let count = 0;
    for (const index of indexes) {
      await destination.addIndex({
        ...index,
        readRows: async function* () {
          for await (const piece of index.readRows()) {
            count += piece.length;
            yield piece;
          }
        },
      });
    }
    return count;
  });
}

async function withGranules<T>(
  place: GranuleLocation,
  mode: 'READ ONLY' | 'READ WRITE',
  work: (granules: CopiedGranules) => Promise<T>,
): Promise<T> {
  if ('file' in place) {
    try {
      const granules = openFileGranules(place.file);
      // One state, also while a server is using the file.
      if (mode === 'READ ONLY') getDatabase(place.file).exec('BEGIN');
      return await work(granules);
    } finally {
      closeDatabase(place.file);
    }
  }
  const { config, schema } = place;
  const connections = openConnectionsTo({ config, maxConnections: 1, idleTimeoutMs: 1_000, shown: 'the storage' });
  try {
    const taken = await connections.acquire(new AbortController().signal);
    try {
      await taken.client.query('SET statement_timeout = 0');
      return await runInTransaction(taken.client, mode, () => work(openDatabaseGranules(taken.client, schema)));
    } finally {
      taken.release(true);
    }
  } finally {
    await connections.close();
  }
}
