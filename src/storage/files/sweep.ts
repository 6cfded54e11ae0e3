/** Clears staging at the start of the server: first settles what a crash left half published, then removes the rest. */
import { join } from 'node:path';
import type { Disk } from './disk.ts';
import { isInPlace, putBack, toPublication } from './publication.ts';
import { type Journal, readJournal, removeJournal } from './publish-journal.ts';
import { carryOutRemovals } from './removal.ts';

/** Gives the number of entries found; `lastChange` is the last change that the database knows, if that is known. */
export async function sweep(
  disk: Disk,
  root: string,
  staging: string,
  lastChange: number | undefined,
): Promise<number> {
  const names = await disk.namesIn(staging);
  const found = [];
  for (const name of names) {
    const open = await readJournal(disk, staging, name);
    if (open !== undefined) found.push(open);
  }

  // Of two publishes to one target the later holds what the earlier had put there.
  found.sort((one, other) => other.journal.ordinal - one.journal.ordinal);
  for (const { folder, journal } of found) {
    const publication = toPublication(root, folder, journal);
    const stays = !isLost(journal, lastChange) && (await isInPlace(disk, publication));
    await (stays ? removeJournal(disk, folder) : putBack(disk, publication));
  }

  await carryOutRemovals(disk, root, staging, lastChange);
  for (const name of await disk.namesIn(staging)) await disk.removeTree(join(staging, name));
  return names.length;
}

/** The server died after the files were in place and before the database had committed the change they belong to. */
function isLost(journal: Journal, lastChange: number | undefined): boolean {
  return journal.change !== null && lastChange !== undefined && journal.change > lastChange;
}
