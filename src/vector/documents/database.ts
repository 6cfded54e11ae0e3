/**
 * The connections to one document database: limited in number, each with a deadline, and protected against faulty
 * servers.
 */
import { type BSON, type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import type { ConnectionCounts } from '../port/port.ts';
import { toIdentifiedDocument } from './bson-document.ts';
import type { DocumentConnection } from './connection-uri.ts';
import type { IdentifiedDocument } from './document.ts';
import { toProblem } from './failure.ts';
import { listIdValues } from './query-filter.ts';
import { createGuardedConnection } from './wire-guard.ts';

/** The deadline for a response after its caller has gone. */
const RESPONSE_TIMEOUT_MS = 60_000;
const IDLE_MS = 60_000;
/** Documents per batch; a document can have 16 MB. */
const BATCH_DOCUMENTS = 256;

export interface DocumentQuery {
  /** Object ids in hexadecimal, or other ids as text. */
  readonly ids?: readonly string[];
  readonly limit?: number;
  readonly filter?: BSON.Document;
}

export interface DocumentDatabase {
  /** Returns the collections by name, without system collections. */
  listCollections(signal: AbortSignal): Promise<readonly string[]>;
  /** Returns the paths with a spatial index. */
  listSpatialIndexes(collection: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Yields batches in natural order; reading stops when the consumer stops. */
  read(collection: string, query: DocumentQuery, signal: AbortSignal): AsyncIterable<readonly IdentifiedDocument[]>;
  count(collection: string, signal: AbortSignal): Promise<number>;
  /** Reads named documents as JSON. */
  readNamed(collection: string, field: string, signal: AbortSignal): Promise<ReadonlyMap<string, unknown>>;
  /** Replaces the documents with the same names and deletes the given others. */
  replaceNamed(
    collection: string,
    field: string,
    change: { readonly put: ReadonlyMap<string, BSON.Document>; readonly remove: readonly string[] },
    signal: AbortSignal,
  ): Promise<void>;
  countConnections(): ConnectionCounts;
  close(): Promise<void>;
}

/** Connects on first use. */
export function openDocumentDatabase(connection: DocumentConnection): DocumentDatabase {
  return new MongoDatabase(connection);
}

class MongoDatabase implements DocumentDatabase {
  readonly #connection: DocumentConnection;
  readonly #client: MongoClient;
  readonly #database: Db;
  #open = 0;
  #inUse = 0;

  constructor(connection: DocumentConnection) {
    const addresses = listAddresses(connection);
    const options = { ...createClientOptions(connection), connectionType: createGuardedConnection(addresses) };
    this.#connection = connection;
    this.#client = new MongoClient(`mongodb://${addresses.join(',')}/`, options);
    this.#database = this.#client.db(connection.database);
    this.#client.on('connectionCreated', () => {
      this.#open += 1;
    });
    this.#client.on('connectionClosed', () => {
      this.#open -= 1;
    });
    this.#client.on('connectionCheckedOut', () => {
      this.#inUse += 1;
    });
    this.#client.on('connectionCheckedIn', () => {
      this.#inUse -= 1;
    });
  }

  listCollections(signal: AbortSignal): Promise<readonly string[]> {
    return this.#runQuery(signal, async () => {
      const found = await this.#database.listCollections({}, { nameOnly: true }).toArray();
      return found
        .map(({ name }): unknown => name)
        .filter((name) => typeof name === 'string')
        .filter((name) => !name.startsWith('system.'))
        .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    });
  }

  listSpatialIndexes(collection: string, signal: AbortSignal): Promise<readonly string[]> {
    return this.#runQuery(signal, async () => {
      const found = await this.#database.listCollections({ name: collection }, { nameOnly: true }).toArray();
      if (!found.some((each) => each.name === collection)) return [];
      const indexes = await this.#database.collection(collection).listIndexes().toArray();
      return indexes.flatMap(({ key }) => listSpatialPaths(key));
    });
  }

  async *read(
    collection: string,
    query: DocumentQuery,
    signal: AbortSignal,
  ): AsyncGenerator<readonly IdentifiedDocument[]> {
    const { ids, limit = Number.POSITIVE_INFINITY, filter = {} } = query;
    if (limit <= 0) return;
    const wanted = ids === undefined ? filter : { $and: [filter, { _id: { $in: ids.flatMap(listIdValues) } }] };
    const cursor = this.#database.collection(collection).find(wanted, {
      promoteValues: false,
      batchSize: Math.min(BATCH_DOCUMENTS, limit),
      ...(Number.isSafeInteger(limit) ? { limit } : {}),
      signal,
    });
    try {
      for (;;) {
        const first = await this.#runQuery(signal, () => cursor.next());
        if (first === null) return;
        const batch = [first, ...cursor.readBufferedDocuments()];
        yield batch.map(toIdentifiedDocument);
      }
    } finally {
      // A read that stops early leaves a cursor in the database; closing it is not awaited.
      void cursor.close().catch(() => undefined);
    }
  }

  count(collection: string, signal: AbortSignal): Promise<number> {
    return this.#runQuery(signal, () => this.#database.collection(collection).estimatedDocumentCount());
  }

  readNamed(collection: string, field: string, signal: AbortSignal): Promise<ReadonlyMap<string, unknown>> {
    return this.#runQuery(signal, async () => {
      const found = await this.#database.collection(collection).find({}, { limit: MAX_NAMED_DOCUMENTS }).toArray();
      return new Map(found.flatMap((each) => (typeof each[field] === 'string' ? [[each[field], each] as const] : [])));
    });
  }

  replaceNamed(
    collection: string,
    field: string,
    { put, remove }: Parameters<DocumentDatabase['replaceNamed']>[2],
    signal: AbortSignal,
  ): Promise<void> {
    return this.#runQuery(signal, async () => {
      if (put.size + remove.length === 0) return;
      await this.#database.collection(collection).bulkWrite(
        [
          ...[...put].map(([key, document]) => ({
            replaceOne: { filter: { [field]: key }, replacement: document, upsert: true },
          })),
          ...remove.map((key) => ({ deleteOne: { filter: { [field]: key } } })),
        ],
        { ordered: true },
      );
    });
  }

  countConnections(): ConnectionCounts {
    return { open: this.#open, idle: Math.max(0, this.#open - this.#inUse), waiting: 0 };
  }

  close(): Promise<void> {
    return this.#client.close(true);
  }

  /**
   * An abort releases the caller immediately, and so does a refused connection to the only host, on which the driver
   * would wait.
   */
  async #runQuery<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { hosts, database } = this.#connection;
    signal.throwIfAborted();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    stopped.catch(() => undefined);
    const stop = (): void => reject(signal.reason);
    const fail = ({ failure }: { readonly failure: Error }): void => {
      if (hosts.length === 1) reject(failure);
    };
    signal.addEventListener('abort', stop, { once: true });
    this.#client.on('serverHeartbeatFailed', fail);
    const working = work();
    working.catch(() => undefined);
    try {
      return await Promise.race([working, stopped]);
    } catch (error) {
      throw signal.aborted ? signal.reason : toProblem(error, database);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#client.off('serverHeartbeatFailed', fail);
    }
  }
}

