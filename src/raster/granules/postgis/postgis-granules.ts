/** Granules of mosaics in tables of a PostGIS database that the mosaic names. */
import { type FilterRunner, inlineFilterRunner } from '../../../filter/run/filter-runner.ts';
import { openConnections } from '../../../vector/postgis/connection/connections.ts';
import type { PostgisSettings } from '../../../vector/postgis/connection/parameters.ts';
import { createQueryRunner, runInTransaction, withWriteLock } from '../database/access.ts';
import { createDatabaseIndex } from '../database/read-index.ts';
import { createSession } from '../database/session.ts';
import { createKeyedLock } from '../port/keyed-lock.ts';
import type { MosaicIndex } from '../port/port.ts';
import { checkDatabase, dropGranuleTables, type TableLocation } from './granule-table.ts';
import { createPostgisIndexSource, createPostgisTables } from './tables.ts';

export interface PostgisMosaicIndex extends MosaicIndex {
  /** Throws a problem if the database is not reachable, or cannot store granules. */
  check(signal: AbortSignal): Promise<void>;
}

/** The locks of this process; other processes wait in the database. */
const turns = createKeyedLock();

/** Connects on first use. The key identifies the mosaic permanently and marks its tables. */
export function openPostgisGranules(
  settings: PostgisSettings,
  key: string,
  filterRunner: FilterRunner = inlineFilterRunner,
): PostgisMosaicIndex {
  const connections = openConnections(settings);
  const place: TableLocation = { schema: settings.schema, mosaic: key };
  const asker = createQueryRunner(connections);
  const turn = { connections, turns, turn: key };
  return {
    check: (signal) => connections.withClient(signal, (client) => checkDatabase(client, settings.schema)),
    open: (schema) => createDatabaseIndex(asker, createPostgisIndexSource(place, schema), filterRunner),
    startWriting: (currentVersion, signal) =>
      createSession({
        ...turn,
        currentVersion,
        begin: async (client, base) => ({ version: base + 1, tables: createPostgisTables(client, place) }),
        filterRunner,
        signal,
      }),
    // A running session may still create a table.
    drop: (signal) =>
      withWriteLock(turn, signal, (client) =>
        runInTransaction(client, 'READ WRITE', () => dropGranuleTables(client, place)),
      ),
    close: () => connections.close(),
  };
}
