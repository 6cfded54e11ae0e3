/** The write statements of records with their keys and files, prepared once for the writing connection. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { readIntegerColumn, readTextColumn } from '../port/columns.ts';
import type { RecordKeys, StoredRecord } from '../port/port.ts';
import type { RowParts } from '../port/rows.ts';

export class RecordWrites {
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #rewrite: StatementSync;
  readonly #remove: StatementSync;
  readonly #addKey: StatementSync;
  readonly #dropKeys: StatementSync;
  readonly #addFile: StatementSync;
  readonly #dropFiles: StatementSync;
  readonly #listFiles: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (sql: string): StatementSync => database.prepare(sql, { returnArrays: true });
    this.#insert = prepare(
      `INSERT INTO records (id, kind, parent, name, version, created_at_ms, modified_at_ms, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#update = prepare(
      'UPDATE records SET parent = ?, name = ?, version = ?, modified_at_ms = ?, body = ? WHERE id = ? RETURNING age',
    );
    this.#rewrite = prepare('UPDATE records SET body = ? WHERE id = ? RETURNING age');
    this.#remove = prepare('DELETE FROM records WHERE id = ?');
    this.#addKey = prepare(
      'INSERT INTO record_keys (kind, key, value, record_age) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#dropKeys = prepare('DELETE FROM record_keys WHERE record_age = ?');
    this.#addFile = prepare('INSERT INTO record_files (file, record_age) VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#dropFiles = prepare('DELETE FROM record_files WHERE record_age = ?');
    this.#listFiles = prepare(
      'SELECT f.file FROM record_files f JOIN records r ON r.age = f.record_age WHERE r.id = ? ORDER BY f.file',
    );
  }

  insert(record: StoredRecord, { text, keys, files }: RowParts): void {
    const { id, kind, parent, name, version, createdAtMs, modifiedAtMs } = record;
    // The age is the row id, which SQLite returns anyway; a RETURNING clause would add half of the cost.
    const inserted = this.#insert.run(id, kind, parent, name, version, createdAtMs, modifiedAtMs, text);
    this.#addParts(kind, { keys, files }, Number(inserted.lastInsertRowid));
  }

  update(record: StoredRecord, { text, keys, files }: RowParts): void {
    const { id, kind, parent, name, version, modifiedAtMs } = record;
    const row = this.#update.get(parent, name, version, modifiedAtMs, text, id);
    const age = readIntegerColumn(row?.[0]);
    this.#dropKeys.run(age);
    this.#dropFiles.run(age);
    this.#addParts(kind, { keys, files }, age);
  }

  /** Rewrites body, keys and files without a new version. */
  rewrite(record: StoredRecord, { text, keys, files }: RowParts): void {
    const age = readIntegerColumn(this.#rewrite.get(text, record.id)?.[0]);
    this.#dropKeys.run(age);
    this.#dropFiles.run(age);
    this.#addParts(record.kind, { keys, files }, age);
  }

  /** Keys and files are deleted by the foreign keys. */
  remove(id: string): void {
    this.#remove.run(id);
  }

  listFiles(id: string): readonly string[] {
    return this.#listFiles.all(id).map((row) => readTextColumn(row[0]));
  }

  #addParts(kind: string, { keys, files }: Pick<RowParts, 'keys' | 'files'>, age: number): void {
    this.#addKeys(kind, keys, age);
    for (const file of files) this.#addFile.run(file, age);
  }

  #addKeys(kind: string, keys: RecordKeys, age: number): void {
    for (const [key, values] of Object.entries(keys)) {
      for (const value of values) this.#addKey.run(kind, key, value, age);
    }
  }
}
