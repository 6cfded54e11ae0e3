/** Provides a new, empty MariaDB database for a test file, dropped after its tests. */
import { randomUUID } from 'node:crypto';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll } from 'vitest';
import { askForService, SERVICE_START_DEADLINE_MS } from './services/ask-for-service.ts';
import type { MariadbConnection, MariadbServer } from './services/mariadb.ts';
import { describeWithTool } from './with-tool.ts';

/** Usable inside hooks and tests; the database does not exist yet while tests are being collected. */
export interface MariadbUnderTest {
  readonly connection: MariadbConnection;
  readonly server: MariadbServer;
  /** Runs statements, separated by semicolons, in the database of the file; returns the rows of a single one. */
  query(statement: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Drops all tables and views of the database. */
  clear(): Promise<void>;
}

export function describeWithMariadb(title: string, body: (mariadb: MariadbUnderTest) => void): void {
  describeWithTool('mariadb', title, () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    let under: { readonly server: MariadbServer; readonly client: Connection } | undefined;
    const ready = () => {
      if (under === undefined) throw new Error('the database exists only inside hooks and tests');
      return under;
    };
    const recreate = () =>
      ready().client.query(
        `DROP DATABASE IF EXISTS ${name}; CREATE DATABASE ${name} CHARACTER SET utf8mb4; USE ${name}`,
      );
    beforeAll(async () => {
      const server = await askForService('mariadb');
      const client = await createConnection({ ...server.connection, multipleStatements: true, charset: 'utf8mb4' });
      under = { server, client };
      await recreate();
    }, SERVICE_START_DEADLINE_MS);
    afterAll(async () => {
      await under?.client.query(`DROP DATABASE ${name}`);
      await under?.client.end();
    });

    body({
      get connection() {
        return { ...ready().server.connection, database: name };
      },
      get server() {
        return ready().server;
      },
      async query(statement, values = []) {
        const [rows] = await ready().client.query(statement, [...values]);
        return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
      },
      async clear() {
        await recreate();
      },
    });
  });
}
