/**
 * Remembers which objects recent backups contain, so that a later one can be incremental. All nodes share the lists.
 * They are not part of backups.
 */
import type { Notes } from '../../storage/port/port.ts';

type ListNotes = Pick<Notes, 'read' | 'listNames' | 'write'>;

/** The beginning of the names of all notes: `backup objects/<time>/<id>/<part>`. */
export const OBJECT_LISTS = 'backup objects/';

/** The backups that an incremental backup can be based on; each list takes some megabytes. */
const MAX_LISTS = 10;

/** A note of this size is written within some milliseconds. A multiple of three, so that base64 needs no padding. */
const PART_BYTES = 3 * 174_763;

const TIME_DIGITS = 15;

export async function saveObjectList(notes: ListNotes, id: string, atMs: number, objects: Uint8Array): Promise<void> {
  const folder = `${OBJECT_LISTS}${String(atMs).padStart(TIME_DIGITS, '0')}/${id}/`;
  const bytes = Buffer.from(objects.buffer, objects.byteOffset, objects.byteLength);
  const parts = Math.ceil(bytes.length / PART_BYTES);
  // In reverse, so that the first part exists only if all others do.
  for (let part = parts - 1; part >= 0; part -= 1) {
    await notes.write(`${folder}${part}`, bytes.toString('base64', part * PART_BYTES, (part + 1) * PART_BYTES));
  }
  await removeOldLists(notes);
}

/** Returns undefined for an unknown backup. */
export async function readObjectList(notes: ListNotes, id: string): Promise<Buffer | undefined> {
  const folder = (await listFolders(notes)).find((each) => each.endsWith(`/${id}/`));
  if (folder === undefined) return undefined;
  const parts: Buffer[] = [];
  for (;;) {
    const text = await notes.read(`${folder}${parts.length}`);
    if (text === undefined) return parts.length === 0 ? undefined : Buffer.concat(parts);
    parts.push(Buffer.from(text, 'base64'));
  }
}

async function removeOldLists(notes: ListNotes): Promise<void> {
  for (const folder of (await listFolders(notes)).slice(0, -MAX_LISTS)) {
    for (const name of await notes.listNames(folder)) await notes.write(name, null);
  }
}

/** The oldest first. */
async function listFolders(notes: ListNotes): Promise<readonly string[]> {
  const names = await notes.listNames(OBJECT_LISTS);
  return [...new Set(names.map((name) => name.slice(0, name.lastIndexOf('/') + 1)))];
}
