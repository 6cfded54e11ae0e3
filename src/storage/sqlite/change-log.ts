/** The log of changes: what a transaction appends to it, and how it is read back. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { ChangeAuthor, ChangedState, ChangeEntry, ChangeItem } from '../port.ts';
import { integerColumn, textColumn } from './columns.ts';

type Row = Readonly<Record<number, SQLOutputValue>>;

export class ChangeLogReader {
  readonly #position: StatementSync;
  readonly #changes: StatementSync;
  readonly #items: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (sql: string): StatementSync => database.prepare(sql, { returnArrays: true });
    this.#position = prepare('SELECT ifnull(max(sequence), 0) FROM changes');
    this.#changes = prepare(
      'SELECT sequence, at_ms, who, what FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?',
    );
    this.#items = prepare(
      'SELECT kind, record_id, before, after FROM change_items WHERE sequence = ? ORDER BY ordinal',
    );
  }

  position(): number {
    return integerColumn(this.#position.get()?.[0]);
  }

  entries(after: number, limit: number): ChangeEntry[] {
    return this.#changes.all(after, limit).map((row: Row) => {
      const sequence = integerColumn(row[0]);
      return {
        sequence,
        atMs: integerColumn(row[1]),
        who: textColumn(row[2]),
        what: textColumn(row[3]),
        items: this.#items.all(sequence).map(toItem),
      };
    });
  }
}

export class ChangeLogWriter {
  readonly #open: StatementSync;
  readonly #note: StatementSync;
  readonly #forget: StatementSync;
  readonly #isEmpty: StatementSync;

  constructor(database: DatabaseSync) {
    this.#open = database.prepare('INSERT INTO changes (sequence, at_ms, who, what) VALUES (?, ?, ?, ?)');
    this.#note = database.prepare(
      `INSERT INTO change_items (sequence, ordinal, kind, record_id, before, after) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (record_id, sequence) DO UPDATE SET after = excluded.after`,
    );
    this.#forget = database.prepare(
      'DELETE FROM change_items WHERE record_id = ? AND sequence = ? AND before IS NULL AND after IS NULL',
    );
    this.#isEmpty = database.prepare('SELECT 1 FROM change_items WHERE sequence = ? LIMIT 1');
  }

  open(sequence: number, atMs: number, author: ChangeAuthor): void {
    this.#open.run(sequence, atMs, author.who, author.what);
  }

  /** Notes a write; a record written before in this change keeps its first `before` and its place. */
  note(sequence: number, ordinal: number, item: ChangeItem): void {
    this.#note.run(sequence, ordinal, item.kind, item.id, stateText(item.before), stateText(item.after));
  }

  /** Drops the item of a record that came and went inside this change. */
  forgetPassing(sequence: number, id: string): void {
    this.#forget.run(id, sequence);
  }

  /** Whether nothing is left to tell of this change. */
  isEmpty(sequence: number): boolean {
    return this.#isEmpty.get(sequence) === undefined;
  }
}

function stateText(state: ChangedState | null): string | null {
  return state === null ? null : JSON.stringify(state);
}

function toItem(row: Row): ChangeItem {
  return { kind: textColumn(row[0]), id: textColumn(row[1]), before: toState(row[2]), after: toState(row[3]) };
}

function toState(column: SQLOutputValue | undefined): ChangedState | null {
  if (column === null) return null;
  // Written by `stateText`, so that its shape is known.
  return JSON.parse(textColumn(column)) as ChangedState;
}
