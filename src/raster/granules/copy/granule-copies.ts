/** Copies the granules of all mosaics, with all their versions, from one place that keeps them to an empty other one. */
import { existsSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { openConnectionsTo } from '../../../vector/postgis/connection/connections.ts';
import { runInTransaction } from '../database/access.ts';
import type { CopiedGranules } from './copied-granules.ts';
import { openDatabaseGranules } from './database-granules.ts';
import { openFileGranules } from './file-granules.ts';

/** A file of ours, or the schema of a database that nodes share. */
export type GranuleLocation = { readonly file: string } | { readonly config: ClientConfig; readonly schema: string };

/** Gives how many, in whichever versions. All of them are there afterwards, and nothing else, or nothing has changed. */
export async function copyGranules(from: GranuleLocation, to: GranuleLocation): Promise<number> {
  // A file is made with the first of them.
  if ('file' in from && !existsSync(from.file)) return copyIndexes(undefined, to);
  return withGranules(from, 'READ ONLY', (origin) => copyIndexes(origin, to));
}

async function copyIndexes(origin: CopiedGranules | undefined, to: GranuleLocation): Promise<number> {
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
  if ('file' in place) return work(openFileGranules(place.file));
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
