/** The log of changes: what a transaction appends to it, and how it is read back. */
import { integerColumn, jsonObjectColumn, nullableTextColumn, textColumn } from '../columns.ts';
import type { ChangeAuthor, ChangedState, ChangeHead, ChangeItem, ChangeRange, OrderedItem } from '../port.ts';
import type { DatedItem, ItemPlace, NotedItem, OldestChanges, PlacedItem } from '../rows.ts';
import { type Ask, prepared, type Row, type SentStatement } from './statement.ts';

const between = 'SELECT sequence, at_ms, who, what, undoes FROM changes WHERE sequence > $1 AND sequence < $2';
const oldestFirst = prepared('changes', `${between} ORDER BY sequence LIMIT $3`);
const newestFirst = prepared('changes_newest', `${between} ORDER BY sequence DESC LIMIT $3`);
const item = 'kind, record_id, before, parent_before, name_before, after, parent_after, name_after, sequence, ordinal';
const items = prepared(
  'items',
  `SELECT ${item} FROM change_items WHERE sequence = $1 AND ordinal > $2 ORDER BY ordinal LIMIT $3`,
);
const listItems = prepared(
  'list_items',
  `SELECT ${item} FROM change_items WHERE kind = $1 AND (sequence, ordinal) > ($2, $3) ORDER BY sequence, ordinal LIMIT $4`,
);
const entriesOf = prepared(
  'entries_of',
  'SELECT sequence FROM change_items WHERE record_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3',
);
const ofRecord = `SELECT ${item} FROM change_items WHERE record_id = $1`;
const itemUpTo = prepared('item_up_to', `${ofRecord} AND sequence <= $2 ORDER BY sequence DESC LIMIT 1`);
const itemAfter = prepared('item_after', `${ofRecord} AND sequence > $2 ORDER BY sequence LIMIT 1`);
const isFileNamed = prepared(
  'is_file_named',
  // Times never run backwards in the log, so that the last entry is the youngest.
  `SELECT EXISTS (SELECT FROM record_files WHERE file = $1) OR EXISTS (SELECT FROM changes
     WHERE sequence = (SELECT max(sequence) FROM change_files WHERE file = $1) AND at_ms >= $2)`,
);
const isFileInUse = prepared('is_file_in_use', 'SELECT EXISTS (SELECT FROM record_files WHERE file = $1)');

const open = prepared(
  'open_change',
  `INSERT INTO changes (sequence, at_ms, who, what, undoes, nonce)
   SELECT c.sequence, c.at_ms, c.who, c.what, c.undoes, $6
   FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[]) c (sequence, at_ms, who, what, undoes)`,
);
const note = prepared(
  'note_items',
  `INSERT INTO change_items (sequence, ordinal, kind, record_id, before, parent_before, name_before, after, parent_after, name_after)
   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
     $8::text[], $9::text[], $10::text[])
   ON CONFLICT (record_id, sequence) DO UPDATE
   SET after = excluded.after, parent_after = excluded.parent_after, name_after = excluded.name_after`,
);
const noteFiles = prepared(
  'note_files',
  'INSERT INTO change_files (file, sequence) SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT DO NOTHING',
);
const dropPassing = prepared(
  'drop_passing',
  'DELETE FROM change_items WHERE sequence = $1 AND before IS NULL AND after IS NULL',
);
const hasItems = prepared('has_items', 'SELECT EXISTS (SELECT FROM change_items WHERE sequence = $1)');
const oldest = prepared(
  'oldest_changes',
  // Times never run backwards in the log, so that the oldest entries are the first ones.
  `SELECT coalesce(max(sequence), 0), count(*) FROM (
     SELECT sequence FROM (SELECT sequence, at_ms FROM changes ORDER BY sequence LIMIT $2) f WHERE at_ms < $1) o`,
);
const forgetFiles = prepared(
  'forget_files',
  `WITH gone AS (DELETE FROM change_files WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM change_files WHERE sequence <= $1 LIMIT $2)) RETURNING 1) SELECT count(*) FROM gone`,
);
const forgetItems = prepared(
  'forget_items',
  `WITH gone AS (DELETE FROM change_items WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM change_items WHERE sequence <= $1 LIMIT $2)) RETURNING 1) SELECT count(*) FROM gone`,
);
const forgetEntries = prepared('forget_entries', 'DELETE FROM changes WHERE sequence <= $1');

export class ChangeLogReader {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async entries(
    { after = 0, before = Number.MAX_SAFE_INTEGER, isNewestFirst = false }: ChangeRange,
    limit: number,
  ): Promise<ChangeHead[]> {
    const rows = await this.#ask(isNewestFirst ? newestFirst : oldestFirst, [after, before, limit]);
    return rows.map((row) => ({
      sequence: integerColumn(row[0]),
      atMs: integerColumn(row[1]),
      who: textColumn(row[2]),
      what: textColumn(row[3]),
      ...(row[4] === null ? {} : { undoes: integerColumn(row[4]) }),
    }));
  }

