/** Writes into the indexes of one mosaic in PostGIS, in one transaction. */

import type { Connections } from '../../vector/postgis/connections.ts';
import { writeFailure } from '../../vector/postgis/write-failure.ts';
import { quoted } from '../../vector/quoted-sql.ts';
import { askerWithin, endTurn, guardOf, rowsOf, takeTurn } from '../database-access.ts';
import { lastOfEachPlace } from '../place.ts';
import type { GranuleDraft, GranuleSchema, GranuleSession } from '../port.ts';
import { createGranuleTable, findGranuleTable, type GranuleTable, type TablePlace } from './granule-table.ts';
import { conditionOf, postgisIndex } from './postgis-index.ts';
import { columnCasts, columnTexts } from './rows.ts';

/** Granules that one statement puts in. */
const GRANULES_AT_ONCE = 2_000;

/** Everything was checked before; whoever waits for the end of it keeps others waiting. */
const COMMIT_TIMEOUT_MS = 5_000;

/** The rows that this transaction itself has put in. */
const OWN = 'xmin::text = (txid_current() % 4294967296)::text';

export interface SessionOptions {
  readonly connections: Connections;
  readonly place: TablePlace;
  /** Asked when it is the turn of this session. */
  readonly currentVersion: () => Promise<number>;
  readonly leave: () => void;
  readonly signal: AbortSignal;
}

export async function createSession(options: SessionOptions): Promise<GranuleSession> {
  const { connections, place, currentVersion, leave, signal } = options;
  const taken = await takeTurn(connections, place.mosaic, signal);
  const { client } = taken;
  const guarded = guardOf(connections, taken, signal);
  const asker = askerWithin(guarded, client);
  let isEnded = false;
  let isBroken = false;

  const known = async (schema: GranuleSchema): Promise<GranuleTable> => {
    const table = await findGranuleTable(client, place, schema);
    if (table === undefined) throw new Error(`There is no index '${schema.name}' of the mosaic '${place.mosaic}'.`);
    return table;
  };

  const deleteFormer = async ({ relation, location }: GranuleTable, locations: readonly string[]): Promise<void> => {
    await client.query(`DELETE FROM ${relation} WHERE ${quoted(location)} = ANY($1::text[]) AND NOT (${OWN})`, [
      [...new Set(locations)],
    ]);
  };

  const addSome = async (table: GranuleTable, drafts: readonly GranuleDraft[]): Promise<void> => {
    const { relation, schema, location, imageindex } = table;
    const kept = lastOfEachPlace(schema, drafts);
    const locations = kept.map((draft) => draft.location);
    await deleteFormer(table, locations);
    await client.query(
      `DELETE FROM ${relation} AS g USING unnest($1::text[], $2::int[]) AS given(location, imageindex)
       WHERE g.${quoted(location)} = given.location${imageindex === undefined ? '' : ` AND g.${quoted(imageindex)} = given.imageindex`}`,
      [locations, kept.map((draft) => draft.imageindex)],
    );
    const columns = schema.attributes.map(({ name }) => quoted(name)).join(', ');
    const given = schema.attributes.map((_, at) => `v${at}`);
    const casts = columnCasts(table).map((type, at) => `v${at}::${type}`);
    await client.query(
      `INSERT INTO ${relation} (${columns}) SELECT ${casts.join(', ')}
       FROM unnest(${given.map((_, at) => `$${at + 1}::text[]`).join(', ')}) WITH ORDINALITY AS given(${given.join(', ')}, place)
       ORDER BY place`,
      [...columnTexts(table, kept)],
    );
  };

  let base: number;
  try {
    base = await currentVersion();
    await guarded(() => client.query('BEGIN READ WRITE'));
  } catch (error) {
    taken.release(true);
    throw error;
  }
  const rollback = async (): Promise<void> => {
    if (isEnded) return;
    isEnded = true;
    // The database takes back whatever a connection that is closed had not committed.
    await guarded(() => client.query('ROLLBACK'), COMMIT_TIMEOUT_MS).catch(() => {
      isBroken = true;
    });
  };
  return {
    base,
    version: base + 1,
    createIndex: (schema) => guarded(() => createGranuleTable(client, place, schema)),
    add: (schema, granules) =>
      guarded(async () => {
        const table = await known(schema);
        for (let at = 0; at < granules.length; at += GRANULES_AT_ONCE) {
          await addSome(table, granules.slice(at, at + GRANULES_AT_ONCE)).catch((error: unknown) => {
            throw writeFailure(error, schema.name, `one of the granules from '${granules[at]?.location}' on`);
          });
        }
      }),
    removeFormer: (schema, locations) =>
      guarded(async () => {
        const table = await findGranuleTable(client, place, schema);
        if (table !== undefined) await deleteFormer(table, locations);
      }),
    async remove(schema, filter) {
      const table = await guarded(() => known(schema));
      const { sql, parameters, remainder } = conditionOf(filter, table);
      if (remainder === undefined) {
        const deleted = await guarded(() =>
          client.query(`DELETE FROM ${table.relation} WHERE ${sql}`, [...parameters]),
        );
        return deleted.rowCount ?? 0;
      }
      let removed = 0;
      const query = filter === undefined ? {} : { filter };
      for await (const batch of postgisIndex(asker, place, schema).list(query, signal)) {
        const keys = batch.map(({ id }) => id.slice(schema.name.length + 1));
        await guarded(() =>
          client.query(`DELETE FROM ${table.relation} WHERE ${quoted(table.key)} = ANY($1::bigint[])`, [keys]),
        );
        removed += batch.length;
      }
      return removed;
    },
    read: (schema) => postgisIndex(asker, place, schema),
    async locationsInUse(schemas, locations) {
      const found = new Set<string>();
      for (const schema of schemas) {
        const table = await guarded(() => findGranuleTable(client, place, schema));
        if (table === undefined) continue;
        const rows = await guarded(() =>
          rowsOf(
            client,
            `SELECT DISTINCT ${quoted(table.location)} FROM ${table.relation} WHERE ${quoted(table.location)} = ANY($1::text[])`,
            [locations],
          ),
        );
        for (const [location] of rows) if (location !== null && location !== undefined) found.add(location);
      }
      return found;
    },
    async commit() {
      await guarded(() => client.query('COMMIT'), COMMIT_TIMEOUT_MS);
      isEnded = true;
    },
    rollback,
    async end() {
      try {
        await rollback();
        // Only now: whoever comes next must find the record as the change has left it.
        await endTurn(taken, place.mosaic, isBroken);
      } finally {
        leave();
      }
    },
  };
}
