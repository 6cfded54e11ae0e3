/** Stores the data of test servers in PostgreSQL, each in a separate schema, if `TEST_STORAGE` is set. */
import { Client } from 'pg';
import { describe, it } from 'vitest';
import { emptying, postgresAddress } from './postgres-places.ts';
import { askForService } from './services/ask-for-service.ts';

/** Whether all test servers are nodes. */
export const isOnPostgres = process.env['TEST_STORAGE'] === 'postgres';

/** A test that reads or damages files of a standalone server; nodes only have copies there. */
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

/** A server restarted on the same data directory uses the same schema. */
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

/** The data directory is no longer used and its server is closed: its schema is free for the next one. */
export async function giveBackStorage(dataDir: string): Promise<void> {
  const schema = schemas.get(dataDir);
  if (schema === undefined) return;
  schemas.delete(dataDir);
  administration ??= connect();
  const client = await administration;
  // Granule indexes have separate tables.
  const { rowCount } = await client.query(`SELECT FROM ${schema}.granule_indexes LIMIT 1`);
  if (rowCount !== 0) return;
  await client.query(emptying(schema));
  free.push(schema);
}

/** Parallel test processes share the database. */
function newSchema(): string {
  schemaCount += 1;
  return `test_${process.pid}_${schemaCount}`;
}

async function connect(): Promise<Client> {
  const { connection } = await askForService('postgis');
  const client = new Client(connection);
  await client.connect();
  // The database ends before the test process, whose tests must not fail because of it.
  client.on('error', () => undefined);
  return client;
}
