/**
 * Files that a client sends before the configuration that refers to them, by hash. They are kept for a day without a
 * reference. The times are notes of the storage, so that the collector of any node knows them, and no change: they have
 * no number and no history.
 */
import { type Hash, isHash } from '../../storage/blobs/port.ts';
import type { Notes } from '../../storage/port/port.ts';
import type { Files } from './files.ts';
import type { IsReferenced } from './purges.ts';

/** How long a client can take for all files of a configuration. */
export const SENT_FILES_MS = 86_400_000;

const PREFIX = 'sent files ';

/** One note has the files whose hashes begin with the same two digits, so that few notes change for many files. */
const GROUP_DIGITS = 2;

type SentTimes = Readonly<Record<Hash, number>>;

export type SentFileNotes = Pick<Notes, 'read' | 'update' | 'listNames' | 'write'>;

/** Returns whether a client has sent or asked for the file within the last day. */
export async function isRecentlySent(notes: Pick<Notes, 'read'>, hash: Hash, nowMs: number): Promise<boolean> {
  const sentAtMs = parseTimes(await notes.read(formatNoteName(hash)))[hash];
  return sentAtMs !== undefined && nowMs - sentAtMs <= SENT_FILES_MS;
}

/** Deletes the times of files that need not be kept any more. */
export async function deleteOldSentFiles(notes: SentFileNotes, nowMs: number): Promise<void> {
  for (const name of await notes.listNames(PREFIX)) {
    const times = parseTimes(await notes.read(name));
    const recent = selectRecent(times, nowMs);
    if (Object.keys(recent).length === Object.keys(times).length) continue;
    await notes.update(name, (text) => JSON.stringify(selectRecent(parseTimes(text), nowMs)));
  }
}

export interface SentFilesOptions {
  readonly notes: Pick<Notes, 'update'>;
  readonly isReferenced: IsReferenced;
  readonly clock: () => number;
}

export class SentFiles {
  readonly #options: SentFilesOptions;

  constructor(options: SentFilesOptions) {
    this.#options = options;
  }

  /** Returns those of the files that are not stored. The others are kept for a day from now on. */
  async listMissing(files: Files, hashes: readonly Hash[]): Promise<readonly Hash[]> {
    const loose: Hash[] = [];
    for (const hash of hashes) if (!(await this.#options.isReferenced(hash))) loose.push(hash);
    // Before the files are examined: from now on, no collector deletes them.
    await this.keep(hashes);
    const missing = new Set<Hash>();
    for (const hash of hashes) if ((await files.stored.blobs.getState(hash)) !== 'present') missing.add(hash);
    const present = loose.filter((hash) => !missing.has(hash));
    // A collector may just be deleting a file without a reference. Storing it again waits for that.
    for (const hash of present) if (!(await storeAgain(files, hash))) missing.add(hash);
    return hashes.filter((hash) => missing.has(hash));
  }

  /** Keeps files for a day, stored or not. */
  async keep(hashes: readonly Hash[]): Promise<void> {
    const { notes, clock } = this.#options;
    const nowMs = clock();
    for (const [name, group] of Map.groupBy(hashes, formatNoteName)) {
      const added = Object.fromEntries(group.map((hash) => [hash, nowMs]));
      await notes.update(name, (text) => JSON.stringify({ ...selectRecent(parseTimes(text), nowMs), ...added }));
    }
  }
}

/** Returns false if the file was deleted meanwhile. */
async function storeAgain(files: Files, hash: Hash): Promise<boolean> {
  const staging = await files.createStaging('sent-file');
  try {
    const file = `${staging.path}/file`;
    await files.stored.blobs.linkTo(hash, file);
    await files.runFileOperation((keeper) => keeper.storeFile({ hash, file }));
    return true;
  } catch (error) {
    if ((await files.stored.blobs.getState(hash)) !== 'present') return false;
    throw error;
  } finally {
    await staging.discard();
  }
}

function formatNoteName(hash: Hash): string {
  return `${PREFIX}${hash.slice(0, GROUP_DIGITS)}`;
}

function parseTimes(text: string | undefined): SentTimes {
  // Only this module writes these notes.
  return text === undefined ? {} : (JSON.parse(text) as SentTimes);
}

function selectRecent(times: SentTimes, nowMs: number): SentTimes {
  return Object.fromEntries(
    Object.entries(times).filter(([hash, atMs]) => isHash(hash) && nowMs - atMs <= SENT_FILES_MS),
  );
}
