/**
 * Remembers facts of recent backups in notes, which all nodes share: the objects that each contains, so that a later one
 * can be incremental, and the checksums of stored files. The lists are not part of backups.
 */
import type { Notes } from '../../storage/port/port.ts';

type ListNotes = Pick<Notes, 'read' | 'listNames' | 'write'>;

interface ListKind {
  /** The beginning of the names of its notes: `<prefix><time>/<id>/<part>`. */
  readonly prefix: string;
  /** The number of lists that are kept. */
  readonly keep: number;
}

/** The backups that an incremental backup can be based on; each list takes some megabytes. */
const objectLists: ListKind = { prefix: 'backup objects/', keep: 10 };

/** Each backup has the checksums of all stored files. */
const checksumLists: ListKind = { prefix: 'backup checksums/', keep: 1 };

/** A note of this size is written within some milliseconds. A multiple of three, so that base64 needs no padding. */
const PART_BYTES = 3 * 174_763;

const TIME_DIGITS = 15;

export function isListNote(name: string): boolean {
  return [objectLists, checksumLists].some(({ prefix }) => name.startsWith(prefix));
}

export interface BackupLists {
  readonly id: string;
  readonly atMs: number;
  readonly objects: Uint8Array;
  readonly checksums: Uint8Array;
}

export async function saveLists(notes: ListNotes, { id, atMs, objects, checksums }: BackupLists): Promise<void> {
  const folder = `${String(atMs).padStart(TIME_DIGITS, '0')}/${id}/`;
  await saveList(notes, checksumLists, { folder, list: checksums });
  await saveList(notes, objectLists, { folder, list: objects });
}

/** Returns undefined for an unknown backup. */
export async function readObjectList(notes: ListNotes, id: string): Promise<Buffer | undefined> {
  const folder = (await listFolders(notes, objectLists)).find((each) => each.endsWith(`/${id}/`));
  return folder === undefined ? undefined : readList(notes, folder);
}

/** Returns the checksums of the last backup, if there is one. */
export async function readChecksums(notes: ListNotes): Promise<Buffer | undefined> {
  const folder = (await listFolders(notes, checksumLists)).at(-1);
  return folder === undefined ? undefined : readList(notes, folder);
}

async function saveList(
  notes: ListNotes,
  kind: ListKind,
  { folder, list }: { readonly folder: string; readonly list: Uint8Array },
): Promise<void> {
  const bytes = Buffer.from(list.buffer, list.byteOffset, list.byteLength);
  const parts = Math.ceil(bytes.length / PART_BYTES);
  // In reverse, so that the first part exists only if all others do.
  for (let part = parts - 1; part >= 0; part -= 1) {
    const text = bytes.toString('base64', part * PART_BYTES, (part + 1) * PART_BYTES);
    await notes.write(`${kind.prefix}${folder}${part}`, text);
  }
  await removeOldLists(notes, kind);
}

async function readList(notes: ListNotes, folder: string): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  for (;;) {
    const text = await notes.read(`${folder}${parts.length}`);
    if (text === undefined) return parts.length === 0 ? undefined : Buffer.concat(parts);
    parts.push(Buffer.from(text, 'base64'));
  }
}

async function removeOldLists(notes: ListNotes, kind: ListKind): Promise<void> {
  for (const folder of (await listFolders(notes, kind)).slice(0, -kind.keep)) {
    for (const name of await notes.listNames(folder)) await notes.write(name, null);
  }
}

/** The oldest first. */
async function listFolders(notes: ListNotes, { prefix }: ListKind): Promise<readonly string[]> {
  const names = await notes.listNames(prefix);
  return [...new Set(names.map((name) => name.slice(0, name.lastIndexOf('/') + 1)))];
}
