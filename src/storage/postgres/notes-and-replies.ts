/** Notes, replies to requests that may be sent again, and the shapes of kinds: the small tables beside the records. */
import { integerColumn, textColumn } from '../columns.ts';
import type { KeptReply } from '../port.ts';
import type { KindShape } from '../rows.ts';
import { type Ask, prepared, type SentStatement } from './statement.ts';

const note = prepared('note', 'SELECT text FROM notes WHERE name = $1');
const noteNames = prepared('note_names', 'SELECT name FROM notes WHERE starts_with(name, $1) ORDER BY name');
const dropNote = prepared('drop_note', 'DELETE FROM notes WHERE name = $1');
const putNote = prepared(
  'put_note',
  'INSERT INTO notes (name, text) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET text = excluded.text',
);
const findReply = prepared('find_reply', 'SELECT at_ms, request, reply FROM kept_replies WHERE who = $1 AND key = $2');
const keepReply = prepared(
  'keep_reply',
  `INSERT INTO kept_replies (who, key, at_ms, request, reply) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (who, key) DO UPDATE SET at_ms = excluded.at_ms, request = excluded.request, reply = excluded.reply
   WHERE kept_replies.at_ms <= $6 RETURNING 1`,
);
const forgetReplies = prepared(
  'forget_replies',
  `WITH gone AS (DELETE FROM kept_replies WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM kept_replies WHERE at_ms < $1 LIMIT $2)) RETURNING 1) SELECT count(*) FROM gone`,
);
const shapes = prepared('shapes', 'SELECT kind, since, body_version, key_names FROM kind_shapes ORDER BY kind, since');
const addShape = prepared(
  'add_shape',
  `INSERT INTO kind_shapes (kind, since, body_version, key_names) VALUES ($1, $2, $3, $4)
   ON CONFLICT (kind, since) DO UPDATE SET body_version = excluded.body_version, key_names = excluded.key_names`,
);

export async function readNote(ask: Ask, name: string): Promise<string | undefined> {
  const [row] = await ask(note, [name]);
  return row && textColumn(row[0]);
}

export async function readNoteNames(ask: Ask, beginning: string): Promise<string[]> {
  return (await ask(noteNames, [beginning])).map((row) => textColumn(row[0]));
}

export function writeNote(name: string, text: string | null): SentStatement {
  return text === null ? [dropNote, [name]] : [putNote, [name, text]];
}

export async function readReply(ask: Ask, who: string, key: string): Promise<KeptReply | undefined> {
  const [row] = await ask(findReply, [who, key]);
  return row && { who, key, atMs: integerColumn(row[0]), request: textColumn(row[1]), reply: textColumn(row[2]) };
}

export async function writeReply(ask: Ask, kept: KeptReply, untilMs: number): Promise<boolean> {
  const { who, key, atMs, request, reply } = kept;
  return (await ask(keepReply, [who, key, atMs, request, reply, untilMs])).length > 0;
}

export async function dropReplies(ask: Ask, beforeMs: number, limit: number): Promise<number> {
  return integerColumn((await ask(forgetReplies, [beforeMs, limit]))[0]?.[0]);
}

/** The shapes that each kind had so far, oldest first. */
export async function readShapes(ask: Ask): Promise<ReadonlyMap<string, readonly KindShape[]>> {
  const rows = (await ask(shapes, [])).map((row) => ({
    kind: textColumn(row[0]),
    shape: {
      since: integerColumn(row[1]),
      bodyVersion: integerColumn(row[2]),
      keyNames: JSON.parse(textColumn(row[3])) as readonly string[],
    },
  }));
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  return new Map([...byKind].map(([kind, list]) => [kind, list.map(({ shape }) => shape)]));
}

/** Written over one that began at the same position: nothing has ever been written like that. */
export function writeShape(kind: string, { since, bodyVersion, keyNames }: KindShape): SentStatement {
  return [addShape, [kind, since, bodyVersion, JSON.stringify(keyNames)]];
}
