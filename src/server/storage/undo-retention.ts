/** For how long the files of former states are there: changes can be taken back with them. */
import type { Storage } from '../../storage/port/port.ts';
import { limits } from '../settings/limits.ts';
import type { Settings } from '../settings/settings.ts';

export interface UndoRetention {
  /** Whether a change that can be taken back, or what is there now, names the file. */
  isRetained(file: string): Promise<boolean>;
  /** The same for whoever collects files, a while longer: whoever has just looked whether they are there still finds them. */
  isNamed(file: string): Promise<boolean>;
}

const HOUR_MS = 3_600_000;

export function createUndoRetention(
  storage: Pick<Storage, 'isFileReferenced'>,
  { undoFilesHours }: Pick<Settings, 'undoFilesHours'>,
  clock: () => number,
): UndoRetention {
  const computeRetainedSince = () => clock() - undoFilesHours * HOUR_MS;
  return {
    isRetained: (file) => storage.isFileReferenced(file, computeRetainedSince()),
    isNamed: (file) => storage.isFileReferenced(file, computeRetainedSince() - limits.fileCollection.graceMs),
  };
}
