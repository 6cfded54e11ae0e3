/** Connects the tiles that nodes share (--tiles) to their place. */
import type { FastifyBaseLogger } from 'fastify';
import type { Disk } from '../../storage/blobs/disk.ts';
import type { Claims } from '../../storage/nodes/claims.ts';
import type { Nodes } from '../../storage/nodes/nodes.ts';
import type { Notes } from '../../storage/port/port.ts';
import type { TileInvalidations } from '../../tiles/cache/tile-invalidations.ts';
import { DirectoryTileStore } from '../../tiles/shared/directory-tile-store.ts';
import {
  describeOtherPlace,
  formatKeyPrefix,
  readInstallationId,
  recordPlace,
} from '../../tiles/shared/installation.ts';
import { SharedTiles } from '../../tiles/shared/shared-tiles.ts';
import { TileCleaner } from '../../tiles/shared/tile-cleaner.ts';
import type { TileStore } from '../../tiles/shared/tile-store.ts';
import { getCredentials } from '../settings/file-storage.ts';
import { MEGABYTE } from '../settings/memory-budget.ts';
import type { Settings } from '../settings/settings.ts';
import { getCause } from '../storage/open-with-retry.ts';

export type SharedTileSettings = Pick<
  Settings,
  'tiles' | 'tilesMb' | 'tilesDays' | 'awsAccessKeyId' | 'awsSecretAccessKey' | 'awsSessionToken'
>;

interface SharedTileParts {
  readonly notes: Notes;
  readonly nodes: Nodes;
  readonly claims: Claims;
  readonly disk: Disk;
  readonly clock: () => number;
  readonly logger: FastifyBaseLogger;
  readonly listRanges: TileInvalidations['listRanges'];
}

const DAY_MS = 86_400_000;

/** Returns undefined if the node shares no tiles. */
export async function openSharedTiles(settings: SharedTileSettings, parts: SharedTileParts) {
  const { tilesMb, tilesDays } = settings;
  const { notes, claims, disk, clock, logger, listRanges } = parts;
  const store = await openTileStore(settings, disk);
  if (store === undefined) return undefined;
  const readPrefix = async () => formatKeyPrefix(await readInstallationId(notes));
  const maxBytes = tilesMb * MEGABYTE;
  const tiles = new SharedTiles({
    ...{ store, readPrefix, clock, maxBytes },
    onPause: (reason) =>
      logger.warn(
        { err: getCause(reason), place: store.shown },
        'the tiles of --tiles could not be read or written: tiles are drawn instead',
      ),
  });
  const cleaner = new TileCleaner({
    ...{ store, tiles, notes, readPrefix, listRanges, clock, maxBytes },
    hold: (what, forMs) => claims.hold(what, forMs),
    maxAgeMs: tilesDays === 0 ? Number.POSITIVE_INFINITY : tilesDays * DAY_MS,
    onCleaned: (cleaned) => logger.debug(cleaned, 'cleaned the tiles of --tiles'),
    onError: (reason) =>
      logger.warn({ err: getCause(reason), place: store.shown }, 'the tiles of --tiles could not be cleaned'),
  });
  return { tiles, cleaner };
}

/** The client of object stores is loaded only for them. */
async function openTileStore(settings: SharedTileSettings, disk: Disk): Promise<TileStore | undefined> {
  const { tiles } = settings;
  if (tiles === undefined) return undefined;
  if (tiles.kind === 'directory') return new DirectoryTileStore(tiles.directory, disk);
  const { S3CacheStore } = await import('../../storage/objects/s3-cache-store.ts');
  return new S3CacheStore({ location: tiles.location, credentials: getCredentials(settings) });
}

/** Warns if running nodes share their tiles elsewhere: each then draws tiles that others have drawn. */
export async function reportOtherPlace(
  { tiles }: Pick<Settings, 'tiles'>,
  { notes, nodes, logger }: Pick<SharedTileParts, 'notes' | 'nodes' | 'logger'>,
): Promise<void> {
  const place = tiles?.shown ?? null;
  const before = await recordPlace(notes, place);
  if (before === place) return;
  const others = (await nodes.list()).filter(({ isAlive, isHere }) => isAlive && !isHere);
  if (others.length > 0) logger.warn({ nodes: others.map(({ name }) => name) }, describeOtherPlace(place, before));
}
