/** Writes into the indexes of one mosaic under a version that nobody has had before, in one transaction. */
import type { PoolClient } from 'pg';
import type { Connections } from '../../vector/postgis/connections.ts';
import { writeFailure } from '../../vector/postgis/write-failure.ts';
import { askerWithin, endTurn, guardOf, rowsOf, takeTurn } from '../database-access.ts';
import { STILL_THERE } from '../embedded/index-table.ts';
import { draftBounds, rowColumns, rowOf } from '../embedded/rows.ts';
import { lastOfEachPlace } from '../place.ts';
import type { GranuleDraft, GranuleSchema, GranuleSession } from '../port.ts';
import {
  createIndexTable,
  findIndexTable,
  indexTablesOf,
  listOf,
  type MosaicPlace,
  type SharedIndexTable,
  typedColumns,
} from './index-tables.ts';
import { matchingIds, sharedIndex } from './shared-index.ts';

/** Granules that one statement puts in. */
const GRANULES_AT_ONCE = 2_000;

const COMMIT_TIMEOUT_MS = 10_000;

export interface SessionOptions {
  readonly connections: Connections;
  readonly place: MosaicPlace;
  /** Asked when it is the turn of this session. */
  readonly currentVersion: () => Promise<number>;
  readonly clock: () => number;
  /** Lets the next one of this node in. */
  readonly leave: () => void;
  readonly signal: AbortSignal;
}

export async function createSession(options: SessionOptions): Promise<GranuleSession> {
  const { connections, place, currentVersion, clock, leave, signal } = options;
  const taken = await takeTurn(connections, turnOf(place), signal);
  const { client } = taken;
  const guarded = guardOf(connections, taken, signal);
  const asker = askerWithin(guarded, client);
  let isEnded = false;
  let isBroken = false;
  let base: number;
  let version: number;
  try {
    base = await currentVersion();
    await guarded(() => client.query('BEGIN READ WRITE'));
    version = await guarded(() => beginVersion(client, place, base, clock()));
  } catch (error) {
    taken.release(true);
    throw error;
  }

  const known = async (schema: GranuleSchema): Promise<SharedIndexTable> => {
    const table = await findIndexTable(client, place, schema);
    if (table === undefined) throw new Error(`There is no index '${schema.name}' of the mosaic '${place.mosaic}'.`);
    return table;
  };

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
    version,
    createIndex: (schema) =>
      guarded(async () => {
        if ((await findIndexTable(client, place, schema)) === undefined) await createIndexTable(client, place, schema);
      }),
    add: (schema, granules) =>
      guarded(async () => {
        const table = await known(schema);
        for (let at = 0; at < granules.length; at += GRANULES_AT_ONCE) {
          await addRows(client, table, version, granules.slice(at, at + GRANULES_AT_ONCE)).catch((error: unknown) => {
            throw writeFailure(error, schema.name, `one of the granules from '${granules[at]?.location}' on`);
          });
        }
      }),
    removeFormer: (schema, locations) =>
      guarded(async () => {
        const table = await findIndexTable(client, place, schema);
        if (table !== undefined) await hideFormer(client, table, version, locations);
      }),
    async remove(schema, filter) {
      const table = await guarded(() => known(schema));
      const found: string[] = [];
      for await (const ids of asker.during(signal, () => matchingIds(client, table, version, filter)))
        found.push(...ids);
      await guarded(() => removeRows(client, table, version, found));
      return found.length;
    },
    read: (schema) => sharedIndex(asker, place, schema, version),
    async locationsInUse(schemas, locations) {
      const inUse = new Set<string>();
      for (const schema of schemas) {
        const table = await guarded(() => findIndexTable(client, place, schema));
        if (table === undefined) continue;
        const statement = `SELECT DISTINCT location FROM ${table.relation}
          WHERE location = ANY ($1::text[]) AND until = ${STILL_THERE}`;
        for (const [location] of await guarded(() => rowsOf(client, statement, [locations]))) inUse.add(location ?? '');
      }
      return inUse;
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
        await endTurn(taken, turnOf(place), isBroken);
      } finally {
        leave();
      }
    },
  };
}

