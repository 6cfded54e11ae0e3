/**
 * The connections to one document database: limited in number, each with a deadline, and protected against faulty
 * servers.
 */
import { type BSON, MongoClient, type MongoClientOptions } from 'mongodb';
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
  const addresses = listAddresses(connection);
  const options = { ...createClientOptions(connection), connectionType: createGuardedConnection(addresses) };
  const client = new MongoClient(`mongodb://${addresses.join(',')}/`, options);
  const database = client.db(connection.database);
  let open = 0;
  let inUse = 0;
  client.on('connectionCreated', () => {
    open += 1;
  });
  client.on('connectionClosed', () => {
    open -= 1;
  });
  client.on('connectionCheckedOut', () => {
    inUse += 1;
  });
  client.on('connectionCheckedIn', () => {
    inUse -= 1;
  });

  /**
   * An abort releases the caller immediately, and so does a refused connection to the only host, on which the driver
   * would wait.
   */
  const runQuery = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    stopped.catch(() => undefined);
    const stop = (): void => reject(signal.reason);
    const fail = ({ failure }: { readonly failure: Error }): void => {
      if (connection.hosts.length === 1) reject(failure);
    };
    signal.addEventListener('abort', stop, { once: true });
    client.on('serverHeartbeatFailed', fail);
    const working = work();
    working.catch(() => undefined);
    try {
      return await Promise.race([working, stopped]);
    } catch (error) {
      throw signal.aborted ? signal.reason : toProblem(error, connection.database);
    } finally {
      signal.removeEventListener('abort', stop);
      client.off('serverHeartbeatFailed', fail);
    }
  };

  async function* read(name: string, query: DocumentQuery, signal: AbortSignal) {
    const { ids, limit = Number.POSITIVE_INFINITY, filter = {} } = query;
    if (limit <= 0) return;
    const wanted = ids === undefined ? filter : { $and: [filter, { _id: { $in: ids.flatMap(listIdValues) } }] };
    const cursor = database.collection(name).find(wanted, {
      promoteValues: false,
      batchSize: Math.min(BATCH_DOCUMENTS, limit),
      ...(Number.isSafeInteger(limit) ? { limit } : {}),
      signal,
    });
    try {
      for (;;) {
        const first = await runQuery(signal, () => cursor.next());
        if (first === null) return;
        const batch = [first, ...cursor.readBufferedDocuments()];
        yield batch.map(toIdentifiedDocument);
      }
    } finally {
      // A read that stops early leaves a cursor in the database; closing it is not awaited.
      void cursor.close().catch(() => undefined);
    }
  }

  return {
    listCollections: (signal) =>
      runQuery(signal, async () => {
        const found = await database.listCollections({}, { nameOnly: true }).toArray();
        return found
          .map(({ name }): unknown => name)
          .filter((name) => typeof name === 'string')
          .filter((name) => !name.startsWith('system.'))
          .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      }),
    listSpatialIndexes: (name, signal) =>
      runQuery(signal, async () => {
        const found = await database.listCollections({ name }, { nameOnly: true }).toArray();
        if (!found.some((each) => each.name === name)) return [];
        const indexes = await database.collection(name).listIndexes().toArray();
        return indexes.flatMap(({ key }) => listSpatialPaths(key));
      }),
    read,
    count: (name, signal) => runQuery(signal, () => database.collection(name).estimatedDocumentCount()),
    readNamed: (name, field, signal) =>
      runQuery(signal, async () => {
        const found = await database.collection(name).find({}, { limit: MAX_NAMED_DOCUMENTS }).toArray();
        return new Map(
          found.flatMap((each) => (typeof each[field] === 'string' ? [[each[field], each] as const] : [])),
        );
      }),
    replaceNamed: (name, field, { put, remove }, signal) =>
      runQuery(signal, async () => {
        if (put.size + remove.length === 0) return;
        await database.collection(name).bulkWrite(
          [
            ...[...put].map(([key, document]) => ({
              replaceOne: { filter: { [field]: key }, replacement: document, upsert: true },
            })),
            ...remove.map((key) => ({ deleteOne: { filter: { [field]: key } } })),
          ],
          { ordered: true },
        );
      }),
    countConnections: () => ({ open, idle: Math.max(0, open - inUse), waiting: 0 }),
    close: () => client.close(true),
  };
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
