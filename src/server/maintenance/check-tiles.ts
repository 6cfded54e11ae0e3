/** Checks the place of shared tiles. A server starts without it and draws tiles, so every problem is a warning. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { explainFileError } from '../../lib/problems/file-error.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import { describeOtherPlace, INSTALLATION_NOTE, parseInstallation } from '../../tiles/shared/installation.ts';
import { getCredentials } from '../settings/file-storage.ts';
import type { Settings } from '../settings/settings.ts';
import { getCause } from '../storage/open-with-retry.ts';

export interface TilesCheck {
  readonly status: 'ok' | 'warning';
  readonly message: string;
}

/** A store that answers later would not be used for tiles either. */
const ANSWER_MS = 10_000;

/** Returns undefined if neither this server nor another node of its database shares tiles. */
export async function checkTiles(settings: Settings): Promise<TilesCheck | undefined> {
  const { tiles, storage } = settings;
  const place = tiles?.shown ?? null;
  const other = storage === undefined ? undefined : await findOtherPlace(storage, place);
  if (other !== undefined) return { status: 'warning', message: describeOtherPlace(place, other) };
  if (place === null) return undefined;
  try {
    await requireUsable(settings);
    return { status: 'ok', message: `${place} can be used.` };
  } catch (error) {
    const reason = explainFileError(getCause(error));
    return { status: 'warning', message: `Cannot use --tiles ${place}: ${reason}. The server will draw the tiles.` };
  }
}

async function requireUsable(settings: Settings): Promise<void> {
  const { tiles } = settings;
  if (tiles?.kind === 'directory') await access(tiles.directory, constants.R_OK | constants.W_OK | constants.X_OK);
  if (tiles?.kind !== 'objects') return;
  const { S3CacheStore } = await import('../../storage/objects/s3-cache-store.ts');
  const store = new S3CacheStore({ location: tiles.location, credentials: getCredentials(settings) });
  try {
    await store.list('tiles/', AbortSignal.timeout(ANSWER_MS)).next();
  } finally {
    store.close();
  }
}

/** Returns the place of the other running nodes if it is another one. */
async function findOtherPlace(location: PostgresLocation, place: string | null): Promise<string | null | undefined> {
  const { readNote } = await import('../../storage/postgres/nodes/read-note.ts');
  const { countLiveNodes } = await import('../../storage/postgres/nodes/move-objects.ts');
  // The check of the database reports that it is unavailable.
  const text = await readNote(location, INSTALLATION_NOTE).catch(() => undefined);
  const other = parseInstallation(text)?.place ?? null;
  return other === place || text === undefined || (await countLiveNodes(location)) === 0 ? undefined : other;
}
