/** How long files of former states are kept for undo. */
import { isRecentlySent } from '../../records/files/sent-files.ts';
import type { Storage } from '../../storage/port/port.ts';
import { isExportedFile } from '../../tiles/exports/export-notes.ts';
import { limits } from '../settings/limits.ts';
import type { Settings } from '../settings/settings.ts';

export interface UndoRetention {
  /** Whether the current state or an undoable change refers to the file. */
  isRetained(file: string): Promise<boolean>;
  /**
   * The same for file collection, with a grace period: a file that was just found to exist stays available. Files that
   * a client has sent for a later change, and archives of tile exports, are kept too.
   */
  isNamed(file: string): Promise<boolean>;
  /** Whether something that is no record has the file, so that a purge keeps it. */
  isHeld(file: string): Promise<boolean>;
}

const HOUR_MS = 3_600_000;

export function createUndoRetention(
  storage: Pick<Storage, 'isFileReferenced' | 'notes'>,
  { undoFilesHours }: Pick<Settings, 'undoFilesHours'>,
  clock: () => number,
): UndoRetention {
  const computeRetainedSince = () => clock() - undoFilesHours * HOUR_MS;
  return {
    isRetained: (file) => storage.isFileReferenced(file, computeRetainedSince()),
    isNamed: async (file) =>
      (await storage.isFileReferenced(file, computeRetainedSince() - limits.fileCollection.graceMs)) ||
      (await isRecentlySent(storage.notes, file, clock())) ||
      (await isExportedFile(storage.notes, file)),
    isHeld: (file) => isExportedFile(storage.notes, file),
  };
}
