/** What the nodes of one storage note about the tiles that they share. */
import { randomUUID } from 'node:crypto';

export interface InstallationNotes {
  read(name: string): Promise<string | undefined>;
  update(name: string, write: (text: string | undefined) => string | undefined): Promise<boolean>;
}

/**
 * The note belongs to one storage: its copy has the same record ids and change numbers, and would find tiles of the
 * original.
 */
export const INSTALLATION_NOTE = 'shared tiles';

export interface Installation {
  readonly id: string;
  /** Where the node that started last shares its tiles; null for one that shares none. */
  readonly place: string | null;
}

/** Returns undefined if no node has shared tiles. */
export function parseInstallation(text: string | undefined): Installation | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Installation);
}

/** Returns the identifier of the installation, and creates it once. */
export async function readInstallationId(notes: InstallationNotes): Promise<string> {
  return (await update(notes, (known) => known ?? { id: randomUUID(), place: null })).id;
}

/** Records the place of a starting node, and returns the previous one. A node without a place records no first one. */
export async function recordPlace(notes: InstallationNotes, place: string | null): Promise<string | null> {
  if (place === null && (await notes.read(INSTALLATION_NOTE)) === undefined) return null;
  let before: string | null = null;
  await update(notes, (known) => {
    before = known?.place ?? null;
    return { id: known?.id ?? randomUUID(), place };
  });
  return before;
}

async function update(
  notes: InstallationNotes,
  change: (known: Installation | undefined) => Installation,
): Promise<Installation> {
  let result: Installation | undefined;
  await notes.update(INSTALLATION_NOTE, (text) => {
    result = change(parseInstallation(text));
    const next = JSON.stringify(result);
    return next === text ? undefined : next;
  });
  if (result === undefined) throw new Error('The note of the shared tiles was not read');
  return result;
}

/** Returns the beginning of all keys of an installation. Several installations can share a place. */
export function formatKeyPrefix(id: string): string {
  return `tiles/${id}/`;
}

export function describeOtherPlace(place: string | null, other: string | null): string {
  const describe = (each: string | null) => (each === null ? 'no --tiles' : `--tiles ${each}`);
  return `This node has ${describe(place)}, but another node of the database has ${describe(other)}. Nodes share tiles only if all have the same --tiles.`;
}
