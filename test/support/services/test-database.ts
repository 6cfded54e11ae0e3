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

export async function createTestDatabase(server: PostgisServer): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${server.template}`);
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

async function administer(server: PostgisServer, statement: string): Promise<void> {
  const client = new Client(server.connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
