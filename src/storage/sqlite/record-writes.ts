/** The write statements over records and their keys, prepared once for the writing connection. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RecordKeys, StoredRecord } from '../port.ts';
import { integerColumn } from './columns.ts';

export class RecordWrites {
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #remove: StatementSync;
  readonly #addKey: StatementSync;
  readonly #dropKeys: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (sql: string): StatementSync => database.prepare(sql, { returnArrays: true });
    this.#insert = prepare(
      `INSERT INTO records (id, kind, parent, name, version, created_at_ms, modified_at_ms, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING age`,
    );
    this.#update = prepare(
      'UPDATE records SET parent = ?, name = ?, version = ?, modified_at_ms = ?, body = ? WHERE id = ? RETURNING age',
    );
    this.#remove = prepare('DELETE FROM records WHERE id = ?');
    this.#addKey = prepare(
      'INSERT INTO record_keys (kind, key, value, record_age) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#dropKeys = prepare('DELETE FROM record_keys WHERE record_age = ?');
  }

  insert(record: StoredRecord, bodyText: string, keys: RecordKeys): void {
    const { id, kind, parent, name, version, createdAtMs, modifiedAtMs } = record;
    const row = this.#insert.get(id, kind, parent, name, version, createdAtMs, modifiedAtMs, bodyText);
    this.#addKeys(kind, keys, integerColumn(row?.[0]));
  }

  update(record: StoredRecord, bodyText: string, keys: RecordKeys): void {
    const { id, kind, parent, name, version, modifiedAtMs } = record;
    const row = this.#update.get(parent, name, version, modifiedAtMs, bodyText, id);
    const age = integerColumn(row?.[0]);
    this.#dropKeys.run(age);
    this.#addKeys(kind, keys, age);
  }

  /** The keys go with the record: the schema says so. */
  remove(id: string): void {
    this.#remove.run(id);
  }

  #addKeys(kind: string, keys: RecordKeys, age: number): void {
    for (const [key, values] of Object.entries(keys)) {
      for (const value of values) this.#addKey.run(kind, key, value, age);
    }
  }
}
