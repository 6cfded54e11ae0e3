/** A database in the private PostGIS for one group of tests. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { PostgisConnection, PostgisServer } from './postgis.ts';

export interface TestDatabase {
  readonly connection: PostgisConnection;
  query(statement: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Also closes connections that a failed test left open. */
  drop(): Promise<void>;
}

/** A statement that waits longer does so for another test file, and succeeds when it is repeated. */
const MAX_WAIT_MS = 90_000;
const ATTEMPTS = 4;

export async function createTestDatabase(server: PostgisServer): Promise<TestDatabase> {
  const name = await createDatabase(server);
  const connection = { ...server.connection, database: name };
  const client = new Client(connection);
  await client.connect();
  return {
    connection,
    query: async (statement, values = []) => (await client.query(statement, [...values])).rows,
    async drop() {
      await client.end();
      await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Each attempt has a name of its own, because an interrupted one can still complete. */
async function createDatabase(server: PostgisServer, attempt = 1): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  try {
    await administer(server, `CREATE DATABASE ${name} TEMPLATE ${server.template}`);
    return name;
  } catch (error) {
    if (attempt === ATTEMPTS) throw error;
    return createDatabase(server, attempt + 1);
  }
}

async function administer(server: PostgisServer, statement: string): Promise<void> {
  const client = new Client({
    ...server.connection,
    connectionTimeoutMillis: MAX_WAIT_MS,
    statement_timeout: MAX_WAIT_MS,
  });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
