/** Granules of mosaics in tables of a PostGIS database that the mosaic names. */
import { openConnections } from '../../vector/postgis/connections.ts';
import type { PostgisSettings } from '../../vector/postgis/parameters.ts';
import { askerOf, endTurn, inTransaction, takeTurn } from '../database-access.ts';
import type { MosaicIndex } from '../port.ts';
import { createTurns } from '../turns.ts';
import { checkDatabase, dropGranuleTables, type TablePlace } from './granule-table.ts';
import { postgisIndex } from './postgis-index.ts';
import { createSession } from './session.ts';

export interface PostgisMosaicIndex extends MosaicIndex {
  /** A problem if the database cannot be reached, or could not keep granules. */
  check(signal: AbortSignal): Promise<void>;
}

/** Of those of this process; others wait in the database. */
const turns = createTurns();

/** Nothing is connected before something is asked. The key names the mosaic for good, and marks its tables. */
export function openPostgisGranules(settings: PostgisSettings, key: string): PostgisMosaicIndex {
  const connections = openConnections(settings);
  const place: TablePlace = { schema: settings.schema, mosaic: key };
  const asker = askerOf(connections);
  return {
    check: (signal) => connections.ask(signal, (client) => checkDatabase(client, settings.schema)),
    open: (schema) => postgisIndex(asker, place, schema),
    async startWriting(currentVersion, signal) {
      const leave = await turns.wait(key, signal);
      try {
        return await createSession({ connections, place, currentVersion, leave, signal });
      } catch (error) {
        leave();
        throw error;
      }
    },
    async drop(signal) {
      // Whoever is still writing may be about to make a table.
      const leave = await turns.wait(key, signal);
      try {
        const taken = await takeTurn(connections, key, signal);
        let isBroken = true;
        try {
          const { client } = taken;
          await inTransaction(client, 'READ WRITE', () => dropGranuleTables(client, place));
          isBroken = false;
        } catch (error) {
          throw connections.failure(error, signal);
        } finally {
          await endTurn(taken, key, isBroken);
        }
      } finally {
        leave();
      }
    },
    close: () => connections.close(),
  };
}
