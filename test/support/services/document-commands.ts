/** The commands of the small document database: documents are stored unchanged and queried through a query engine. */
import { Aggregator, Query } from 'mingo';
import { BSON } from 'mongodb';

type Document = BSON.Document;

interface Collection {
  documents: Document[];
  readonly indexes: Document[];
}

export type Database = Map<string, Collection>;

interface Cursor {
  readonly namespace: string;
  left: Document[];
}

const cursors = new Map<number, Cursor>();
let lastCursor = 0;

const FIRST_BATCH = 101;

type Handler = (database: Database, command: Document, context: Context) => Document;

interface Context {
  readonly name: string;
  readonly databases: Map<string, Database>;
}

export function runCommand(databases: Map<string, Database>, name: string, command: Document): Document {
  const [verb = ''] = Object.keys(command);
  const handler = handlers[verb.toLowerCase()];
  if (handler === undefined) return failure(59, 'CommandNotFound', `no such command: '${verb}'`);
  const database = databases.get(name) ?? new Map<string, Collection>();
  databases.set(name, database);
  try {
    return { ...handler(database, command, { name, databases }), ok: 1 };
  } catch (error) {
    return failure(2, 'BadValue', error instanceof Error ? error.message : String(error));
  }
}

function failure(code: number, codeName: string, errmsg: string): Document {
  return { ok: 0, code, codeName, errmsg };
}

const greeting: Handler = () => ({
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  localTime: new Date(0),
  logicalSessionTimeoutMinutes: 30,
  connectionId: 1,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
});

const handlers: Readonly<Record<string, Handler>> = {
  hello: greeting,
  ismaster: greeting,
  ping: () => ({}),
  endsessions: () => ({}),
  buildinfo: () => ({ version: '7.0.0', versionArray: [7, 0, 0, 0] }),
  listdatabases: (_database, _command, { databases }) => ({
    databases: [...databases.keys()].map((name) => ({ name, sizeOnDisk: 0, empty: false })),
  }),
  listcollections: (database, _command, { name }) => ({
    cursor: {
      id: BSON.Long.ZERO,
      ns: `${name}.$cmd.listCollections`,
      firstBatch: [...database.keys()].map((each) => ({ name: each, type: 'collection', options: {}, info: {} })),
    },
  }),
  listindexes: (database, command, { name }) => {
    const of = String(command['listIndexes']);
    const indexes = database.get(of)?.indexes;
    if (indexes === undefined) return { ...failure(26, 'NamespaceNotFound', `ns does not exist: ${name}.${of}`) };
    return { cursor: { id: BSON.Long.ZERO, ns: `${name}.${of}`, firstBatch: indexes } };
  },
  createindexes: (database, command) => {
    findCollection(database, command['createIndexes']).indexes.push(...command['indexes']);
    return { numIndexesBefore: 1, numIndexesAfter: 2 };
  },
  create: (database, command) => {
    findCollection(database, command['create']);
    return {};
  },
  drop: (database, command) => {
    database.delete(String(command['drop']));
    return {};
  },
  dropdatabase: (database) => {
    database.clear();
    return {};
  },
  insert: (database, command) => {
    findCollection(database, command['insert']).documents.push(...command['documents']);
    return { n: command['documents'].length };
  },
  find: (database, command, { name }) => {
    const found = matching(database, command['find'], command['filter'], command['sort']);
    const { skip, limit } = command;
    const from = Number(skip ?? 0);
    const end = Number(limit ?? 0) === 0 ? undefined : from + Math.abs(Number(limit));
    const batch = Number(command['batchSize'] ?? FIRST_BATCH);
    return { cursor: openCursor(`${name}.${command['find']}`, found.slice(from, end), batch) };
  },
  getmore: (_database, command) => {
    const id = Number(command['getMore']);
    const cursor = cursors.get(id);
    if (cursor === undefined) return failure(43, 'CursorNotFound', `cursor id ${id} not found`);
    const batch = cursor.left.splice(0, Number(command['batchSize'] ?? 1_000));
    if (cursor.left.length === 0) cursors.delete(id);
    const next = cursor.left.length === 0 ? 0 : id;
    return { cursor: { id: BSON.Long.fromNumber(next), ns: cursor.namespace, nextBatch: batch } };
  },
  killcursors: (_database, command) => {
    for (const id of command['cursors']) cursors.delete(Number(id));
    return { cursorsKilled: command['cursors'], cursorsNotFound: [], cursorsAlive: [], cursorsUnknown: [] };
  },
  count: (database, command) => ({ n: matching(database, command['count'], command['query']).length }),
  aggregate: (database, command, { name }) => {
    const plains = (database.get(String(command['aggregate']))?.documents ?? []).map((each) => plain(each) as Document);
    const results = new Aggregator(plain(command['pipeline']) as Document[]).run(plains) as Document[];
    return {
      cursor: openCursor(`${name}.${command['aggregate']}`, results, Number(command['cursor']?.batchSize ?? 101)),
    };
  },
  update: (database, command) => {
    const collection = findCollection(database, command['update']);
    let changed = 0;
    const upserted: Document[] = [];
    for (const [index, { q, u, upsert }] of command['updates'].entries()) {
      const [first] = matching(database, command['update'], q);
      if (first !== undefined) {
        const at = collection.documents.indexOf(first);
        collection.documents[at] = { _id: first['_id'], ...u };
        changed += 1;
      } else if (upsert === true) {
        const document = { _id: q['_id'] ?? new BSON.ObjectId(), ...u };
        collection.documents.push(document);
        upserted.push({ index, _id: document._id });
      }
    }
    return { n: changed + upserted.length, nModified: changed, ...(upserted.length === 0 ? {} : { upserted }) };
  },
  delete: (database, command) => {
    const collection = findCollection(database, command['delete']);
    let deleted = 0;
    for (const { q, limit } of command['deletes']) {
      const found = matching(database, command['delete'], q);
      const gone = new Set(Number(limit) === 1 ? found.slice(0, 1) : found);
      collection.documents = collection.documents.filter((each) => !gone.has(each));
      deleted += gone.size;
    }
    return { n: deleted };
  },
};

