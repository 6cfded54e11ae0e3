/** Granules of mosaics in tables of a PostGIS database that the mosaic names. */
import type { PoolClient } from 'pg';
import { type Connections, openConnections } from '../../vector/postgis/connections.ts';
import type { PostgisSettings } from '../../vector/postgis/parameters.ts';
import type { MosaicIndex } from '../port.ts';
import { createTurns } from '../turns.ts';
import { checkDatabase, dropGranuleTables, type TablePlace } from './granule-table.ts';
import { type Asker, postgisIndex } from './postgis-index.ts';
import { createSession } from './session.ts';

export interface PostgisMosaicIndex extends MosaicIndex {
  /** A problem if the database cannot be reached, or could not keep granules. */
  check(signal: AbortSignal): Promise<void>;
}

/** Of one process: a table has no other writers that we know of. */
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
        return await createSession({ connections, place, base: await currentVersion(), leave, signal });
      } catch (error) {
        leave();
        throw error;
      }
    },
    async drop(signal) {
      // Whoever is still writing may be about to make a table.
      const leave = await turns.wait(key, signal);
      try {
        await connections.ask(signal, (client) =>
          inTransaction(client, 'READ WRITE', () => dropGranuleTables(client, place)),
        );
      } finally {
        leave();
      }
    },
    close: () => connections.close(),
  };
}

async function inTransaction<T>(client: PoolClient, mode: string, work: () => Promise<T>): Promise<T> {
  await client.query(`BEGIN ${mode}`);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function askerOf(connections: Connections): Asker {
  return {
    ask: (signal, work) => connections.ask(signal, work),
    async *during(signal, work) {
      const taken = await connections.take(signal);
      let isBroken = true;
      try {
        await taken.client.query('BEGIN READ ONLY');
        const items = work(taken.client);
        for (;;) {
          const { done, value } = await taken.unlessAborted(items.next());
          if (done === true) break;
          yield value;
        }
        await taken.client.query('COMMIT');
        isBroken = false;
      } catch (error) {
        throw connections.failure(error, signal);
      } finally {
        // A reading that stopped early leaves an open transaction: such a connection is not worth being tidied up.
        taken.release(isBroken);
      }
    },
  };
}
