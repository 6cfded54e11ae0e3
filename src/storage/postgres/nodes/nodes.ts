/** Nodes report themselves in a shared table periodically. A node without a recent report counts as gone. */

import type { NodeEntry, NodeReport, Nodes } from '../../nodes/nodes.ts';
import { readIntegerColumn, readTextColumn } from '../../port/columns.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { prepareStatement } from '../connection/statement.ts';

/** The heartbeat interval. */
const HEARTBEAT_MS = 5_000;
/** The time after which a node counts as gone: some heartbeats may be late. */
const ALIVE_MS = 20_000;
/** The time for which a node stays in the table. */
const NODE_RETENTION_MS = 86_400_000;

const upsertNode = prepareStatement(
  'tell_of_node',
  `INSERT INTO nodes (id, name, version, started_at_ms, seen_at_ms, position, clock_ahead_ms, cache_bytes, cache_limit_bytes)
   SELECT $1, $2, $3, now_ms - $4::bigint, now_ms, $5, $6::bigint - now_ms, $7, $8
   FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) AS clock
   ON CONFLICT (id) DO UPDATE SET seen_at_ms = excluded.seen_at_ms, position = excluded.position,
     clock_ahead_ms = excluded.clock_ahead_ms, cache_bytes = excluded.cache_bytes`,
);
const deleteExpiredNodes = prepareStatement(
  'forget_nodes',
  `DELETE FROM nodes WHERE seen_at_ms < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${NODE_RETENTION_MS}`,
);
const deleteNode = prepareStatement('forget_node', 'DELETE FROM nodes WHERE id = $1');
const listNodes = prepareStatement(
  'list_nodes',
  `SELECT id, name, version, started_at_ms, seen_at_ms, position, clock_ahead_ms, cache_bytes, cache_limit_bytes,
     seen_at_ms > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${ALIVE_MS}
   FROM nodes ORDER BY name, started_at_ms, id`,
);
const hasUnawaitedStandbys = prepareStatement(
  'unawaited_standbys',
  `SELECT EXISTS (SELECT FROM pg_stat_replication) AND current_setting('synchronous_standby_names') = ''`,
);

export interface PostgresNodesOptions {
  readonly location: PostgresLocation;
  /** Unique for each start of each node. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
}

export class PostgresNodes implements Nodes {
  readonly isShared = true;
  readonly here: string;
  readonly #options: PostgresNodesOptions;
  readonly #session: ReconnectingSession;
  readonly #startedMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #heartbeat: Promise<void> = Promise.resolve();

  constructor(options: PostgresNodesOptions) {
    this.#options = options;
    this.here = options.id;
    this.#session = new ReconnectingSession(options.location);
  }

  /**
   * Starts the heartbeat with the results of `report`. If the database is not reachable, the next heartbeat retries.
   */
  async begin(report: () => NodeReport): Promise<void> {
    const sendHeartbeat = async () => {
      const { id, name, version } = this.#options;
      const { position, cacheBytes, cacheLimitBytes } = report();
      const aliveMs = Math.round(performance.now() - this.#startedMs);
      // The own clock, which is only used for comparison.
      const own = [id, name, version, aliveMs, position, Date.now(), cacheBytes, cacheLimitBytes];
      await this.#session.query(upsertNode, own);
    };
    await sendHeartbeat();
    await this.#session.query(deleteExpiredNodes, []);
    this.#timer = setInterval(() => {
      this.#heartbeat = sendHeartbeat().catch(() => undefined);
    }, HEARTBEAT_MS).unref();
  }

  async list(): Promise<readonly NodeEntry[]> {
    return (await this.#session.query(listNodes, [])).map((row) => {
      const [startedAtMs, seenAtMs, position, clockAheadMs, cacheBytes, cacheLimitBytes] = row
        .slice(3, 9)
        .map(readIntegerColumn) as [number, number, number, number, number, number];
      return {
        id: readTextColumn(row[0]),
        name: readTextColumn(row[1]),
        version: readTextColumn(row[2]),
        ...{ startedAtMs, seenAtMs, position, clockAheadMs, cacheBytes, cacheLimitBytes },
        isAlive: row[9] === true,
        isHere: row[0] === this.#options.id,
      };
    });
  }

  async canLoseChanges(): Promise<boolean> {
    return (await this.#session.query(hasUnawaitedStandbys, []))[0]?.[0] === true;
  }

  /** Removes the node from the table. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#heartbeat;
    if (this.#timer !== undefined) await this.#session.query(deleteNode, [this.#options.id]).catch(() => undefined);
    await this.#session.close();
  }
}
