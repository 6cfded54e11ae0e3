/** The newest program version that has used a storage, so that an older program can name the version to start. */
import type { Notes } from './port.ts';

/** The name of the note with the version. */
export const PROGRAM_VERSION_NOTE = 'program version';

/** Records the version unless a newer one has used the storage. */
export async function recordProgramVersion(notes: Pick<Notes, 'read' | 'update'>, version: string): Promise<void> {
  const isNewer = (known: string | undefined) => known === undefined || compareVersions(known, version) < 0;
  // Almost every start is on a known version and writes nothing.
  if (!isNewer(await notes.read(PROGRAM_VERSION_NOTE))) return;
  await notes.update(PROGRAM_VERSION_NOTE, (known) => (isNewer(known) ? version : undefined));
}

function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((each) => each.split('.').map((part) => Number.parseInt(part, 10)));
  const index = a?.findIndex((part, at) => part !== b?.[at]) ?? -1;
  return index === -1 ? 0 : (a?.[index] ?? 0) - (b?.[index] ?? 0);
}

/** `what` states what this program does not support; `version` is that of the note, if it can be read. */
export function createNewerStorageError(what: string, version: string | undefined): Error {
  const advice =
    version === undefined
      ? 'It was written by a newer version. Start that version'
      : `It was written by a newer version: start Graticule ${version} or later`;
  return new Error(`${what}. ${advice}, or restore a backup made before the upgrade.`);
}
