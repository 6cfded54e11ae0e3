/** The replies to requests that may be sent again. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { integerColumn, textColumn } from '../columns.ts';
import type { KeptReply } from '../port.ts';

export class KeptReplyReader {
  readonly #find: StatementSync;

  constructor(database: DatabaseSync) {
    this.#find = database.prepare('SELECT at_ms, request, reply FROM kept_replies WHERE who = ? AND key = ?', {
      returnArrays: true,
    });
  }

  find(who: string, key: string): KeptReply | undefined {
    const row = this.#find.get(who, key);
    return row === undefined
      ? undefined
      : { who, key, atMs: integerColumn(row[0]), request: textColumn(row[1]), reply: textColumn(row[2]) };
  }
}

export class KeptReplyWriter {
  readonly #keep: StatementSync;
  readonly #forget: StatementSync;

  constructor(database: DatabaseSync) {
    this.#keep = database.prepare(
      'INSERT OR REPLACE INTO kept_replies (who, key, at_ms, request, reply) VALUES (?, ?, ?, ?, ?)',
    );
    this.#forget = database.prepare(
      'DELETE FROM kept_replies WHERE (who, key) IN (SELECT who, key FROM kept_replies WHERE at_ms < ? LIMIT ?)',
    );
  }

  keep({ who, key, atMs, request, reply }: KeptReply): void {
    this.#keep.run(who, key, atMs, request, reply);
  }

  forget(beforeMs: number, limit: number): number {
    return Number(this.#forget.run(beforeMs, limit).changes);
  }
}
