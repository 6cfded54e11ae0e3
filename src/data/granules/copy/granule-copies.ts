/** Copies the granules of all mosaics, with all their versions, from one place that keeps them to an empty other one. */
import { existsSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { openConnectionsTo } from '../../vector/postgis/connections.ts';
import { inTransaction } from '../database/access.ts';
import type { CopiedGranules } from './copied-granules.ts';
import { granulesInDatabase } from './in-database.ts';
import { granulesInFile } from './in-file.ts';

/** A file of ours, or the schema of a database that nodes share. */
export type GranulesPlace = { readonly file: string } | { readonly config: ClientConfig; readonly schema: string };

/** Gives how many, in whichever versions. All of them are there afterwards, and nothing else, or nothing has changed. */
export async function copyGranules(from: GranulesPlace, to: GranulesPlace): Promise<number> {
  // A file is made with the first of them.
  if ('file' in from && !existsSync(from.file)) return copyIndexes(undefined, to);
  return within(from, 'READ ONLY', (origin) => copyIndexes(origin, to));
}

async function copyIndexes(origin: CopiedGranules | undefined, to: GranulesPlace): Promise<number> {
  const indexes = (await origin?.indexes()) ?? [];
  if ('file' in to && indexes.length === 0) return 0;
  return within(to, 'READ WRITE', async (destination) => {
    await destination.clear();
    await destination.addVersions((await origin?.versions()) ?? []);
    let count = 0;
    for (const index of indexes) {
      await destination.addIndex({
        ...index,
        rows: async function* () {
          for await (const piece of index.rows()) {
            count += piece.length;
            yield piece;
          }
        },
      });
    }
    return count;
  });
}

async function within<T>(
  place: GranulesPlace,
  mode: 'READ ONLY' | 'READ WRITE',
  work: (granules: CopiedGranules) => Promise<T>,
): Promise<T> {
  if ('file' in place) return work(granulesInFile(place.file));
  const { config, schema } = place;
  const connections = openConnectionsTo({ config, maxConnections: 1, idleTimeoutMs: 1_000, shown: 'the storage' });
  try {
    const taken = await connections.acquire(new AbortController().signal);
    try {
      await taken.client.query('SET statement_timeout = 0');
      return await inTransaction(taken.client, mode, () => work(granulesInDatabase(taken.client, schema)));
    } finally {
      taken.release(true);
    }
  } finally {
    await connections.close();
  }
}
