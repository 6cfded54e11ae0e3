/**
 * Writes below `data` that belong to a change. They are recorded in a journal in `data-writes/` and prepared beside
 * their targets before the change, which stores a note with their id in its own transaction. They are applied after the
 * commit. After a crash the next start applies the committed ones and discards the others.
 */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import type { Disk, Entry } from '../../storage/blobs/disk.ts';
import type { Notes } from '../../storage/port/port.ts';

/** Changes of files below `data`; paths use slashes and are relative to it. */
export interface DataChanges {
  readonly removedFiles: readonly string[];
  /** Inner folders first. */
  readonly removedFolders: readonly string[];
  /** Outer folders first. */
  readonly madeFolders: readonly string[];
  readonly placed: readonly PlacedFile[];
}

export interface PlacedFile {
  readonly path: string;
  /** An existing folder on the same file system as the target. */
  readonly near: string;
  /** The path of the complete bytes. */
  readonly staged: string;
}

export interface PreparedWrites {
  /** The name of the note that marks the writes as committed. */
  readonly note: string;
  apply(): Promise<void>;
  /** Discards the prepared writes completely. */
  discard(): Promise<void>;
}

export interface DataWrites {
  prepare(changes: DataChanges): Promise<PreparedWrites>;
  /** Must be called at startup, before any request. */
  recoverWrites(): Promise<void>;
}

/** The journal form: the bytes are under a temporary name in a folder near the target. */
interface JournalEntry extends Omit<DataChanges, 'placed'> {
  readonly placed: readonly { readonly path: string; readonly part: string }[];
}

const NOTES = 'data-writes/';

export function openDataWrites({
  folder,
  root,
  disk,
  notes,
}: {
  /** Need not exist. */
  readonly folder: string;
  /** The base of all paths. */
  readonly root: string;
  readonly disk: Disk;
  readonly notes: Pick<Notes, 'read' | 'listNames' | 'write'>;
}): DataWrites {
  const toAbsolutePath = (path: string) => join(root, path);

  async function writeJournal(id: string, changes: JournalEntry): Promise<void> {
    await disk.makePrivateFolder(folder);
    await disk.syncFolder(dirname(folder));
    await disk.writeDurably(join(folder, id), JSON.stringify(changes));
    await disk.syncFolder(folder);
  }

  async function deleteJournal(id: string): Promise<void> {
    await disk.removeFile(join(folder, id));
    await disk.syncFolder(folder);
  }

  /** Idempotent, even after a partial run. */
  async function applyChanges({ removedFiles, removedFolders, madeFolders, placed }: JournalEntry): Promise<void> {
    const isEntry = async (path: string, entry: Entry) => (await disk.findEntry(toAbsolutePath(path))) === entry;
    // On a repeated run a folder may already have replaced a file, or a file a folder.
    for (const path of removedFiles) if (await isEntry(path, 'file')) await disk.removeFile(toAbsolutePath(path));
    for (const path of removedFolders)
      if (await isEntry(path, 'folder')) await disk.removeEmptyFolder(toAbsolutePath(path));
    for (const path of madeFolders) await disk.makePrivateFolder(toAbsolutePath(path));
    for (const { path, part } of placed) {
      if (await isEntry(part, 'file')) await disk.move(toAbsolutePath(part), toAbsolutePath(path));
      // Renaming a file to another hard link of itself keeps both names.
      await disk.removeFile(toAbsolutePath(part));
    }
    const touched = [
      ...removedFiles,
      ...removedFolders,
      ...madeFolders,
      ...placed.flatMap((each) => Object.values(each)),
    ];
    for (const above of new Set(touched.map((path) => dirname(toAbsolutePath(path))))) {
      if ((await disk.findEntry(above)) === 'folder') await disk.syncFolder(above);
    }
  }

  async function deleteParts({ placed }: JournalEntry): Promise<void> {
    for (const { part } of placed) await disk.removeFile(toAbsolutePath(part));
  }

  return {
    async prepare({ placed, ...rest }) {
      const id = randomUUID();
      const parts = placed.map(({ path, near, staged }, index) => ({
        path,
        part: join(near, `.${id}-${index}.part`),
        staged,
      }));
      const changes = { ...rest, placed: parts.map(({ path, part }) => ({ path, part })) };
      const discardChanges = async () => {
        await deleteParts(changes);
        await deleteJournal(id);
      };
      await writeJournal(id, changes);
      try {
        for (const { part, staged } of parts) await moveOrCopy(disk, staged, toAbsolutePath(part));
        for (const near of new Set(placed.map((each) => each.near))) await disk.syncFolder(toAbsolutePath(near));
      } catch (error) {
        await discardChanges();
        throw error;
      }
      return {
        note: `${NOTES}${id}`,
        async apply() {
          await applyChanges(changes);
          await notes.write(`${NOTES}${id}`, null);
          await deleteJournal(id);
        },
        discard: discardChanges,
      };
    },

    async recoverWrites() {
      for (const id of await disk.listNames(folder)) {
        const isCertain = (await notes.read(`${NOTES}${id}`)) !== undefined;
        const changes = parseJournal(await disk.readText(join(folder, id)));
        if (changes !== undefined) await (isCertain ? applyChanges(changes) : deleteParts(changes));
        // Delete the note first: completed writes must not be reverted.
        if (isCertain) await notes.write(`${NOTES}${id}`, null);
        await deleteJournal(id);
      }
    },
  };
}

/** Returns undefined for a truncated journal: then nothing was prepared. */
function parseJournal(text: string): JournalEntry | undefined {
  try {
    return JSON.parse(text) as JournalEntry;
  } catch {
    return undefined;
  }
}

/** If `data` is on another file system, a rename is not possible, so the file is copied. */
async function moveOrCopy(disk: Disk, staged: string, part: string): Promise<void> {
  try {
    await disk.move(staged, part);
  } catch (error) {
    if (findErrorCode(error) !== 'EXDEV') throw error;
    await disk.copyFile(staged, part);
    await disk.syncFile(part);
  }
}
