/** The note that a publish leaves in staging while it is not certain, so that the next start can finish or undo it. */
import { join } from 'node:path';
import type { Disk } from './disk.ts';

/** Places are relative to the data directory, which may be moved between a crash and the next start. */
export interface Journal {
  /** Counts the publishes of one server run; several of one target are put back in reverse. */
  readonly ordinal: number;
  readonly staged: string;
  readonly target: string;
  readonly replaces: boolean;
  readonly madeFolders: readonly string[];
  /** The sequence number of the change this belongs to, null when it belongs to none. */
  readonly change: number | null;
}

/** The folder in staging that holds the journal, and what was replaced. */
export interface JournalFolder {
  readonly path: string;
}

/** Staging folders have another prefix: an upload must never be able to pass for a journal. */
const prefix = 'publish-';
const journalName = 'journal.json';

/** Makes the folder, still without a journal in it. */
export async function makeJournalFolder(disk: Disk, staging: string): Promise<JournalFolder> {
  return { path: await disk.makeFreshFolder(join(staging, prefix)) };
}

/** Written under another name first: a journal that is there is whole, and nothing moves before it is there. */
export async function writeJournal(
  disk: Disk,
  staging: string,
  folder: JournalFolder,
  journal: Journal,
): Promise<void> {
  const draft = join(folder.path, 'journal.draft');
  await disk.writeDurably(draft, JSON.stringify(journal));
  await disk.move(draft, join(folder.path, journalName));
  await disk.syncFolder(folder.path);
  await disk.syncFolder(staging);
}

/** Undefined for a name that is no journal folder, and for one that died before its journal was written. */
export async function readJournal(
  disk: Disk,
  staging: string,
  name: string,
): Promise<{ readonly folder: JournalFolder; readonly journal: Journal } | undefined> {
  const folder = { path: join(staging, name) };
  const file = join(folder.path, journalName);
  if (!name.startsWith(prefix) || (await disk.entryAt(folder.path)) !== 'folder') return undefined;
  if ((await disk.entryAt(file)) !== 'file') return undefined;
  return { folder, journal: parseJournal(file, await disk.readText(file)) };
}

/** The journal goes first and alone: a folder without one is only rubbish, whatever else is in it. */
export async function removeJournal(disk: Disk, folder: JournalFolder): Promise<void> {
  await disk.removeTree(join(folder.path, journalName));
  await disk.removeTree(folder.path);
}

/** A journal that cannot be read is damage that a person must look at: the folder may hold the only copy of the old. */
function parseJournal(file: string, text: string): Journal {
  try {
    const value: unknown = JSON.parse(text);
    if (isJournal(value)) return value;
  } catch (error) {
    throw new Error(`The publish journal '${file}' cannot be read.`, { cause: error });
  }
  throw new Error(`The publish journal '${file}' is not one this program has written.`);
}

function isJournal(value: unknown): value is Journal {
  return (
    typeof value === 'object' &&
    value !== null &&
    'ordinal' in value &&
    typeof value.ordinal === 'number' &&
    'staged' in value &&
    typeof value.staged === 'string' &&
    'target' in value &&
    typeof value.target === 'string' &&
    'replaces' in value &&
    typeof value.replaces === 'boolean' &&
    'madeFolders' in value &&
    Array.isArray(value.madeFolders) &&
    value.madeFolders.every((place) => typeof place === 'string') &&
    'change' in value &&
    (value.change === null || typeof value.change === 'number')
  );
}
