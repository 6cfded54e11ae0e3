/** The change log: appending and reading. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { formatSignIn, readIntegerColumn, readSignIn, readTextColumn } from '../port/columns.ts';
import type { ChangeAuthor, ChangedState, ChangeHead, ChangeItem, ChangeRange, OrderedItem } from '../port/port.ts';
import type { ChangeLogItem, DatedItem, Head, ItemCursor, ItemWithCursor, OldestChanges } from '../port/rows.ts';

type Row = Readonly<Record<number, SQLOutputValue>>;

export class ChangeLogReader {
  readonly #head: StatementSync;
  readonly #oldestFirst: StatementSync;
  readonly #newestFirst: StatementSync;
  readonly #items: StatementSync;
  readonly #listItems: StatementSync;
  readonly #selectEntryNumbers: StatementSync;
  readonly #itemUpTo: StatementSync;
  readonly #itemAfter: StatementSync;
  readonly #isFileReferenced: StatementSync;
  readonly #isFileInUse: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (sql: string): StatementSync => database.prepare(sql, { returnArrays: true });
    this.#head = prepare('SELECT sequence, at_ms, announced FROM head');
    const between = 'SELECT sequence, at_ms, who, what, undoes, via FROM changes WHERE sequence > ? AND sequence < ?';
    this.#oldestFirst = prepare(`${between} ORDER BY sequence LIMIT ?`);
    this.#newestFirst = prepare(`${between} ORDER BY sequence DESC LIMIT ?`);
    this.#items = prepare(
      `SELECT kind, record_id, before, after, ordinal FROM change_items
       WHERE sequence = ? AND ordinal > ? ORDER BY ordinal LIMIT ?`,
    );
    this.#listItems = prepare(
      `SELECT kind, record_id, before, after, sequence, ordinal FROM change_items
       WHERE kind = ? AND (sequence, ordinal) > (?, ?) ORDER BY sequence, ordinal LIMIT ?`,
    );
    this.#selectEntryNumbers = prepare(
      'SELECT sequence FROM change_items WHERE record_id = ? AND sequence > ? ORDER BY sequence LIMIT ?',
    );
    const ofRecord = 'SELECT kind, record_id, before, after, sequence FROM change_items WHERE record_id = ?';
    this.#itemUpTo = prepare(`${ofRecord} AND sequence <= ? ORDER BY sequence DESC LIMIT 1`);
    this.#itemAfter = prepare(`${ofRecord} AND sequence > ? ORDER BY sequence LIMIT 1`);
    this.#isFileReferenced = prepare(
      // Times in the log never decrease, so the last entry is the youngest.
      `SELECT EXISTS (SELECT 1 FROM record_files WHERE file = ?1) OR EXISTS (SELECT 1 FROM changes
         WHERE sequence = (SELECT max(sequence) FROM change_files WHERE file = ?1) AND at_ms >= ?2)`,
    );
    this.#isFileInUse = prepare('SELECT EXISTS (SELECT 1 FROM record_files WHERE file = ?)');
  }

  readHead(): Head {
    const row = this.#head.get();
    const [position, atMs, announced] = [0, 1, 2].map((column) => readIntegerColumn(row?.[column])) as [
      number,
      number,
      number,
    ];
    return { position, atMs, announced };
  }

  listEntries(
    { after = 0, before = Number.MAX_SAFE_INTEGER, isNewestFirst = false }: ChangeRange,
    limit: number,
  ): ChangeHead[] {
    const statement = isNewestFirst ? this.#newestFirst : this.#oldestFirst;
    return statement.all(after, before, limit).map((row: Row) => {
      const sequence = readIntegerColumn(row[0]);
      return {
        sequence,
        atMs: readIntegerColumn(row[1]),
        who: readTextColumn(row[2]),
        what: readTextColumn(row[3]),
        ...(row[4] === null ? {} : { undoes: readIntegerColumn(row[4]) }),
        ...readSignIn(row[5]),
      };
    });
  }

  listChangeItems(sequence: number, after: number, limit: number): OrderedItem[] {
    return this.#items
      .all(sequence, after, limit)
      .map((row: Row) => ({ item: toItem(row), ordinal: readIntegerColumn(row[4]) }));
  }

  /** Lists the items of one kind by scanning the whole log, for the rare migration of a kind. */
  listItemsOfKind(kind: string, after: ItemCursor | undefined, limit: number): ItemWithCursor[] {
    return this.#listItems.all(kind, after?.sequence ?? -1, after?.ordinal ?? -1, limit).map((row: Row) => ({
      item: toItem(row),
      sequence: readIntegerColumn(row[4]),
      ordinal: readIntegerColumn(row[5]),
    }));
  }

  listEntryNumbers(record: string, after: number, limit: number): number[] {
    return this.#selectEntryNumbers.all(record, after, limit).map((row: Row) => readIntegerColumn(row[0]));
  }

  findItem(record: string, sequence: number, side: 'up to' | 'after'): DatedItem | undefined {
    const statement = side === 'up to' ? this.#itemUpTo : this.#itemAfter;
    const row: Row | undefined = statement.get(record, sequence);
    return row && { item: toItem(row), sequence: readIntegerColumn(row[4]) };
  }

  isFileReferenced(file: string, sinceMs: number): boolean {
    return readIntegerColumn(this.#isFileReferenced.get(file, sinceMs)?.[0]) === 1;
  }

  isFileInUse(file: string): boolean {
    return readIntegerColumn(this.#isFileInUse.get(file)?.[0]) === 1;
  }
}

export class ChangeLogWriter {
  readonly #open: StatementSync;
  readonly #insertItem: StatementSync;
  readonly #insertFile: StatementSync;
  readonly #deleteTransientItems: StatementSync;
  readonly #firstItem: StatementSync;
  readonly #moveHead: StatementSync;
  readonly #oldest: StatementSync;
  readonly #deleteItems: readonly StatementSync[];
  readonly #deleteEntries: StatementSync;

  constructor(database: DatabaseSync) {
    this.#open = database.prepare(
      'INSERT INTO changes (sequence, at_ms, who, what, undoes, via) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#insertItem = database.prepare(
      `INSERT INTO change_items (sequence, ordinal, kind, record_id, before, after) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (record_id, sequence) DO UPDATE SET after = excluded.after`,
    );
    this.#insertFile = database.prepare(
      'INSERT INTO change_files (file, sequence) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#deleteTransientItems = database.prepare(
      'DELETE FROM change_items WHERE sequence = ? AND before IS NULL AND after IS NULL',
    );
    this.#firstItem = database.prepare('SELECT 1 FROM change_items WHERE sequence = ? LIMIT 1');
    this.#moveHead = database.prepare('UPDATE head SET sequence = ?, at_ms = ?, announced = ?');
    this.#oldest = database.prepare(
      // Times in the log never decrease, so the oldest entries come first.
      'SELECT max(sequence), count(*) FROM (SELECT sequence FROM changes WHERE at_ms < ? ORDER BY sequence LIMIT ?)',
      { returnArrays: true },
    );
    this.#deleteItems = [
      `DELETE FROM change_files WHERE (file, sequence) IN
         (SELECT file, sequence FROM change_files WHERE sequence <= ? LIMIT ?)`,
      `DELETE FROM change_items WHERE (sequence, ordinal) IN
         (SELECT sequence, ordinal FROM change_items WHERE sequence <= ? LIMIT ?)`,
    ].map((sql) => database.prepare(sql));
    this.#deleteEntries = database.prepare('DELETE FROM changes WHERE sequence <= ?');
  }

  open(sequence: number, atMs: number, author: ChangeAuthor): void {
    this.#open.run(sequence, atMs, author.who, author.what, author.undoes ?? null, formatSignIn(author));
  }

  /** Logs items. A record that was already logged in this change keeps its first `before` and its position. */
  logItems(sequence: number, firstOrdinal: number, items: readonly ChangeLogItem[]): void {
    for (const [index, { kind, id, before, after, text, files }] of items.entries()) {
      this.#insertItem.run(sequence, firstOrdinal + index, kind, id, formatState(before), formatState(after, text));
      this.logFiles(sequence, files);
    }
  }

  logFiles(sequence: number, files: readonly string[]): void {
    for (const file of files) this.#insertFile.run(file, sequence);
  }

  /** Deletes the items of records that were created and deleted in the change. Returns whether any other is left. */
  pruneItems(sequence: number): boolean {
    this.#deleteTransientItems.run(sequence);
    return this.#firstItem.get(sequence) !== undefined;
  }

  moveHead({ position, atMs, announced }: Head): void {
    this.#moveHead.run(position, atMs, announced);
  }

  findOldest(beforeMs: number, limit: number): OldestChanges {
    const row: Row | undefined = this.#oldest.get(beforeMs, limit);
    const count = readIntegerColumn(row?.[1]);
    return { count, last: count === 0 ? 0 : readIntegerColumn(row?.[0]) };
  }

  deleteItems(last: number, limit: number): number {
    return this.#deleteItems.reduce((count, statement) => count + Number(statement.run(last, limit).changes), 0);
  }

  deleteEntries(last: number): void {
    this.#deleteEntries.run(last);
  }
}

/** `text` is the serialized body, if it is known. */
function formatState(state: ChangedState | null, text: string | null = null): string | null {
  if (state === null) return null;
  const { parent, name, body } = state;
  return `${JSON.stringify({ parent, name }).slice(0, -1)},"body":${text ?? JSON.stringify(body)}}`;
}

function toItem(row: Row): ChangeItem {
  return { kind: readTextColumn(row[0]), id: readTextColumn(row[1]), before: toState(row[2]), after: toState(row[3]) };
}

function toState(column: SQLOutputValue | undefined): ChangedState | null {
  if (column === null) return null;
  // `formatState` wrote the text, so its type is known.
  return JSON.parse(readTextColumn(column)) as ChangedState;
}