  async itemsOf(sequence: number, after: number, limit: number): Promise<OrderedItem[]> {
    const rows = await this.#ask(items, [sequence, after, limit]);
    return rows.map((row) => ({ item: toItem(row), ordinal: integerColumn(row[9]) }));
  }

  /** Items of one kind; read through the whole log, for the rare day on which a kind is written down otherwise. */
  async listItems(kind: string, after: ItemPlace | undefined, limit: number): Promise<PlacedItem[]> {
    const rows = await this.#ask(listItems, [kind, after?.sequence ?? -1, after?.ordinal ?? -1, limit]);
    return rows.map((row) => ({
      item: toItem(row),
      sequence: integerColumn(row[8]),
      ordinal: integerColumn(row[9]),
    }));
  }

  async entriesOf(record: string, after: number, limit: number): Promise<number[]> {
    return (await this.#ask(entriesOf, [record, after, limit])).map((row) => integerColumn(row[0]));
  }

  async itemOf(record: string, sequence: number, side: 'up to' | 'after'): Promise<DatedItem | undefined> {
    const [row] = await this.#ask(side === 'up to' ? itemUpTo : itemAfter, [record, sequence]);
    return row && { item: toItem(row), sequence: integerColumn(row[8]) };
  }

  async isFileNamed(file: string, sinceMs: number): Promise<boolean> {
    return (await this.#ask(isFileNamed, [file, sinceMs]))[0]?.[0] === true;
  }

  async isFileInUse(file: string): Promise<boolean> {
    return (await this.#ask(isFileInUse, [file]))[0]?.[0] === true;
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
  readonly item: NotedItem;
}

export interface LoggedFile {
  readonly sequence: number;
  readonly file: string;
}

/** The nonce is the same for all changes of one transaction, and for no others. */
export function logChanges(changes: readonly LoggedChange[], nonce: string): SentStatement {
  const authors = changes.map(({ author }) => author);
  return [
    open,
    [
      changes.map(({ sequence }) => sequence),
      changes.map(({ atMs }) => atMs),
      authors.map(({ who }) => who),
      authors.map(({ what }) => what),
      authors.map(({ undoes }) => undoes ?? null),
      nonce,
    ],
  ];
}

/** Each record once for each change; one written before in that change keeps its first `before` and its place. */
export function logItems(logged: readonly LoggedItem[]): SentStatement {
  const items = logged.map(({ item }) => item);
  return [
    note,
    [
      logged.map(({ sequence }) => sequence),
      logged.map(({ ordinal }) => ordinal),
      items.map(({ kind }) => kind),
      items.map(({ id }) => id),
      ...statesOf(items.map(({ before }) => before)),
      ...statesOf(
        items.map(({ after }) => after),
        items.map(({ text }) => text),
      ),
    ],
  ];
}

export function logFiles(files: readonly LoggedFile[]): SentStatement {
  return [noteFiles, [files.map(({ file }) => file), files.map(({ sequence }) => sequence)]];
}

/** Drops the items of records that came and went inside a change, and tells whether any other is left. */
export async function settleChangeItems(ask: Ask, sequence: number): Promise<boolean> {
  const [, rows] = await Promise.all([ask(dropPassing, [sequence]), ask(hasItems, [sequence])]);
  return rows[0]?.[0] === true;
}

export async function findOldestChanges(ask: Ask, beforeMs: number, limit: number): Promise<OldestChanges> {
  const [row] = await ask(oldest, [beforeMs, limit]);
  return { last: integerColumn(row?.[0]), count: integerColumn(row?.[1]) };
}

export async function forgetChangeItems(ask: Ask, last: number, limit: number): Promise<number> {
  const gone = await Promise.all([ask(forgetFiles, [last, limit]), ask(forgetItems, [last, limit])]);
  return gone.reduce((count, rows) => count + integerColumn(rows[0]?.[0]), 0);
}

export function forgetChangeEntries(last: number): SentStatement {
  return [forgetEntries, [last]];
}

/** Bodies, parents and names of states, side by side; `texts` are those of the bodies, where they are known. */
function statesOf(
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
    kind: textColumn(row[0]),
    id: textColumn(row[1]),
    before: toState(row[2], row[3], row[4]),
    after: toState(row[5], row[6], row[7]),
  };
}

function toState(body: unknown, parent: unknown, name: unknown): ChangedState | null {
  return body === null
    ? null
    : { parent: nullableTextColumn(parent), name: textColumn(name), body: jsonObjectColumn(body) };
}
