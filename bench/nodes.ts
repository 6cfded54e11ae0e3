/** Nodes on one durable PostgreSQL: their writes and reads, compared with the bare database and with SQLite. */
import { Client } from 'pg';
import { recordKinds } from '../src/server/storage/record-kinds.ts';
import { parsePostgresLocation } from '../src/storage/postgres/connection/location.ts';
import { openPostgresStorage } from '../src/storage/postgres/open.ts';
import type { PostgisConnection } from '../test/support/services/postgis.ts';
import { measureGroupedInserts } from './grouped-inserts.ts';
import { writesPerSecond } from './parallel-writes.ts';
import { percentile } from './percentile.ts';
import { seedStorage } from './seed.ts';
import { authorization, type ServerChild, startServerChild } from './server-child.ts';
import { requestsPerSecond } from './throughput.ts';

export interface NodeWrites {
  readonly oneNodePerSecond: number;
  readonly twoNodesPerSecond: number;
  /** The insert rate of the bare database. */
  readonly barePerSecond: number;
}

export interface NodeReads {
  readonly postgresPerSecond: number;
  readonly sqlitePerSecond: number;
  readonly ratio: number;
}

const WRITERS = 16;
const WRITES = 1_000;
const READERS = 32;
const SECONDS = 2;
const ROUNDS = 5;

/** The start arguments of a node on a schema. */
export function nodeEnvironment(connection: PostgisConnection, schema: string): Readonly<Record<string, string>> {
  return {
    GRATICULE_STORAGE: formatUrl(connection, schema),
    GRATICULE_SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
}

/** In alternation, so that all see the same machine load; the median of each counts. */
export async function measureNodeWrites(
  nodes: readonly [ServerChild, ServerChild],
  connection: PostgisConnection,
): Promise<NodeWrites> {
  const [alone, together, bare]: [number[], number[], number[]] = [[], [], []];
  // Both compile code at runtime, so each gets the same warm-up.
  for (const [index, node] of nodes.entries()) await writesPerSecond(node, WRITERS, WRITES, `warm-${index}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await measureGroupedInserts({ ...connection }, WRITERS, WRITES * 2));
    const [one, other] = round % 2 === 0 ? nodes : nodes.toReversed();
    if (one === undefined || other === undefined) throw new Error('Two nodes are needed');
    alone.push(await writesPerSecond(one, WRITERS, WRITES, `alone-${round}`));
    const startedAt = performance.now();
    await Promise.all([
      writesPerSecond(one, WRITERS, WRITES / 2, `one-${round}`),
      writesPerSecond(other, WRITERS, WRITES / 2, `other-${round}`),
    ]);
    together.push((WRITES / (performance.now() - startedAt)) * 1_000);
  }
  return {
    oneNodePerSecond: percentile(alone, 0.5),
    twoNodesPerSecond: percentile(together, 0.5),
    barePerSecond: percentile(bare, 0.5),
  };
}

/** The same request to both in alternation; the median of the ratios counts. */
export async function measureNodeReads(node: ServerChild, single: ServerChild, path: string): Promise<NodeReads> {
  const ask = (server: ServerChild) =>
    requestsPerSecond(`${server.restUrl}${path}`, { authorization }, SECONDS, READERS);
  const rates: { readonly postgres: number; readonly sqlite: number }[] = [];
  for (const server of [node, single]) await ask(server);
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push({ postgres: await ask(node), sqlite: await ask(single) });
  }
  return {
    postgresPerSecond: percentile(
      rates.map(({ postgres }) => postgres),
      0.5,
    ),
    sqlitePerSecond: percentile(
      rates.map(({ sqlite }) => sqlite),
      0.5,
    ),
    ratio: percentile(
      rates.map(({ postgres, sqlite }) => postgres / sqlite),
      0.5,
    ),
  };
}

/** From the spawn of a node to its first successful response, median of several. */
export async function measureNodeStart(
  directory: () => Promise<string>,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const node = await startServerChild(await directory(), environment);
    starts.push(node.readyAfterMs);
    await node.stop();
  }
  return percentile(starts, 0.5);
}

/** A schema with this many workspaces, in a new database. */
export async function seedSchema(connection: PostgisConnection, schema: string, count: number): Promise<void> {
  const place = parsePostgresLocation(formatUrl(connection, schema));
  if (place === undefined) throw new Error('The address of the database is no address');
  const storage = await openPostgresStorage({ location: place, kinds: recordKinds });
  await seedStorage(storage, count);
  await storage.close();
  const client = new Client({ ...connection });
  await client.connect();
  await client.query('ANALYZE');
  await client.end();
}

function formatUrl({ host, port, user, password, database }: PostgisConnection, schema: string): string {
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}?schema=${schema}`;
}
