/**
 * Remembers facts in notes, which all nodes share: the objects that each recent backup contains, so that a later one can
 * be incremental, and the checksums of stored files, which a backup compares. The lists are not part of backups.
 */
import { randomUUID } from 'node:crypto';
import { encodeChecksums } from '../../lib/backup/stored-file-checks.ts';
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

/** The files that each node stored since the last backup, in one list for each minute with uploads. */
const newChecksumLists: ListKind = { prefix: 'new checksums/', keep: 1_000 };

/** A note of this size is written within some milliseconds. A multiple of three, so that base64 needs no padding. */
const PART_BYTES = 3 * 174_763;

const TIME_DIGITS = 15;

export function isListNote(name: string): boolean {
  return [objectLists, checksumLists, newChecksumLists].some(({ prefix }) => name.startsWith(prefix));
}

export interface BackupLists {
  readonly id: string;
  readonly atMs: number;
  readonly objects: Uint8Array;
  readonly checksums: Uint8Array;
}

/** Saves the checksums of files that were stored since the last call. */
export async function saveNewChecksums(
  notes: ListNotes,
  checksums: ReadonlyMap<string, number>,
  atMs: number,
): Promise<void> {
  if (checksums.size === 0) return;
  const folder = formatFolder(atMs, randomUUID());
  await saveList(notes, newChecksumLists, { folder, list: encodeChecksums(checksums) });
}

/** `included` are the lists that the list of checksums replaces. */
export async function saveLists(
  notes: ListNotes,
  { id, atMs, objects, checksums }: BackupLists,
  included: readonly string[],
): Promise<void> {
  const folder = formatFolder(atMs, id);
  await saveList(notes, checksumLists, { folder, list: checksums });
  for (const each of included) await deleteList(notes, each);
  await saveList(notes, objectLists, { folder, list: objects });
}

function formatFolder(atMs: number, id: string): string {
  return `${String(atMs).padStart(TIME_DIGITS, '0')}/${id}/`;
}

/** Returns undefined for an unknown backup. */
export async function readObjectList(notes: ListNotes, id: string): Promise<Buffer | undefined> {
  const folder = (await listFolders(notes, objectLists)).find((each) => each.endsWith(`/${id}/`));
  return folder === undefined ? undefined : readList(notes, folder);
}

export interface KnownChecksums {
  readonly checksums: Buffer;
  /** The names of the lists of new files among them. */
  readonly newLists: readonly string[];
}

/** Returns the checksums of the last backup and of files that were stored since then. */
export async function readChecksums(notes: ListNotes): Promise<KnownChecksums> {
  const newLists = await listFolders(notes, newChecksumLists);
  const lists: (Buffer | undefined)[] = [];
  for (const folder of [...(await listFolders(notes, checksumLists)).slice(-1), ...newLists]) {
    lists.push(await readList(notes, folder));
  }
  return { checksums: Buffer.concat(lists.filter((list) => list !== undefined)), newLists };
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
  for (const folder of (await listFolders(notes, kind)).slice(0, -kind.keep)) await deleteList(notes, folder);
}

async function deleteList(notes: ListNotes, folder: string): Promise<void> {
  for (const name of await notes.listNames(folder)) await notes.write(name, null);
}

/** The oldest first. */
async function listFolders(notes: ListNotes, { prefix }: ListKind): Promise<readonly string[]> {
  const names = await notes.listNames(prefix);
  return [...new Set(names.map((name) => name.slice(0, name.lastIndexOf('/') + 1)))];
}
