/** The change log: appending and reading. */
import {
  formatSignIn,
  readIntegerColumn,
  readJsonObjectColumn,
  readNullableTextColumn,
  readSignIn,
  readTextColumn,
} from '../../port/columns.ts';
import type { ChangeAuthor, ChangedState, ChangeHead, ChangeItem, ChangeRange, OrderedItem } from '../../port/port.ts';
import type { ChangeLogItem, DatedItem, ItemCursor, ItemWithCursor, OldestChanges } from '../../port/rows.ts';
import { type BoundStatement, prepareStatement, type Row, type RunQuery } from '../connection/statement.ts';

const selectBetween =
  'SELECT sequence, at_ms, who, what, undoes, via FROM changes WHERE sequence > $1 AND sequence < $2';
const oldestFirst = prepareStatement('changes', `${selectBetween} ORDER BY sequence LIMIT $3`);
const newestFirst = prepareStatement('changes_newest', `${selectBetween} ORDER BY sequence DESC LIMIT $3`);
const item = 'kind, record_id, before, parent_before, name_before, after, parent_after, name_after, sequence, ordinal';
const items = prepareStatement(
  'items',
  `SELECT ${item} FROM change_items WHERE sequence = $1 AND ordinal > $2 ORDER BY ordinal LIMIT $3`,
);
const listItems = prepareStatement(
  'list_items',
  `SELECT ${item} FROM change_items WHERE kind = $1 AND (sequence, ordinal) > ($2, $3) ORDER BY sequence, ordinal LIMIT $4`,
);
const selectEntryNumbers = prepareStatement(
  'entries_of',
  'SELECT sequence FROM change_items WHERE record_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3',
);
const selectRecordItems = `SELECT ${item} FROM change_items WHERE record_id = $1`;
const itemUpTo = prepareStatement(
  'item_up_to',
  `${selectRecordItems} AND sequence <= $2 ORDER BY sequence DESC LIMIT 1`,
);
const itemAfter = prepareStatement('item_after', `${selectRecordItems} AND sequence > $2 ORDER BY sequence LIMIT 1`);
const isFileReferenced = prepareStatement(
  'is_file_named',
  // Times in the log never decrease, so the last entry is the youngest.
  `SELECT EXISTS (SELECT FROM record_files WHERE file = $1) OR EXISTS (SELECT FROM changes
     WHERE sequence = (SELECT max(sequence) FROM change_files WHERE file = $1) AND at_ms >= $2)`,
);
const isFileInUse = prepareStatement('is_file_in_use', 'SELECT EXISTS (SELECT FROM record_files WHERE file = $1)');

const open = prepareStatement(
  'open_change',
  `INSERT INTO changes (sequence, at_ms, who, what, undoes, via, nonce)
   SELECT c.sequence, c.at_ms, c.who, c.what, c.undoes, c.via, $7
   FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[])
     c (sequence, at_ms, who, what, undoes, via)`,
);
const insertItems = prepareStatement(
  'note_items',
  `INSERT INTO change_items (sequence, ordinal, kind, record_id, before, parent_before, name_before, after, parent_after, name_after)
   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
     $8::text[], $9::text[], $10::text[])
   ON CONFLICT (record_id, sequence) DO UPDATE
   SET after = excluded.after, parent_after = excluded.parent_after, name_after = excluded.name_after`,
);
const insertFiles = prepareStatement(
  'note_files',
  'INSERT INTO change_files (file, sequence) SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT DO NOTHING',
);
const deleteTransientItems = prepareStatement(
  'drop_passing',
  'DELETE FROM change_items WHERE sequence = $1 AND before IS NULL AND after IS NULL',
);
const hasItems = prepareStatement('has_items', 'SELECT EXISTS (SELECT FROM change_items WHERE sequence = $1)');
const oldest = prepareStatement(
  'oldest_changes',
  // Times in the log never decrease, so the oldest entries come first.
  `SELECT coalesce(max(sequence), 0), count(*) FROM (
     SELECT sequence FROM (SELECT sequence, at_ms FROM changes ORDER BY sequence LIMIT $2) f WHERE at_ms < $1) o`,
);
const deleteFiles = prepareStatement(
  'forget_files',
  `WITH gone AS (DELETE FROM change_files WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM change_files WHERE sequence <= $1 LIMIT $2)) RETURNING 1) SELECT count(*) FROM gone`,
);
const deleteItems = prepareStatement(
  'forget_items',
  `WITH gone AS (DELETE FROM change_items WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM change_items WHERE sequence <= $1 LIMIT $2)) RETURNING 1) SELECT count(*) FROM gone`,
);
const deleteEntries = prepareStatement('forget_entries', 'DELETE FROM changes WHERE sequence <= $1');

export class ChangeLogReader {
  readonly #query: RunQuery;

  constructor(ask: RunQuery) {
    this.#query = ask;
  }

  async listEntries(
    { after = 0, before = Number.MAX_SAFE_INTEGER, isNewestFirst = false }: ChangeRange,
    limit: number,
  ): Promise<ChangeHead[]> {
    const rows = await this.#query(isNewestFirst ? newestFirst : oldestFirst, [after, before, limit]);
    return rows.map((row) => ({
      sequence: readIntegerColumn(row[0]),
      atMs: readIntegerColumn(row[1]),
      who: readTextColumn(row[2]),
      what: readTextColumn(row[3]),
      ...(row[4] === null ? {} : { undoes: readIntegerColumn(row[4]) }),
      ...readSignIn(row[5]),
    }));
  }

