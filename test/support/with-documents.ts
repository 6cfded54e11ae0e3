/**
 * Provides a document database for a test file: of the MongoDB in `TEST_MONGODB_URL`, of a locally started one, or of
 * the in-process server, so that the tests always run.
 */
import { randomUUID } from 'node:crypto';
import { type BSON, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe } from 'vitest';
import { findProgram } from './find-program.ts';
import { askForService, SERVICE_START_DEADLINE_MS } from './services/ask-for-service.ts';
import { startDocumentServer } from './services/document-server.ts';

/** Usable inside hooks and tests. */
export interface DocumentsUnderTest {
  /** The database of the file, or another one with this suffix. */
  uri(suffix?: string): string;
  insert(collection: string, documents: readonly BSON.Document[]): Promise<void>;
  createIndex(collection: string, key: Record<string, '2d' | '2dsphere'>): Promise<void>;
  drop(collection: string): Promise<void>;
  all(collection: string, suffix?: string): Promise<readonly BSON.Document[]>;
}

export function describeWithDocuments(title: string, body: (documents: DocumentsUnderTest) => void): void {
  describe(title, () => {
    const name = `graticule_${randomUUID().slice(0, 8)}`;
    let url: URL | undefined;
    let client: MongoClient | undefined;
    let stop: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      const server = await findServer();
      url = new URL(server.url);
      stop = server.stop;
      client = new MongoClient(server.url);
    }, SERVICE_START_DEADLINE_MS);
    afterAll(async () => {
      await client?.db(name).dropDatabase();
      await client?.close();
      await stop?.();
    });

    const database = (suffix = '') => {
      if (client === undefined) throw new Error('the database exists only inside hooks and tests');
      return client.db(`${name}${suffix}`);
    };
    body({
      uri: (suffix = '') => {
        if (url === undefined) throw new Error('the database exists only inside hooks and tests');
        return Object.assign(new URL(url), { pathname: `/${name}${suffix}` }).href;
      },
      insert: async (collection, all) => {
        await database()
          .collection(collection)
          .insertMany([...all]);
      },
      createIndex: async (collection, key) => {
        await database().collection(collection).createIndex(key);
      },
      drop: async (collection) => {
        await database().collection(collection).drop();
      },
      all: (collection, suffix) => database(suffix).collection(collection).find().toArray(),
    });
  });
}

async function findServer(): Promise<{ readonly url: string; readonly stop?: () => Promise<void> }> {
  const given = process.env['TEST_MONGODB_URL'];
  if (given !== undefined && given !== '') return { url: given };
  if (findProgram(['mongod']) !== undefined) return askForService('mongod');
  const server = await startDocumentServer();
  return { url: server.uri(''), stop: () => server.close() };
}
