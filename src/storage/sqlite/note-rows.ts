/** The statements of notes, prepared on first use, because most connections never need them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { readTextColumn } from '../port/columns.ts';

export class NoteRows {
  readonly #database: DatabaseSync;
  #read: StatementSync | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  read(name: string): string | undefined {
    this.#read ??= this.#database.prepare('SELECT text FROM notes WHERE name = ?', { returnArrays: true });
    const row = this.#read.get(name);
    return row === undefined ? undefined : readTextColumn(row[0]);
  }

  listNames(beginning: string): string[] {
    return this.#database
      .prepare('SELECT name FROM notes WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name', { returnArrays: true })
      .all(beginning)
      .map((row) => readTextColumn(row[0]));
  }

  write(name: string, text: string | null): void {
    if (text === null) this.#database.prepare('DELETE FROM notes WHERE name = ?').run(name);
    else this.#database.prepare('INSERT OR REPLACE INTO notes (name, text) VALUES (?, ?)').run(name, text);
  }
}
