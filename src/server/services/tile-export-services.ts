/** Connects tile exports to the storage, its files and its nodes. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Sessions } from '../../http/session/session.ts';
import type { Services } from '../../interface/common/services.ts';
import { createFileFromHandle } from '../../lib/files/readable-file.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Files } from '../../records/files/files.ts';
import type { TileServices } from '../../services/tiles/map-tile.ts';
import { BlobMissing } from '../../storage/blobs/port.ts';
import type { Claims } from '../../storage/nodes/claims.ts';
import type { Notes } from '../../storage/port/port.ts';
import { type ExportFiles, TileExportsNode } from '../../tiles/exports/tile-exports.ts';
import { runInBackground } from '../../workers/request-scope.ts';
import { limits } from '../settings/limits.ts';
import { MEGABYTE } from '../settings/memory-budget.ts';
import type { Settings } from '../settings/settings.ts';

export type TileExportSettings = Pick<Settings, 'tileExportsMb' | 'storage' | 'blobs' | 'maxStoredUploadMb'>;

interface TileExportParts {
  readonly notes: Notes;
  readonly claims: Claims;
  readonly files: Files;
  readonly clock: () => number;
  readonly logger: FastifyBaseLogger;
}

export function openTileExports(
  { tileExportsMb, storage, blobs, maxStoredUploadMb }: TileExportSettings,
  { notes, claims, files, clock, logger }: TileExportParts,
) {
  const isInDatabase = storage !== undefined && blobs === undefined;
  const tileExports = new TileExportsNode({
    ...{ notes, claims, clock },
    files: createExportFiles(files),
    maxTotalBytes: tileExportsMb * MEGABYTE,
    maxArchiveBytes: isInDatabase ? maxStoredUploadMb * MEGABYTE : Number.POSITIVE_INFINITY,
    times: { ...limits.claims, ...limits.tileExports },
    onEnd: ({ id, name }, { state, written, bytes, problem: reason }) =>
      logger.info({ export: id, layer: name, state, tiles: written, bytes, reason }, 'a tile export has ended'),
    onError: (reason) => logger.warn({ err: reason }, 'tiles could not be exported'),
  });
  const prepareTileExport: Services['prepareTileExport'] = async (services, principal, request) => {
    const { prepareTileExport: prepare } = await import('../../services/tile-exports/prepare-export.ts');
    return prepare(services, principal, request, limits);
  };
  return {
    served: { tileExports, prepareTileExport },
    /** Each tile uses the same services as a request for it. */
    begin(sessions: Pick<Sessions<TileServices>, 'open'>): void {
      const now = () => new Date(clock());
      tileExports.startWorking(async (job, address, signal) => {
        const { checkExportable, drawJobTile } = await import('../../services/tiles/job-tile.ts');
        const { computeTileRecipe } = await import('../../services/tiles/tile-recipe.ts');
        const session = sessions.open('read');
        let version = '';
        try {
          const drawn = await runInBackground('tiles', () =>
            drawJobTile(session.services, job, address, {
              ...{ limits, now, signal },
              check: async (prepared) => {
                checkExportable(prepared, job.workspaces);
                const { layers, tile } = prepared;
                version = await computeTileRecipe(session.services.catalog, layers, !tile.format.isVector, {});
              },
            }),
          );
          return drawn && { ...drawn, version };
        } finally {
          session.close();
        }
      });
    },
    close: () => tileExports.close(),
  };
}

function createExportFiles(files: Files): ExportFiles {
  return {
    createStaging: () => files.createStaging('tile-export'),
    store: ({ path, name, bytes }, record) =>
      files.runFileOperation(async (keeper) => {
        await record(await keeper.storeSet([{ path: name, file: path, bytes }]));
      }),
    async open(fileSet, name) {
      try {
        const handle = await open(join(await files.openSet(fileSet), name));
        return { file: createFileFromHandle(handle), sizeBytes: (await handle.stat()).size };
      } catch (error) {
        throw error instanceof BlobMissing ? problem('tile-export-file-missing', {}) : error;
      }
    },
    remove: (fileSet) => files.removeUnused([fileSet]),
  };
}
