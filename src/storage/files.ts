/** The files of the data directory: private staging folders, and publishing from them into place. */
import { dirname, join } from 'node:path';
import { createOneAtATime } from '../lib/one-at-a-time.ts';
import { type Disk, realDisk } from './files/disk.ts';
import { isAtOrBelow, placeInside, realRootOf } from './files/inside-root.ts';
import { moveIn, type Publication, putBack, toPublication } from './files/publication.ts';
import { type Journal, makeJournalFolder, removeJournal, writeJournal } from './files/publish-journal.ts';
import { noteRemoval, removeEmptyAbove, removePlaces } from './files/removal.ts';
import { sweep } from './files/sweep.ts';

/** A fresh folder that nobody else knows of. */
export interface StagingFolder {
  readonly path: string;
  /** Removes the folder with all that is still in it; doing so twice is fine. */
  discard(): Promise<void>;
}

/** What has been put in place, while the surrounding change may still fail; exactly one of the two must be called. */
export interface Published {
  /** Puts everything back as it was, the staged thing included. */
  undo(): Promise<void>;
  /** Discards what was replaced. */
  settle(): Promise<void>;
}

/** Files that go when the surrounding change is certain; exactly one of the two must be called. */
export interface PlannedRemoval {
  /** Removes them now: the change is committed. */
  carryOut(): Promise<void>;
  /** Leaves them where they are: the change has failed. */
  cancel(): Promise<void>;
}

export interface PublishOptions {
  /**
   * The sequence number of the change that this publish is part of. If the server dies before that change is
   * committed, the next start undoes the publish. A failed change must undo its publishes before its write ends,
   * since the next change gets the same number.
   */
  readonly change?: number;
}

export interface SweepOptions {
  /** The sequence number of the last committed change; without it, what is in place stays in place. */
  readonly lastChange?: number;
}

export interface Files {
  /** Makes a folder in staging, readable by the owner only; the purpose, such as `upload`, is part of its name. */
  createStaging(purpose: string): Promise<StagingFolder>;
  /**
   * Moves a staged file or folder to its target (absolute paths, or relative to the data directory), makes the
   * folders that are missing, and keeps what was there until `settle`. Two publishes must not run at the same time
   * for the same target: changes are serialised.
   */
  publish(stagedPath: string, targetPath: string, options?: PublishOptions): Promise<Published>;
  /** Notes that these (relative to the data directory) go with a change; if the server dies after it, the next start removes them. */
  planRemoval(paths: readonly string[], options: { readonly change: number }): Promise<PlannedRemoval>;
  /** Waits until everything at and below a staged path is on the disk, so that publishing it needs not. */
  sync(stagedPath: string): Promise<void>;
  /** Before anything else uses staging: repairs and removes what a crash has left there, and counts it. */
  sweepStaging(options?: SweepOptions): Promise<number>;
}

const stagingName = 'staging';

