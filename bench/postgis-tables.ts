/** Publishes one table: the cost of describing it in a database with few tables, and in one with thousands. */
import { Agent } from 'node:http';
import { Client } from 'pg';
import { postgisDriver } from '../src/vector/postgis/driver.ts';
import { openVectorSources } from '../src/vector/sources.ts';
import { call } from './call.ts';
import { percentile } from './percentile.ts';
import type { ServerChild } from './server-child.ts';

export interface TableDescriptionCost {
  readonly fewTables: number;
  readonly manyTables: number;
  readonly fewP50Ms: number;
  readonly manyP50Ms: number;
  /** The first use of a store, including its connections. */
  readonly fewFirstMs: number;
  readonly manyFirstMs: number;
  /** Target: at most 1.2. */
  readonly ratio: number;
  /** The names of all tables of the larger schema over HTTP, and from the driver alone: medians. */
  readonly availableMs: number;
  readonly listManyMs: number;
}

export interface BenchedDatabase {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Empty, with PostGIS; each schema size gets a database copied from it. */
  readonly database: string;
}

const ROUNDS = 200;
const LISTINGS = 15;
const TABLES_PER_STATEMENT = 250;

export async function measurePostgisTables(
  server: ServerChild,
  template: BenchedDatabase,
  fewTables = 5,
  manyTables = 5_000,
): Promise<TableDescriptionCost> {
  const few = await prepare(template, `bench_few_${process.pid}`, fewTables);
  const many = await prepare(template, `bench_many_${process.pid}`, manyTables);
  const sources = openVectorSources({
    drivers: [postgisDriver],
    context: { resolvePath: async (named) => named },
    deadlineMs: 60_000,
    maxOpen: 10,
  });
  try {
    const describe = async (database: BenchedDatabase): Promise<number> => {
      const startedAt = performance.now();
      const found = await sources.use(createStore(database), (source, signal) => source.describe('table_3', signal));
      if (found?.count !== 10) throw new Error(`The description was ${JSON.stringify(found)}`);
      return performance.now() - startedAt;
    };
    const [fewFirstMs, manyFirstMs] = [await describe(few), await describe(many)];
    const [fewMs, manyMs]: [number[], number[]] = [[], []];
    // In alternation, so that other load of the machine affects both equally.
    for (let round = 0; round < ROUNDS; round += 1) {
      fewMs.push(await describe(few));
      manyMs.push(await describe(many));
    }
    const listMs: number[] = [];
    for (let round = 0; round < LISTINGS; round += 1) {
      const listedAt = performance.now();
      await sources.use(createStore(many), (source, signal) => source.listTypes(signal));
      listMs.push(performance.now() - listedAt);
    }
    const listManyMs = percentile(listMs, 0.5);
    const availableMs = await measureAvailable(server, many, manyTables);
    const [fewP50Ms, manyP50Ms] = [percentile(fewMs, 0.5), percentile(manyMs, 0.5)];
    const ratio = manyP50Ms / fewP50Ms;
    return { fewTables, manyTables, fewP50Ms, manyP50Ms, fewFirstMs, manyFirstMs, ratio, availableMs, listManyMs };
  } finally {
    await sources.close();
    for (const { database } of [few, many])
      await run({ ...template, database: 'postgres' }, [`DROP DATABASE ${database} WITH (FORCE)`]);
  }
}

/** `list=available` of a known store; the first requests connect and warm up. */
async function measureAvailable(server: ServerChild, database: BenchedDatabase, tables: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });
  const stores = `${server.restUrl}/workspaces/tables/datastores`;
  const { parameters } = createStore(database);
  await call(agent, 'POST', `${server.restUrl}/workspaces`, json({ workspace: { name: 'tables' } }));
  await call(agent, 'POST', stores, json({ dataStore: { name: 'many', connectionParameters: parameters } }));
  const costs: number[] = [];
  for (let round = 0; round < LISTINGS; round += 1) {
    const { status, body, ms } = await call(agent, 'GET', `${stores}/many/featuretypes.json?list=available`);
    if (status !== 200 || !body.includes(`"table_${tables - 1}"`)) {
      throw new Error(`Listing the tables answered ${status}: ${body.slice(0, 200)}`);
    }
    costs.push(ms);
  }
  agent.destroy();
  return percentile(costs.slice(LISTINGS / 3), 0.5);
}

function createStore({ host, port, user, password, database }: BenchedDatabase) {
  const parameters = { dbtype: 'postgis', host, port: String(port), user, passwd: password, database };
  return { id: database, version: 1, name: database, parameters };
}

async function prepare(template: BenchedDatabase, name: string, tables: number): Promise<BenchedDatabase> {
  await run({ ...template, database: 'postgres' }, [`CREATE DATABASE ${name} TEMPLATE ${template.database}`]);
  const database = { ...template, database: name };
  const statements: string[] = [];
  for (let index = 0; index < tables; index += 1) {
    const table = `table_${index}`;
    statements.push(
      `CREATE TABLE ${table} (id serial PRIMARY KEY, name text, made timestamp, geom geometry(Point, 4326));
       CREATE INDEX ON ${table} USING gist (geom)`,
    );
  }
  const filled = `INSERT INTO table_3 (name, geom) SELECT x, ST_SetSRID(ST_MakePoint(x, x), 4326) FROM generate_series(1, 10) x`;
  const batches: string[] = [];
  for (let at = 0; at < statements.length; at += TABLES_PER_STATEMENT) {
    batches.push(statements.slice(at, at + TABLES_PER_STATEMENT).join(';'));
  }
  await run(database, [...batches, filled, 'ANALYZE']);
  return database;
}

async function run(database: BenchedDatabase, statements: readonly string[]): Promise<void> {
  const client = new Client({ ...database });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
