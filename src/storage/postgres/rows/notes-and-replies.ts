/** Notes, stored responses and the formats of kinds: the small tables besides the records. */
import { readIntegerColumn, readTextColumn } from '../../port/columns.ts';
import type { StoredReply } from '../../port/port.ts';
import type { KindShape } from '../../port/rows.ts';
import { type BoundStatement, prepareStatement, type RunQuery } from '../connection/statement.ts';

const selectNote = prepareStatement('note', 'SELECT text FROM notes WHERE name = $1');
const selectNoteNames = prepareStatement(
  'note_names',
  'SELECT name FROM notes WHERE starts_with(name, $1) ORDER BY name',
);
const deleteNote = prepareStatement('drop_note', 'DELETE FROM notes WHERE name = $1');
const upsertNote = prepareStatement(
  'put_note',
  'INSERT INTO notes (name, text) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET text = excluded.text',
);
const selectReply = prepareStatement(
  'find_reply',
  'SELECT at_ms, request, reply FROM kept_replies WHERE who = $1 AND key = $2',
);
const upsertReply = prepareStatement(
  'keep_reply',
  `INSERT INTO kept_replies (who, key, at_ms, request, reply) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (who, key) DO UPDATE SET at_ms = excluded.at_ms, request = excluded.request, reply = excluded.reply
   WHERE kept_replies.at_ms <= $6 RETURNING 1`,
);
const deleteExpiredReplies = prepareStatement(
  'forget_replies',
  `WITH gone AS (DELETE FROM kept_replies WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM kept_replies WHERE at_ms < $1 LIMIT $2)) RETURNING 1) SELECT count(*) FROM gone`,
);
const selectShapes = prepareStatement(
  'shapes',
  'SELECT kind, since, body_version, key_names FROM kind_shapes ORDER BY kind, since',
);
const addShape = prepareStatement(
  'add_shape',
  `INSERT INTO kind_shapes (kind, since, body_version, key_names) VALUES ($1, $2, $3, $4)
   ON CONFLICT (kind, since) DO UPDATE SET body_version = excluded.body_version, key_names = excluded.key_names`,
);

export async function readNote(ask: RunQuery, name: string): Promise<string | undefined> {
  const [row] = await ask(selectNote, [name]);
  return row && readTextColumn(row[0]);
}

export async function readNoteNames(ask: RunQuery, beginning: string): Promise<string[]> {
  return (await ask(selectNoteNames, [beginning])).map((row) => readTextColumn(row[0]));
}

export function writeNote(name: string, text: string | null): BoundStatement {
  return text === null ? [deleteNote, [name]] : [upsertNote, [name, text]];
}

export async function readReply(ask: RunQuery, who: string, key: string): Promise<StoredReply | undefined> {
  const [row] = await ask(selectReply, [who, key]);
  return (
    row && { who, key, atMs: readIntegerColumn(row[0]), request: readTextColumn(row[1]), reply: readTextColumn(row[2]) }
  );
}

export async function writeReply(ask: RunQuery, kept: StoredReply, untilMs: number): Promise<boolean> {
  const { who, key, atMs, request, reply } = kept;
  return (await ask(upsertReply, [who, key, atMs, request, reply, untilMs])).length > 0;
}

export async function deleteReplies(ask: RunQuery, beforeMs: number, limit: number): Promise<number> {
  return readIntegerColumn((await ask(deleteExpiredReplies, [beforeMs, limit]))[0]?.[0]);
}

/** Returns the formats of each kind, oldest first. */
export async function readShapes(ask: RunQuery): Promise<ReadonlyMap<string, readonly KindShape[]>> {
  const rows = (await ask(selectShapes, [])).map((row) => ({
    kind: readTextColumn(row[0]),
    shape: {
      since: readIntegerColumn(row[1]),
      bodyVersion: readIntegerColumn(row[2]),
      keyNames: JSON.parse(readTextColumn(row[3])) as readonly string[],
    },
  }));
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  return new Map([...byKind].map(([kind, list]) => [kind, list.map(({ shape }) => shape)]));
}

/** Replaces a format that began at the same position, because nothing was written in it. */
export function writeShape(kind: string, { since, bodyVersion, keyNames }: KindShape): BoundStatement {
  return [addShape, [kind, since, bodyVersion, JSON.stringify(keyNames)]];
}
