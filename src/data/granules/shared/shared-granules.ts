/** Granules of mosaics in the database that several nodes share: what one of them harvests, all of them serve at once. */
import type { ClientConfig, PoolClient } from 'pg';
import { type FilterRunner, inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import { type Connections, openConnectionsTo } from '../../vector/postgis/connections.ts';
import { askerOf, inTransaction, inTurn, rowsOf } from '../database/access.ts';
import { databaseIndex } from '../database/read-index.ts';
import { createSession } from '../database/session.ts';
import type { EmbeddedGranules, EmbeddedMosaicIndex, NeededVersions } from '../embedded/embedded-granules.ts';
import { STILL_THERE } from '../embedded/index-table.ts';
import { createTurns, type Turns } from '../turns.ts';
import { dropIndexTables, indexTablesOf, listOf, type MosaicPlace } from './index-tables.ts';
import { sharedIndexPlace, sharedTables } from './tables.ts';
import { beginVersion } from './versions.ts';

/** Of each node, for mosaics alone; more readers wait. */
const MOST_CONNECTIONS = 6;
const IDLE_MS = 30_000;
const CONNECT_MS = 5_000;

/** Rows that are cleared away in one statement. */
const ROWS_A_STEP = 5_000;

export interface SharedGranulesOptions {
  readonly config: ClientConfig;
  /** With the tables of the storage, among which are the lists of indexes and versions. */
  readonly schema: string;
  readonly clock: () => number;
  /** Where the part of a filter is evaluated that SQL cannot say; on this thread where it is absent. */
  readonly filterRunner?: FilterRunner | undefined;
}

export function openSharedGranules(options: SharedGranulesOptions): EmbeddedGranules {
  const { config, schema } = options;
  const connections = openConnectionsTo({
    config: { ...config, application_name: 'graticule', connectionTimeoutMillis: CONNECT_MS, keepAlive: true },
    maxConnections: MOST_CONNECTIONS,
    idleTimeoutMs: IDLE_MS,
    shown: 'the storage',
  });
  const turns = createTurns();
  return {
    mosaic: (key) => sharedMosaic(connections, turns, { schema, mosaic: key }, options),
    async collect(needed, signal) {
      const list = `SELECT DISTINCT mosaic FROM ${listOf({ schema }, 'versions')}`;
      for (const [mosaic] of await connections.withClient(signal, (client) => rowsOf(client, list, []))) {
        signal.throwIfAborted();
        await collectMosaic(connections, turns, { schema, mosaic: mosaic ?? '' }, needed, signal);
      }
    },
    close: () => connections.close(),
  };
}

function sharedMosaic(
  connections: Connections,
  turns: Turns,
  place: MosaicPlace,
  { clock, filterRunner = inlineFilterRunner }: Pick<SharedGranulesOptions, 'clock' | 'filterRunner'>,
): EmbeddedMosaicIndex {
  const asker = askerOf(connections);
  const turn = turnOf(connections, turns, place);
  return {
    open: (schema, version) => databaseIndex(asker, sharedIndexPlace(place, schema, version), filterRunner),
    has: (version) =>
      connections.withClient(AbortSignal.timeout(CONNECT_MS), async (client) => {
        const found = `SELECT 1 FROM ${listOf(place, 'versions')} WHERE mosaic = $1 AND version = $2`;
        return (await rowsOf(client, found, [place.mosaic, String(version)])).length > 0;
      }),
    startWriting: (currentVersion, signal) =>
      createSession({
        ...turn,
        currentVersion,
        async begin(client, base) {
          const version = await beginVersion(client, place, base, clock());
          return { version, tables: sharedTables(client, place, version) };
        },
        filterRunner,
        signal,
      }),
    drop: (signal) =>
      inTurn(turn, signal, (client) => inTransaction(client, 'READ WRITE', () => dropIndexTables(client, place))),
    // The connections are those of all mosaics.
    close: async () => undefined,
  };
}

function turnOf(connections: Connections, turns: Turns, { schema, mosaic }: MosaicPlace) {
  return { connections, turns, turn: `${schema} ${mosaic}` };
}

/** In its turn, so that nobody has a version that is committed and that no record names yet. Who reads has a state of their own. */
function collectMosaic(
  connections: Connections,
  turns: Turns,
  place: MosaicPlace,
  needed: NeededVersions,
  signal: AbortSignal,
): Promise<void> {
  return inTurn(turnOf(connections, turns, place), signal, async (client) => {
    const list = listOf(place, 'versions');
    const rows = await rowsOf(client, `SELECT version, made_at_ms FROM ${list} WHERE mosaic = $1 ORDER BY version`, [
      place.mosaic,
    ]);
    const versions = rows.map(([version, madeAtMs]) => ({ version: Number(version), madeAtMs: Number(madeAtMs) }));
    const kept = await needed(place.mosaic, versions);
    if (kept.length === 0) {
      await inTransaction(client, 'READ WRITE', () => dropIndexTables(client, place));
      return;
    }
    const upTo = Math.max(...kept, ...versions.map(({ version }) => version));
    for (const { relation } of await indexTablesOf(client, place)) {
      for (let isMore = true; isMore; ) {
        signal.throwIfAborted();
        isMore = await inTransaction(client, 'READ WRITE', () => clearStep(client, relation, kept, upTo));
      }
    }
    // The last number of all is what the next one is counted from.
    await inTransaction(client, 'READ WRITE', () =>
      client.query(`DELETE FROM ${list} WHERE mosaic = $1 AND version < $2 AND version <> ALL ($3::bigint[])`, [
        place.mosaic,
        Math.max(...versions.map(({ version }) => version)),
        kept,
      ]),
    );
  });
}

/** Clears away some of what none of these versions shows, nor any later than the last; tells whether there is more. */
async function clearStep(
  client: PoolClient,
  relation: string,
  kept: readonly number[],
  upTo: number,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM ${relation} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${relation} AS g
       WHERE until <= ${upTo + 1} AND until < ${STILL_THERE}
         AND NOT EXISTS (SELECT FROM unnest($1::bigint[]) AS kept WHERE kept >= since AND kept < until)
       LIMIT ${ROWS_A_STEP}))`,
    [kept],
  );
  return rowCount === ROWS_A_STEP;
}