/** `root` is the data directory, which must exist. */
export function openFiles({ root, disk = realDisk }: { readonly root: string; readonly disk?: Disk }): Files {
  let publishCount = 0;
  const oneAtATime = createOneAtATime();
  /** Whoever publishes counts on folders that whoever removes takes away when they are empty: so they take turns. */
  const withFolders = <T>(work: () => Promise<T>): Promise<T> => oneAtATime('folders', work);

  async function openStaging(): Promise<string> {
    const staging = join(await realRootOf(disk, root), stagingName);
    await disk.makePrivateFolder(staging);
    // Through a link we would sweep somebody else's files, and a rename from there could not be atomic.
    if ((await disk.entryAt(staging)) !== 'folder')
      throw new Error(`'${staging}' must be a folder, not a link or a file.`);
    return staging;
  }

  async function describe(stagedPath: string, targetPath: string, options: PublishOptions): Promise<Journal> {
    const realRoot = await realRootOf(disk, root);
    const staged = await placeInside(disk, root, stagedPath);
    const target = await placeInside(disk, root, targetPath);
    const entry = await disk.entryAt(join(realRoot, staged));
    if (entry !== 'file' && entry !== 'folder')
      throw new Error(`There is no file or folder at '${stagedPath}' to publish.`);
    if (isAtOrBelow(target, stagingName)) throw new Error(`Nothing can be published into staging ('${targetPath}').`);
    if (isAtOrBelow(target, staged) || isAtOrBelow(staged, target) || staged === stagingName) {
      throw new Error(`'${stagedPath}' cannot be published to '${targetPath}': one holds the other.`);
    }
    return {
      ordinal: publishCount++,
      staged,
      target,
      replaces: (await disk.entryAt(join(realRoot, target))) !== undefined,
      madeFolders: await missingFolders(disk, realRoot, dirname(target)),
      change: options.change ?? null,
    };
  }

  /** What cannot be put back now is put back at the next start: the journal is still there. */
  async function putBackAfter(error: unknown, publication: Publication): Promise<void> {
    await putBack(disk, publication).catch((undoError: unknown) => {
      throw new AggregateError(
        [error, undoError],
        `Publishing to '${publication.target}' failed, and so did its undoing.`,
      );
    });
  }

  return {
    async createStaging(purpose) {
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(purpose)) throw new Error(`'${purpose}' cannot be part of a folder name.`);
      const path = await disk.makeFreshFolder(join(await openStaging(), `work-${purpose}-`));
      return { path, discard: () => disk.removeTree(path) };
    },

    publish: (stagedPath, targetPath, options = {}) =>
      withFolders(async () => {
        const staging = await openStaging();
        const journal = await describe(stagedPath, targetPath, options);
        const folder = await makeJournalFolder(disk, staging);
        const publication = toPublication(await realRootOf(disk, root), folder, journal);
        try {
          // A name that is on the disk before its content would, after a power cut, be an empty file.
          await disk.syncTree(publication.staged);
          await writeJournal(disk, staging, folder, journal);
          await moveIn(disk, publication);
        } catch (error) {
          await putBackAfter(error, publication);
          throw error;
        }
        return certainOnce({
          undo: () => withFolders(() => putBack(disk, publication)),
          settle: () => removeJournal(disk, folder),
        });
      }),

    async planRemoval(paths, { change }) {
      const realRoot = await realRootOf(disk, root);
      const places = await Promise.all(paths.map((path) => placeInside(disk, root, path)));
      const ours = places.find((place) => isAtOrBelow(place, stagingName));
      if (ours !== undefined) throw new Error(`Staging ('${ours}') is swept, not removed.`);
      const note = await noteRemoval(disk, await openStaging(), { places, change });
      return {
        carryOut: async () => {
          await removePlaces(disk, realRoot, places);
          await withFolders(() => removeEmptyAbove(disk, realRoot, places));
          await disk.removeTree(note);
        },
        cancel: () => disk.removeTree(note),
      };
    },

    sync: (stagedPath) => disk.syncTree(stagedPath),

    async sweepStaging({ lastChange } = {}) {
      return sweep(disk, await realRootOf(disk, root), await openStaging(), lastChange);
    },
  };
}

/** The folders that must be made for `folder` to exist, outermost first; all places relative to the root. */
async function missingFolders(disk: Disk, root: string, folder: string): Promise<readonly string[]> {
  if (folder === '.' || (await disk.entryAt(join(root, folder))) !== undefined) return [];
  return [...(await missingFolders(disk, root, dirname(folder))), folder];
}

/** Lets a publish be settled or undone, not both; one that failed half-way may be tried again. */
function certainOnce(published: Published): Published {
  let outcome: keyof Published | undefined;
  async function become(wanted: keyof Published): Promise<void> {
    if (outcome === wanted) return;
    if (outcome !== undefined) throw new Error(`This publish was ended by ${outcome} and can take no ${wanted}.`);
    await published[wanted]();
    outcome = wanted;
  }
  return { undo: () => become('undo'), settle: () => become('settle') };
}
