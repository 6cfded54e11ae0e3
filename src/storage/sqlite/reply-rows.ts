/** The stored responses of idempotent requests. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { readIntegerColumn, readTextColumn } from '../port/columns.ts';
import type { StoredReply } from '../port/port.ts';

export class ReplyReader {
  readonly #find: StatementSync;

  constructor(database: DatabaseSync) {
    this.#find = database.prepare('SELECT at_ms, request, reply FROM kept_replies WHERE who = ? AND key = ?', {
      returnArrays: true,
    });
  }

  find(who: string, key: string): StoredReply | undefined {
    const row = this.#find.get(who, key);
    return row === undefined
      ? undefined
      : { who, key, atMs: readIntegerColumn(row[0]), request: readTextColumn(row[1]), reply: readTextColumn(row[2]) };
  }
}

export class ReplyWriter {
  readonly #store: StatementSync;
  readonly #delete: StatementSync;

  constructor(database: DatabaseSync) {
    this.#store = database.prepare(
      `INSERT INTO kept_replies (who, key, at_ms, request, reply) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms, request = excluded.request, reply = excluded.reply
       WHERE kept_replies.at_ms <= ?`,
    );
    this.#delete = database.prepare(
      'DELETE FROM kept_replies WHERE (who, key) IN (SELECT who, key FROM kept_replies WHERE at_ms < ? LIMIT ?)',
    );
  }

  store({ who, key, atMs, request, reply }: StoredReply, untilMs: number): boolean {
    return Number(this.#store.run(who, key, atMs, request, reply, untilMs).changes) > 0;
  }

  delete(beforeMs: number, limit: number): number {
    return Number(this.#delete.run(beforeMs, limit).changes);
  }
}
