/**
 * Writes below `data` that belong to a change. They are written down in `data-writes/` and prepared beside their places
 * before the change is made, which keeps a note of their name in its own transaction; and they are done once it is certain.
 * The next start ends what a server that has died could not: it does what was certain, and takes back the rest.
 */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import type { Disk, Entry } from '../../storage/blobs/disk.ts';
import type { Notes } from '../../storage/port/port.ts';

/** What becomes of the files below `data`; every path has slashes and begins there. */
export interface DataChanges {
  readonly removedFiles: readonly string[];
  /** Those inside of others first. */
  readonly removedFolders: readonly string[];
  /** Those that others are in first. */
  readonly madeFolders: readonly string[];
  readonly placed: readonly PlacedFile[];
}

export interface PlacedFile {
  readonly path: string;
  /** A folder that is there already, on the same disk as the place. */
  readonly near: string;
  /** Where its bytes are, complete. */
  readonly staged: string;
}

export interface PreparedWrites {
  /** What the note is called that says they are certain. */
  readonly note: string;
  apply(): Promise<void>;
  /** Nothing of them is left. */
  discard(): Promise<void>;
}

export interface DataWrites {
  prepare(changes: DataChanges): Promise<PreparedWrites>;
  /** At the start, before anything is asked for. */
  recoverWrites(): Promise<void>;
}

/** As it is written down: bytes lie under another name in a folder near their place. */
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
  /** Need not be there. */
  readonly folder: string;
  /** What paths begin in. */
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

  /** Doing it twice is fine, also after half of it was done. */
  async function applyChanges({ removedFiles, removedFolders, madeFolders, placed }: JournalEntry): Promise<void> {
    const isEntry = async (path: string, entry: Entry) => (await disk.findEntry(toAbsolutePath(path))) === entry;
    // A folder may be in the place of a file already, or a file in that of a folder.
    for (const path of removedFiles) if (await isEntry(path, 'file')) await disk.removeFile(toAbsolutePath(path));
    for (const path of removedFolders)
      if (await isEntry(path, 'folder')) await disk.removeEmptyFolder(toAbsolutePath(path));
    for (const path of madeFolders) await disk.makePrivateFolder(toAbsolutePath(path));
    for (const { path, part } of placed) {
      if (await isEntry(part, 'file')) await disk.move(toAbsolutePath(part), toAbsolutePath(path));
      // To rename one of two names of a file to the other leaves both.
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
        // The note first: of what is done there is nothing left to be taken back.
        if (isCertain) await notes.write(`${NOTES}${id}`, null);
        await deleteJournal(id);
      }
    },
  };
}

/** Undefined for what was cut off while it was written: then nothing was prepared either. */
function parseJournal(text: string): JournalEntry | undefined {
  try {
    return JSON.parse(text) as JournalEntry;
  } catch {
    return undefined;
  }
}

/** Where `data` is on another disk than the rest, a name alone does not take a file there. */
async function moveOrCopy(disk: Disk, staged: string, part: string): Promise<void> {
  try {
    await disk.move(staged, part);
  } catch (error) {
    if (findErrorCode(error) !== 'EXDEV') throw error;
    await disk.copyFile(staged, part);
    await disk.syncFile(part);
  }
}
