/** Granules of mosaics in the shared database: all nodes serve a harvest immediately. */
import type { ClientConfig, PoolClient } from 'pg';
import { type FilterRunner, inlineFilterRunner } from '../../../filter/run/filter-runner.ts';
import { type Connections, openConnectionsTo } from '../../../vector/postgis/connection/connections.ts';
import { createQueryRunner, queryRows, runInTransaction, withWriteLock } from '../database/access.ts';
import { createDatabaseIndex } from '../database/read-index.ts';
import { createSession } from '../database/session.ts';
import type { EmbeddedGranules, EmbeddedMosaicIndex, FindNeededVersions } from '../embedded/embedded-granules.ts';
import { NOT_REMOVED } from '../embedded/index-table.ts';
import { createKeyedLock, type KeyedLock } from '../port/keyed-lock.ts';
import { dropIndexTables, formatListTable, listIndexTables, type MosaicLocation } from './index-tables.ts';
import { createSharedIndexSource, createSharedTables } from './tables.ts';
import { beginVersion } from './versions.ts';

/** The connections of each node for mosaics; further readers wait. */
const MAX_CONNECTIONS = 6;
const IDLE_MS = 30_000;
const CONNECT_MS = 5_000;

/** The number of rows that are deleted per statement. */
const ROWS_PER_STEP = 5_000;

export interface SharedGranulesOptions {
  readonly config: ClientConfig;
  /** The schema of the storage, which contains the lists of indexes and versions. */
  readonly schema: string;
  readonly clock: () => number;
  /** Evaluates the part of a filter that SQL cannot express; on this thread if absent. */
  readonly filterRunner?: FilterRunner | undefined;
}

export function openSharedGranules(options: SharedGranulesOptions): EmbeddedGranules {
  const { config, schema } = options;
  const connections = openConnectionsTo({
    config: { ...config, application_name: 'graticule', connectionTimeoutMillis: CONNECT_MS, keepAlive: true },
    maxConnections: MAX_CONNECTIONS,
    idleTimeoutMs: IDLE_MS,
    shown: 'the storage',
  });
  const turns = createKeyedLock();
  return {
    openMosaic: (key) => createSharedMosaic(connections, turns, { schema, mosaic: key }, options),
    async collect(needed, signal) {
      const list = `SELECT DISTINCT mosaic FROM ${formatListTable({ schema }, 'versions')}`;
      for (const [mosaic] of await connections.withClient(signal, (client) => queryRows(client, list, []))) {
        signal.throwIfAborted();
        await collectMosaic({ connections, turns }, { schema, mosaic: mosaic ?? '' }, needed, signal);
      }
    },
    close: () => connections.close(),
  };
}

function createSharedMosaic(
  connections: Connections,
  turns: KeyedLock,
  place: MosaicLocation,
  { clock, filterRunner = inlineFilterRunner }: Pick<SharedGranulesOptions, 'clock' | 'filterRunner'>,
): EmbeddedMosaicIndex {
  const asker = createQueryRunner(connections);
  const turn = createLockOptions(connections, turns, place);
  return {
    open: (schema, version) =>
      createDatabaseIndex(asker, createSharedIndexSource(place, schema, version), filterRunner),
    has: (version) =>
      connections.withClient(AbortSignal.timeout(CONNECT_MS), async (client) => {
        const found = `SELECT 1 FROM ${formatListTable(place, 'versions')} WHERE mosaic = $1 AND version = $2`;
        return (await queryRows(client, found, [place.mosaic, String(version)])).length > 0;
      }),
    startWriting: (currentVersion, signal) =>
      createSession({
        ...turn,
        currentVersion,
        async begin(client, base) {
          const version = await beginVersion(client, place, base, clock());
          return { version, tables: createSharedTables(client, place, version) };
        },
        filterRunner,
        signal,
      }),
    drop: (signal) =>
      withWriteLock(turn, signal, (client) =>
        runInTransaction(client, 'READ WRITE', () => dropIndexTables(client, place)),
      ),
    // The connections are shared by all mosaics.
    close: async () => undefined,
  };
}

function createLockOptions(connections: Connections, turns: KeyedLock, { schema, mosaic }: MosaicLocation) {
  return { connections, turns, turn: `${schema} ${mosaic}` };
}

/**
 * Runs under the write lock, so that no committed version is without a reference in its record. Readers have their own
 * snapshots.
 */
function collectMosaic(
  { connections, turns }: { readonly connections: Connections; readonly turns: KeyedLock },
  place: MosaicLocation,
  needed: FindNeededVersions,
  signal: AbortSignal,
): Promise<void> {
  return withWriteLock(createLockOptions(connections, turns, place), signal, async (client) => {
    const list = formatListTable(place, 'versions');
    const rows = await queryRows(client, `SELECT version, made_at_ms FROM ${list} WHERE mosaic = $1 ORDER BY version`, [
      place.mosaic,
    ]);
    const versions = rows.map(([version, madeAtMs]) => ({ version: Number(version), madeAtMs: Number(madeAtMs) }));
    const kept = await needed(place.mosaic, versions);
    if (kept.length === 0) {
      await runInTransaction(client, 'READ WRITE', () => dropIndexTables(client, place));
      return;
    }
    const upTo = Math.max(...kept, ...versions.map(({ version }) => version));
    for (const { relation } of await listIndexTables(client, place)) {
      for (let isMore = true; isMore; ) {
        signal.throwIfAborted();
        isMore = await runInTransaction(client, 'READ WRITE', () => clearStep(client, relation, kept, upTo));
      }
    }
    // The highest number is needed to compute the next one.
    await runInTransaction(client, 'READ WRITE', () =>
      client.query(`DELETE FROM ${list} WHERE mosaic = $1 AND version < $2 AND version <> ALL ($3::bigint[])`, [
        place.mosaic,
        Math.max(...versions.map(({ version }) => version)),
        kept,
      ]),
    );
  });
}

/** Deletes some rows that are in none of these versions and in no later one. Returns whether there is more. */
async function clearStep(
  client: PoolClient,
  relation: string,
  kept: readonly number[],
  upTo: number,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM ${relation} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${relation} AS g
       WHERE until <= ${upTo + 1} AND until < ${NOT_REMOVED}
         AND NOT EXISTS (SELECT FROM unnest($1::bigint[]) AS kept WHERE kept >= since AND kept < until)
       LIMIT ${ROWS_PER_STEP}))`,
    [kept],
  );
  return rowCount === ROWS_PER_STEP;
}
