/** A data directory as the source or the target of a copy. */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { readIntegerColumn, readTextColumn } from '../port/columns.ts';
import type { ChangedState } from '../port/port.ts';
import { openReader, openWriter } from '../sqlite/connection.ts';
import { isMigrated, migrate } from '../sqlite/migrations.ts';
import type { CopiedBlob, CopiedRow, CopiedTable, CopySource, CopyTarget } from './tables.ts';

const ROWS_AT_ONCE = 2_000;
const PURGED = '.purged';

/** SQLite stores each record state in the log as one JSON text. */
const ITEMS = 'change_items';
const itemColumns = ['sequence', 'ordinal', 'kind', 'record_id', 'before', 'after'];

export interface SqliteLocation {
  /** The folder of the stored files. */
  readonly directory: string;
  /** The path of the database file. */
  readonly database: string;
}

/** Reads one snapshot, also while a server is using the directory. */
export function openSqliteSource(place: SqliteLocation): CopySource {
  const database = openReader(place.database);
  database.exec('BEGIN');
  // The first statement takes the snapshot.
  if (isMigrated(database)) return createSource(database, place.directory);
  database.close();
  throw new Error('its database has the schema of another version. Stop the server, or use its version');
}

/** Creates the database in a directory that is not visible yet. */
export async function openSqliteTarget(place: SqliteLocation): Promise<CopyTarget> {
  const database = openWriter(place.database);
  migrate(database);
  database.exec('BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON');
  const { directory } = place;
  return {
    ...createSource(database, directory),
    async insert(table, rows) {
      const columns = table.name === ITEMS ? itemColumns : table.columns;
      const statement = database.prepare(
        `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of rows) statement.run(...(table.name === ITEMS ? joinItem(row) : row));
    },
    async setHead({ sequence, atMs, announced }) {
      database.prepare('UPDATE head SET sequence = ?, at_ms = ?, announced = ?').run(sequence, atMs, announced);
    },
    async put(shelf, { hash, bytes }, pieces) {
      const folder = join(directory, shelf, hash.slice(0, 2));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (bytes === null) {
        await writeFile(join(folder, `${hash}${PURGED}`), '', { mode: 0o600 });
        return;
      }
      const handle = await open(join(folder, hash), 'wx', 0o400);
      try {
        for await (const piece of pieces) await handle.writeFile(piece);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    async commit() {
      database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = FULL');
      database.exec('UPDATE head SET at_ms = at_ms');
    },
  };
}

function createSource(database: DatabaseSync, directory: string): CopySource {
  return {
    async readHead() {
      const row = database
        .prepare('SELECT sequence, at_ms, announced FROM head', { returnArrays: true })
        .get() as unknown as CopiedRow;
      return {
        sequence: readIntegerColumn(row[0]),
        atMs: readIntegerColumn(row[1]),
        announced: readIntegerColumn(row[2]),
      };
    },
    async *readRows(table) {
      yield* readRows(database, table);
    },
    async *listBlobs(shelf) {
      const folders = (await listNames(join(directory, shelf))).filter((name) => name.length === 2);
      for (const start of folders.toSorted()) yield* listBlobs(join(directory, shelf, start));
    },
    read: (shelf, hash) =>
      createReadStream(join(directory, shelf, hash.slice(0, 2), hash), { highWaterMark: 1024 * 1024 }),
    async close() {
      database.close();
    },
  };
}

async function* listBlobs(folder: string): AsyncGenerator<CopiedBlob> {
  const names = new Set(await listNames(folder));
  const hashes = new Set([...names].map((name) => name.replace(PURGED, '')));
  for (const hash of [...hashes].toSorted()) {
    yield { hash, bytes: names.has(hash) ? (await stat(join(folder, hash))).size : null };
  }
}

async function listNames(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Reads pages in the order of the primary key: an iterator takes twice as long for each row. */
function* readRows(database: DatabaseSync, { name, columns, order }: CopiedTable): Generator<readonly CopiedRow[]> {
  const selected = name === ITEMS ? itemColumns : columns;
  const keys = order.split(', ').map((column) => selected.indexOf(column));
  const prepare = (condition: string) => {
    const query = `SELECT ${selected.join(', ')} FROM ${name} ${condition} ORDER BY ${order} LIMIT ${ROWS_AT_ONCE}`;
    return database.prepare(query, { returnArrays: true });
  };
  const following = prepare(`WHERE (${order}) > (${keys.map(() => '?').join(', ')})`);
  let page = prepare('').all() as unknown as readonly CopiedRow[];
  for (;;) {
    const last = page.at(-1);
    if (last === undefined) return;
    yield name === ITEMS ? page.map(splitItem) : page;
    if (page.length < ROWS_AT_ONCE) return;
    page = following.all(...keys.map((at) => last[at] ?? null)) as unknown as readonly CopiedRow[];
  }
}

/** A state as it is written. The body needs not be parsed, which would take most of the time of a copy. */
const statePattern = /^\{"parent":(null|"[^"\\]*"),"name":("(?:[^"\\]|\\.)*"),"body":(\{.*\})\}$/s;

function splitItem([sequence, ordinal, kind, id, before, after]: CopiedRow): CopiedRow {
  const parts = [before, after].flatMap((state): CopiedRow => {
    if (state === null || state === undefined) return [null, null, null];
    const [, parentText, nameText, bodyText] = statePattern.exec(readTextColumn(state)) ?? [];
    if (parentText !== undefined && nameText !== undefined && bodyText !== undefined) {
      return [JSON.parse(parentText) as string | null, JSON.parse(nameText) as string, bodyText];
    }
    const { parent, name, body } = JSON.parse(readTextColumn(state)) as ChangedState;
    return [parent, name, JSON.stringify(body)];
  });
  return [sequence ?? null, ordinal ?? null, kind ?? null, id ?? null, ...parts];
}

function joinItem(row: CopiedRow): CopiedRow {
  const formatState = (at: number): string | null => {
    const [parent = null, name, body] = row.slice(at, at + 3);
    if (name === null || name === undefined) return null;
    return JSON.stringify({ parent, name, body: JSON.parse(readTextColumn(body)) });
  };
  return [...row.slice(0, 4), formatState(4), formatState(7)];
}
