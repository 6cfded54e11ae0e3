/**
 * Removes files together with a change of the catalog: not before the change is certain, and then surely.
 *
 * A note on the disk says what goes with which change. Whoever dies after the change was committed leaves the note to
 * the next start, which removes the files; whoever dies before leaves a note of a change that never was, and the files
 * stay.
 */
import { dirname, join } from 'node:path';
import type { Disk } from './disk.ts';

interface RemovalNote {
  /** Relative to the data directory. */
  readonly places: readonly string[];
  /** The sequence number of the change that makes them useless. */
  readonly change: number;
}

const prefix = 'remove-';
const noteName = 'note.json';

/** Gives the folder of the note, which is on the disk then. */
export async function noteRemoval(disk: Disk, staging: string, note: RemovalNote): Promise<string> {
  const folder = await disk.makeFreshFolder(join(staging, prefix));
  const draft = join(folder, 'note.draft');
  await disk.writeDurably(draft, JSON.stringify(note));
  await disk.move(draft, join(folder, noteName));
  await disk.syncFolder(folder);
  await disk.syncFolder(staging);
  return folder;
}

/** Removes files or folders. */
export async function removePlaces(disk: Disk, root: string, places: readonly string[]): Promise<void> {
  for (const place of places) await disk.removeTree(join(root, place));
}

/** Removes the folders above places that are gone, if nothing else is in them, but for the outermost one. */
export async function removeEmptyAbove(disk: Disk, root: string, places: readonly string[]): Promise<void> {
  for (const place of places) {
    for (let above = dirname(place); dirname(above) !== '.' && above !== '.'; above = dirname(above)) {
      await disk.removeEmptyFolder(join(root, above));
    }
  }
}

/** At the start: carries out the removals whose change was committed; the notes themselves go with the rest of staging. */
export async function carryOutRemovals(
  disk: Disk,
  root: string,
  staging: string,
  lastChange: number | undefined,
): Promise<void> {
  for (const name of await disk.namesIn(staging)) {
    const file = join(staging, name, noteName);
    if (name.startsWith(prefix) && (await disk.entryAt(file)) === 'file') {
      const note = parseNote(file, await disk.readText(file));
      if (lastChange !== undefined && note.change <= lastChange) {
        await removePlaces(disk, root, note.places);
        await removeEmptyAbove(disk, root, note.places);
      }
    }
  }
}

function parseNote(file: string, text: string): RemovalNote {
  const value: unknown = JSON.parse(text);
  if (
    typeof value === 'object' &&
    value !== null &&
    'places' in value &&
    Array.isArray(value.places) &&
    value.places.every((place) => typeof place === 'string') &&
    'change' in value &&
    typeof value.change === 'number'
  ) {
    return { places: value.places, change: value.change };
  }
  throw new Error(`The removal note '${file}' is not one this program has written.`);
}
