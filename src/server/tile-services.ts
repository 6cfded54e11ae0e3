/** Wires what tiles are kept in, and what makes them beforehand, to the data directory and the clock of the server. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { openForgottenTiles } from '../data/tiles/cache/forgotten-tiles.ts';
import { openTileCache } from '../data/tiles/cache/tile-cache.ts';
import { openTileSeeding } from '../data/tiles/seeding.ts';
import { createSharedWork } from '../lib/shared-work.ts';
import type { TileServices } from '../services/tiles/map-tile.ts';
import type { Disk } from '../storage/files/disk.ts';
import type { Notes } from '../storage/port.ts';
import { limits } from './limits.ts';
import type { Settings } from './settings.ts';
import { readVersion } from './version.ts';

interface TileParts {
  readonly notes: Notes;
  readonly disk: Disk;
  readonly clock: () => number;
  readonly logger: FastifyBaseLogger;
}

export function openTileServices(
  settings: Pick<Settings, 'dataDir' | 'tileCacheMb'>,
  { notes, disk, clock, logger }: TileParts,
) {
  const tileCache = openTileCache({
    forgotten: openForgottenTiles(notes),
    folder: join(settings.dataDir, 'tile-cache'),
    disk,
    clock,
    maker: readVersion(),
    maxBytes: settings.tileCacheMb * 1_048_576,
    maxMemoryBytes: limits.tileMemoryBytes,
    failed: (reason) => logger.warn({ err: reason }, 'tiles could not be kept or looked at'),
  });
  const tileSeeding = openTileSeeding({
    clock,
    failed: (reason) => logger.warn({ err: reason }, 'a tile could not be made beforehand'),
  });
  const tilesUnderWay: TileServices['tilesUnderWay'] = createSharedWork();
  return {
    served: { tileCache, tilesUnderWay, tileSeeding },
    async close(): Promise<void> {
      await tileSeeding.close();
      await tileCache.close();
    },
  };
}
