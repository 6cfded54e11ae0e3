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
      `INSERT INTO kept_replies (who, key, at_ms, request, reply) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms, request = excluded.request, reply = excluded.reply
       WHERE kept_replies.at_ms <= ?`,
    );
    this.#forget = database.prepare(
      'DELETE FROM kept_replies WHERE (who, key) IN (SELECT who, key FROM kept_replies WHERE at_ms < ? LIMIT ?)',
    );
  }

  keep({ who, key, atMs, request, reply }: KeptReply, untilMs: number): boolean {
    return Number(this.#keep.run(who, key, atMs, request, reply, untilMs).changes) > 0;
  }

  forget(beforeMs: number, limit: number): number {
    return Number(this.#forget.run(beforeMs, limit).changes);
  }
}
