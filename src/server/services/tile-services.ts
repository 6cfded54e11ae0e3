/** Connects the tile cache and tile seeding to the data directory and the clock of the server. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { readTileDefaults } from '../../catalog/tile-layers/tile-defaults.ts';
import type { Sessions } from '../../http/session/session.ts';
import { createSharedWork } from '../../lib/async/shared-work.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { TileServices } from '../../services/tiles/map-tile.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import type { DiskReserve } from '../../storage/files/disk-reserve.ts';
import type { Claims } from '../../storage/nodes/claims.ts';
import type { Nodes } from '../../storage/nodes/nodes.ts';
import type { Notes } from '../../storage/port/port.ts';
import { DiskTileCache } from '../../tiles/cache/tile-cache.ts';
import { openTileInvalidations } from '../../tiles/cache/tile-invalidations.ts';
import { SeedingNode } from '../../tiles/seeding/seeding.ts';
import { runInBackground } from '../../workers/request-scope.ts';
import { limits } from '../settings/limits.ts';
import type { Settings } from '../settings/settings.ts';
import { readVersion } from '../settings/version.ts';
import { openSharedTiles, reportOtherPlace, type SharedTileSettings } from './shared-tile-services.ts';

interface TileParts {
  readonly notes: Notes;
  readonly nodes: Nodes;
  readonly claims: Claims;
  readonly disk: Disk;
  readonly room: Pick<DiskReserve, 'prepareDeletion' | 'isReleased'>;
  readonly clock: () => number;
  readonly logger: FastifyBaseLogger;
  /** For tiles in memory. */
  readonly maxMemoryBytes: number;
}

export async function openTileServices(
  settings: Pick<Settings, 'dataDir' | 'tileCacheMb'> & SharedTileSettings,
  { notes, nodes, claims, disk, room, clock, logger, maxMemoryBytes }: TileParts,
) {
  const forgotten = openTileInvalidations(notes);
  const shared = await openSharedTiles(settings, {
    ...{ notes, nodes, claims, disk, clock, logger, listRanges: forgotten.listRanges },
  });
  const tileCache = new DiskTileCache({
    forgotten: {
      ...forgotten,
      async invalidate(range) {
        await room.prepareDeletion();
        await forgotten.invalidate(range);
      },
    },
    hasRoom: () => !room.isReleased,
    folder: join(settings.dataDir, 'tile-cache'),
    disk,
    shared: shared?.tiles,
    clock,
    maker: readVersion(),
    maxBytes: settings.tileCacheMb * 1_048_576,
    maxMemoryBytes,
    onError: (reason) => logger.warn({ err: reason }, 'the tile cache could not be read or written'),
  });
  const tileSeeding = new SeedingNode({
    notes,
    nodes,
    clock,
    waitForWrites: () => tileCache.waitForWrites(0),
    findStart: shared && (() => findShare(nodes)),
    everyMs: limits.tileJobsMs,
    onError: (reason) => logger.warn({ err: reason }, 'tiles could not be seeded'),
  });
  const tilesUnderWay: TileServices['tilesUnderWay'] = createSharedWork();
  return {
    served: { tileCache, tilesUnderWay, tileSeeding },
    /** Applies the limit of the settings. */
    async loadLimit(catalog: CatalogReader): Promise<void> {
      tileCache.setLimit((await readTileDefaults(catalog)).maxCacheBytes);
    },
    /** Starts seeding; each tile uses the same services as a request for it. */
    begin(sessions: Pick<Sessions<TileServices>, 'open'>): void {
      shared?.cleaner.start();
      const now = () => new Date(clock());
      tileSeeding.startWorking(async (job, address, signal) => {
        const { drawJobTile } = await import('../../services/tiles/job-tile.ts');
        const session = sessions.open('read');
        try {
          const drawn = await runInBackground('tiles', () =>
            drawJobTile(session.services, job, address, { limits, now, signal }),
          );
          if (drawn?.isIncomplete) {
            logger.warn({ layer: job.name, tile: address }, 'an incomplete tile was not cached by a seed job');
          }
          return drawn !== undefined;
        } finally {
          session.close();
        }
      });
    },
    /** Warns about nodes that share their tiles elsewhere. */
    reportOtherPlace: () => reportOtherPlace(settings, { notes, nodes, logger }),
    async close(): Promise<void> {
      await tileSeeding.close();
      await shared?.cleaner.close();
      await tileCache.close();
    },
  };
}

/** Returns the position of this node among the running ones, from 0 to less than 1. */
async function findShare(nodes: Nodes): Promise<number> {
  const running = (await nodes.list()).filter(({ isAlive, isHere }) => isAlive || isHere);
  const ids = running.map(({ id }) => id).sort();
  return Math.max(0, ids.indexOf(nodes.here)) / Math.max(1, ids.length);
}