function findCollection(database: Database, name: unknown): Collection {
  const key = String(name);
  const collection = database.get(key) ?? { documents: [], indexes: [{ v: 2, key: { _id: 1 }, name: '_id_' }] };
  database.set(key, collection);
  return collection;
}

function openCursor(namespace: string, documents: Document[], batch: number): Document {
  const first = documents.slice(0, batch);
  const left = documents.slice(batch);
  if (left.length === 0) return { id: BSON.Long.ZERO, ns: namespace, firstBatch: first };
  lastCursor += 1;
  cursors.set(lastCursor, { namespace, left });
  return { id: BSON.Long.fromNumber(lastCursor), ns: namespace, firstBatch: first };
}

/** The documents found by the query engine, unchanged. */
function matching(database: Database, name: unknown, filter: unknown = {}, sort: unknown = {}): Document[] {
  const documents = database.get(String(name))?.documents ?? [];
  const places = documents.map((each, place) => ({ ...(plain(each) as Document), [PLACE]: place }));
  const query = new Query(plain(filter) as Document, {});
  const cursor = query.find<Document>(places);
  const order = plain(sort) as Record<string, 1 | -1>;
  const found = (Object.keys(order).length === 0 ? cursor : cursor.sort(order)).all();
  return found.flatMap((each) => documents[Number(each[PLACE])] ?? []);
}

const PLACE = '\u0000place';

/** Values that the query engine can compare: numbers for all numeric types, strings for ids. */
function plain(value: unknown): unknown {
  if (value instanceof BSON.ObjectId) return `ObjectId(${value.toHexString()})`;
  if (value instanceof BSON.Int32 || value instanceof BSON.Double) return value.valueOf();
  if (value instanceof BSON.Long) return value.toNumber();
  if (value instanceof BSON.Decimal128) return Number(value.toString());
  if (value instanceof Date || value instanceof RegExp || typeof value !== 'object' || value === null) return value;
  if (value instanceof BSON.BSONRegExp) return new RegExp(value.pattern, value.options);
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}