export function turnOf({ schema, mosaic }: MosaicPlace): string {
  return `${schema} ${mosaic}`;
}

/** A number that was never committed. Where the record names an earlier version than the last, that is shown again first. */
async function beginVersion(client: PoolClient, place: MosaicPlace, base: number, atMs: number): Promise<number> {
  const list = listOf(place, 'versions');
  const add = async (): Promise<number> => {
    const [row] = await rowsOf(
      client,
      `INSERT INTO ${list} (mosaic, version, made_at_ms)
       SELECT $1, 1 + greatest($2::bigint, (SELECT max(version) FROM ${list} WHERE mosaic = $1)), $3 RETURNING version`,
      [place.mosaic, String(base), String(atMs)],
    );
    return Number(row?.[0]);
  };
  const first = await add();
  if (base === first - 1) return first;
  for (const table of await indexTablesOf(client, place)) await repeatVersion(client, table, base, first);
  return add();
}

/** What later versions have added is gone with it, and what they have removed is there again, as new rows. */
async function repeatVersion(
  client: PoolClient,
  { relation, schema }: SharedIndexTable,
  from: number,
  version: number,
): Promise<void> {
  const columns = rowColumns(schema).join(', ');
  await client.query(
    `UPDATE ${relation} SET until = ${version} WHERE since > ${from} AND since < ${version} AND until = ${STILL_THERE}`,
  );
  await client.query(
    `INSERT INTO ${relation} (since, until, origin, ${columns})
     SELECT ${version}, ${STILL_THERE}, gid, ${columns} FROM ${relation}
     WHERE since <= ${from} AND until > ${from} AND until < ${version} ORDER BY id`,
  );
}

async function addRows(
  client: PoolClient,
  table: SharedIndexTable,
  version: number,
  drafts: readonly GranuleDraft[],
): Promise<void> {
  const { relation, schema } = table;
  const kept = lastOfEachPlace(schema, drafts);
  const locations = kept.map(({ location }) => location);
  await hideFormer(client, table, version, locations);
  await client.query(
    `DELETE FROM ${relation} AS g USING unnest($1::text[], $2::bigint[]) AS given(location, imageindex)
     WHERE g.location = given.location AND g.imageindex = given.imageindex AND g.since = ${version}`,
    [locations, kept.map(({ imageindex }) => imageindex)],
  );
  const columns = typedColumns(schema);
  const names = columns.map(([name]) => name).join(', ');
  const given = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const casts = columns.map(([name, type]) => `given.${name}::${type}`).join(', ');
  const rows = kept.map((draft) => rowOf(schema, draft, draftBounds(draft)).map(textOf));
  await client.query(
    `INSERT INTO ${relation} (since, until, ${names}) SELECT ${version}, ${STILL_THERE}, ${casts}
     FROM unnest(${given}) WITH ORDINALITY AS given(${names}, place) ORDER BY place`,
    columns.map((_, at) => rows.map((row) => row[at] ?? null)),
  );
}

/** What was there of these locations before this version goes with it. */
async function hideFormer(
  client: PoolClient,
  { relation }: SharedIndexTable,
  version: number,
  locations: readonly string[],
): Promise<void> {
  await client.query(
    `UPDATE ${relation} SET until = ${version}
     WHERE location = ANY ($1::text[]) AND since < ${version} AND until = ${STILL_THERE}`,
    [[...new Set(locations)]],
  );
}

async function removeRows(
  client: PoolClient,
  { relation }: SharedIndexTable,
  version: number,
  ids: readonly string[],
): Promise<void> {
  const shown = `gid = ANY ($1::bigint[]) AND until = ${STILL_THERE}`;
  await client.query(`DELETE FROM ${relation} WHERE ${shown} AND since = ${version}`, [ids]);
  await client.query(`UPDATE ${relation} SET until = ${version} WHERE ${shown}`, [ids]);
}

function textOf(value: ReturnType<typeof rowOf>[number]): string | null {
  if (value === null) return null;
  if (!ArrayBuffer.isView(value)) return String(value);
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}
