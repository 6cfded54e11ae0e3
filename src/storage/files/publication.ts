/**
 * Moves something staged into its place so that a crash at any moment leaves the old or the new, never a mixture.
 *
 * A file over a file has no gap at all: the old one gets a second name in staging, then one rename replaces it. A
 * folder cannot be renamed over another, so the old one is first moved aside: between these two renames there is
 * nothing at the target, for a few milliseconds, or until the next start if the server dies just then. A reader that
 * looks in that moment finds nothing, as if it had come before the first publish; it never finds half of something.
 *
 * For the crash there is a journal, on the disk before anything moves. It says what is being done, and the disk says
 * how far it came:
 *
 *     staged there                  the new is not in place, or is being taken out again   -> put back
 *     staged gone, target there     the new is in place                                    -> keep, unless its change is lost
 *     staged gone, target gone      the staged folder was taken away meanwhile             -> put back
 */
import { dirname, join } from 'node:path';
import type { Disk } from './disk.ts';
import { type Journal, type JournalFolder, removeJournal } from './publish-journal.ts';

/** The paths of one publication, absolute. */
export interface Publication {
  readonly journal: JournalFolder;
  readonly staged: string;
  readonly target: string;
  /** Where the old waits until the change is certain. */
  readonly aside: string;
  /** Folders made for the target, outermost first. */
  readonly madeFolders: readonly string[];
  /** Whether something was at the target before. */
  readonly replaces: boolean;
}

export function toPublication(root: string, folder: JournalFolder, journal: Journal): Publication {
  return {
    journal: folder,
    staged: join(root, journal.staged),
    target: join(root, journal.target),
    aside: join(folder.path, 'replaced'),
    madeFolders: journal.madeFolders.map((place) => join(root, place)),
    replaces: journal.replaces,
  };
}

/** Puts the new in place; the journal must be on the disk. */
export async function moveIn(disk: Disk, publication: Publication): Promise<void> {
  const { staged, target, madeFolders, replaces } = publication;
  for (const folder of madeFolders) {
    await disk.makeFolder(folder);
    await disk.syncFolder(dirname(folder));
  }
  if (replaces) await setAside(disk, publication);
  await disk.move(staged, target);
  await disk.syncFolder(dirname(target));
  await disk.syncFolder(dirname(staged));
}

async function setAside(disk: Disk, { staged, target, aside }: Publication): Promise<void> {
  const linked = (await areFiles(disk, staged, target)) && (await disk.linkFile(target, aside));
  if (!linked) await disk.move(target, aside);
  // The old must be safe under its new name before anything may take its place.
  await disk.syncFolder(dirname(aside));
  if (!linked) await disk.syncFolder(dirname(target));
}

/** Whether the new stands in its place, as far as the disk can tell. */
export async function isInPlace(disk: Disk, { staged, target }: Publication): Promise<boolean> {
  return (await disk.entryAt(staged)) === undefined && (await disk.entryAt(target)) !== undefined;
}

/** Brings everything back to how it was before, from wherever it stopped; doing it again after a crash is fine. */
export async function putBack(disk: Disk, publication: Publication): Promise<void> {
  const { target, aside, madeFolders, replaces, journal } = publication;
  // Without the old (a crash has cut its removal short) the new is all there is, and stays.
  const canTakeOut = !replaces || (await disk.entryAt(aside)) !== undefined;
  const revived = canTakeOut && (await isInPlace(disk, publication)) ? await takeOut(disk, publication) : undefined;
  if ((await disk.entryAt(aside)) !== undefined) {
    await disk.move(aside, target);
    await disk.syncFolder(dirname(target));
  }
  for (const folder of madeFolders.toReversed()) await disk.removeEmptyFolder(folder);
  await removeJournal(disk, journal);
  if (revived !== undefined) await disk.removeTree(revived);
}

/** Moves the new back to where it was staged; gives the folder that had to be made again for that, if any. */
async function takeOut(disk: Disk, { staged, target, aside }: Publication): Promise<string | undefined> {
  const revived = await disk.makeFolders(dirname(staged));
  // Of two files, the old is about to be renamed over the new, which needs no more than its staged name.
  const linked = (await areFiles(disk, target, aside)) && (await disk.linkFile(target, staged));
  if (!linked) await disk.move(target, staged);
  await disk.syncFolder(dirname(staged));
  return revived;
}

async function areFiles(disk: Disk, one: string, other: string): Promise<boolean> {
  return (await disk.entryAt(one)) === 'file' && (await disk.entryAt(other)) === 'file';
}
