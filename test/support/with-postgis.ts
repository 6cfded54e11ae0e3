/** Provides a new, empty PostGIS database for a test file, dropped after its tests. */
import { afterAll, beforeAll } from 'vitest';
import { askForService, SERVICE_START_DEADLINE_MS } from './services/ask-for-service.ts';
import type { PostgisConnection } from './services/postgis.ts';
import { createTestDatabase, type TestDatabase } from './services/test-database.ts';
import { describeWithTool } from './with-tool.ts';

/** Usable inside hooks and tests; the database does not exist yet while tests are being collected. */
export interface PostgisUnderTest {
  readonly connection: PostgisConnection;
  /** The rows of one statement in the database of the file. */
  query: TestDatabase['query'];
}

export function describeWithPostgis(title: string, body: (postgis: PostgisUnderTest) => void): void {
  describeWithTool('postgis', title, () => {
    let database: TestDatabase | undefined;
    const ready = (): TestDatabase => {
      if (database === undefined) throw new Error('the database exists only inside hooks and tests');
      return database;
    };
    beforeAll(async () => {
      database = await createTestDatabase(await askForService('postgis'));
    }, SERVICE_START_DEADLINE_MS);
    afterAll(() => database?.drop());

    body({
      get connection() {
        return ready().connection;
      },
      query: (statement, values) => ready().query(statement, values),
    });
  });
}