  async listChangeItems(sequence: number, after: number, limit: number): Promise<OrderedItem[]> {
    const rows = await this.#query(items, [sequence, after, limit]);
    return rows.map((row) => ({ item: toItem(row), ordinal: readIntegerColumn(row[9]) }));
  }

  /** Lists the items of one kind by scanning the whole log, for the rare migration of a kind. */
  async listItemsOfKind(kind: string, after: ItemCursor | undefined, limit: number): Promise<ItemWithCursor[]> {
    const rows = await this.#query(listItems, [kind, after?.sequence ?? -1, after?.ordinal ?? -1, limit]);
    return rows.map((row) => ({
      item: toItem(row),
      sequence: readIntegerColumn(row[8]),
      ordinal: readIntegerColumn(row[9]),
    }));
  }

  async listEntryNumbers(record: string, after: number, limit: number): Promise<number[]> {
    return (await this.#query(selectEntryNumbers, [record, after, limit])).map((row) => readIntegerColumn(row[0]));
  }

  async findItem(record: string, sequence: number, side: 'up to' | 'after'): Promise<DatedItem | undefined> {
    const [row] = await this.#query(side === 'up to' ? itemUpTo : itemAfter, [record, sequence]);
    return row && { item: toItem(row), sequence: readIntegerColumn(row[8]) };
  }

  async isFileReferenced(file: string, sinceMs: number): Promise<boolean> {
    return (await this.#query(isFileReferenced, [file, sinceMs]))[0]?.[0] === true;
  }

  async isFileInUse(file: string): Promise<boolean> {
    return (await this.#query(isFileInUse, [file]))[0]?.[0] === true;
  }
}

export interface LoggedChange {
  readonly sequence: number;
  readonly atMs: number;
  readonly author: ChangeAuthor;
}

export interface LoggedItem {
  readonly sequence: number;
  readonly ordinal: number;
  readonly item: ChangeLogItem;
}

export interface LoggedFile {
  readonly sequence: number;
  readonly file: string;
}

/** The nonce is unique for each transaction and shared by its changes. */
export function logChanges(changes: readonly LoggedChange[], nonce: string): BoundStatement {
  const authors = changes.map(({ author }) => author);
  return [
    open,
    [
      changes.map(({ sequence }) => sequence),
      changes.map(({ atMs }) => atMs),
      authors.map(({ who }) => who),
      authors.map(({ what }) => what),
      authors.map(({ undoes }) => undoes ?? null),
      authors.map(formatSignIn),
      nonce,
    ],
  ];
}

/** Logs each record once per change; a record that was already logged keeps its first `before` and its position. */
export function logItems(logged: readonly LoggedItem[]): BoundStatement {
  const items = logged.map(({ item }) => item);
  return [
    insertItems,
    [
      logged.map(({ sequence }) => sequence),
      logged.map(({ ordinal }) => ordinal),
      items.map(({ kind }) => kind),
      items.map(({ id }) => id),
      ...toStateColumns(items.map(({ before }) => before)),
      ...toStateColumns(
        items.map(({ after }) => after),
        items.map(({ text }) => text),
      ),
    ],
  ];
}

export function logFiles(files: readonly LoggedFile[]): BoundStatement {
  return [insertFiles, [files.map(({ file }) => file), files.map(({ sequence }) => sequence)]];
}

/** Deletes the items of records that were created and deleted in the change. Returns whether any other is left. */
export async function pruneChangeItems(ask: RunQuery, sequence: number): Promise<boolean> {
  const [, rows] = await Promise.all([ask(deleteTransientItems, [sequence]), ask(hasItems, [sequence])]);
  return rows[0]?.[0] === true;
}

export async function findOldestChanges(ask: RunQuery, beforeMs: number, limit: number): Promise<OldestChanges> {
  const [row] = await ask(oldest, [beforeMs, limit]);
  return { last: readIntegerColumn(row?.[0]), count: readIntegerColumn(row?.[1]) };
}

export async function deleteChangeItems(ask: RunQuery, last: number, limit: number): Promise<number> {
  const gone = await Promise.all([ask(deleteFiles, [last, limit]), ask(deleteItems, [last, limit])]);
  return gone.reduce((count, rows) => count + readIntegerColumn(rows[0]?.[0]), 0);
}

export function deleteChangeEntries(last: number): BoundStatement {
  return [deleteEntries, [last]];
}

/** Returns bodies, parents and names of states as columns; `texts` are serialized bodies, if they are known. */
function toStateColumns(
  states: readonly (ChangedState | null)[],
  texts: readonly (string | null)[] = [],
): readonly (readonly (string | null)[])[] {
  return [
    states.map((state, index) => state && (texts[index] ?? JSON.stringify(state.body))),
    states.map((state) => state?.parent ?? null),
    states.map((state) => state?.name ?? null),
  ];
}

function toItem(row: Row): ChangeItem {
  return {
    kind: readTextColumn(row[0]),
    id: readTextColumn(row[1]),
    before: toState(row[2], row[3], row[4]),
    after: toState(row[5], row[6], row[7]),
  };
}

function toState(body: unknown, parent: unknown, name: unknown): ChangedState | null {
  return body === null
    ? null
    : { parent: readNullableTextColumn(parent), name: readTextColumn(name), body: readJsonObjectColumn(body) };
}