/** The maximum number of schemas in one collection. */
const MAX_NAMED_DOCUMENTS = 10_000;

function listSpatialPaths(key: unknown): readonly string[] {
  if (typeof key !== 'object' || key === null) return [];
  return Object.entries(key).flatMap(([path, kind]) => (kind === '2d' || kind === '2dsphere' ? [path] : []));
}

/** The client receives hosts only, and everything else as options, so that the URI is parsed only once. */
function listAddresses({ hosts }: DocumentConnection): readonly string[] {
  return hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`.toLowerCase());
}

function createClientOptions({ hosts, user, password, database, options }: DocumentConnection): MongoClientOptions {
  const { connectTimeoutMs, maxConnections, authMechanism, replicaSet } = options;
  return {
    appName: 'graticule',
    // A single host means only that host, not other members that it reports.
    directConnection: hosts.length === 1,
    ...(replicaSet === undefined ? {} : { replicaSet }),
    ...(user === undefined
      ? {}
      : {
          auth: { username: user, password: password ?? '' },
          authSource: options.authSource ?? (database === '' ? 'admin' : database),
          ...(authMechanism === undefined ? {} : { authMechanism }),
        }),
    tls: options.tls,
    ...(options.tls && options.tlsInsecure ? { tlsInsecure: true } : {}),
    readPreference: options.readPreference as NonNullable<MongoClientOptions['readPreference']>,
    connectTimeoutMS: connectTimeoutMs,
    serverSelectionTimeoutMS: connectTimeoutMs,
    socketTimeoutMS: RESPONSE_TIMEOUT_MS,
    waitQueueTimeoutMS: RESPONSE_TIMEOUT_MS,
    maxPoolSize: maxConnections,
    maxIdleTimeMS: IDLE_MS,
    serverMonitoringMode: 'poll',
    retryReads: true,
    retryWrites: false,
    // A confirmed schema write must be durable.
    writeConcern: { w: 'majority' },
  };
}
