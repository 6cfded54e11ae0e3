/** Lets test servers keep what they keep in a PostgreSQL, each in a schema of its own, where `TEST_STORAGE` says so. */
import { Client } from 'pg';
import { describe, it } from 'vitest';
import { emptying, postgresAddress } from './postgres-places.ts';
import { askForService } from './services/ask-for-service.ts';

/** Whether all test servers are nodes. */
export const isOnPostgres = process.env['TEST_STORAGE'] === 'postgres';

/** A test that looks at files, or damages them, where a server alone keeps them; nodes have copies there. */
export function itInDirectory(title: string, test: () => Promise<void>): void {
  if (!isOnPostgres) it(title, test);
}

export function describeInDirectory(title: string, tests: () => void): void {
  if (!isOnPostgres) describe(title, tests);
}

export interface TestStorage {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const inDirectory: TestStorage = { flags: [], environment: {} };

const schemas = new Map<string, string>();
const free: string[] = [];
let schemaCount = 0;
let administration: Promise<Client> | undefined;

/** A server that is started again on the same data directory finds the same schema. */
export async function storageFor(dataDir: string, flags: readonly string[]): Promise<TestStorage> {
  if (!isOnPostgres || flags.includes('--storage')) return inDirectory;
  const { connection } = await askForService('postgis');
  const schema = schemas.get(dataDir) ?? free.pop() ?? newSchema();
  schemas.set(dataDir, schema);
  return {
    flags: ['--storage', postgresAddress({ connection }, schema)],
    environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 5).toString('base64') },
  };
}

/** The data directory is used no more, and its server is closed: what it had in a database is for the next one. */
export async function giveBackStorage(dataDir: string): Promise<void> {
  const schema = schemas.get(dataDir);
  if (schema === undefined) return;
  schemas.delete(dataDir);
  administration ??= connect();
  const client = await administration;
  // Indexes of granules have tables of their own.
  const { rowCount } = await client.query(`SELECT FROM ${schema}.granule_indexes LIMIT 1`);
  if (rowCount !== 0) return;
  await client.query(emptying(schema));
  free.push(schema);
}

/** Processes that run tests side by side share the database. */
function newSchema(): string {
  schemaCount += 1;
  return `test_${process.pid}_${schemaCount}`;
}

async function connect(): Promise<Client> {
  const { connection } = await askForService('postgis');
  const client = new Client(connection);
  await client.connect();
  // The database ends before the process does, whose tests must not fail for it.
  client.on('error', () => undefined);
  return client;
}
