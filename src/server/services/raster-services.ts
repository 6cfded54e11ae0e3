/** Connects the raster drivers to the catalog, the gates and the files of the server. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { openRasterData, type RasterData } from '../../catalog/coverage-stores/raster-data.ts';
import { type MosaicIndexes, openMosaicIndexes } from '../../catalog/mosaic-indexes/mosaic-indexes.ts';
import { openPendingDrops } from '../../catalog/mosaic-indexes/pending-drops.ts';
import { createHarvestProgress } from '../../catalog/mosaics/harvest-progress.ts';
import type { MosaicServices } from '../../catalog/mosaics/upload-mosaic.ts';
import type { NodeFiles } from '../../catalog/stores/node-files.ts';
import type { StoreParameters } from '../../catalog/stores/store-parameters.ts';
import type { UnreachableStores } from '../../catalog/stores/unreachable-stores.ts';
import type { StagingServices } from '../../catalog/uploads/stage-upload.ts';
import type { RasterUploadServices } from '../../catalog/uploads/upload-raster.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { PathGate } from '../../gates/path-gate.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import { rasterDrivers } from '../../raster/drivers.ts';
import { createThreadedDriver } from '../../raster/in-thread/driver.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import type { Sealer } from '../../security/core/sealer.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { DROPS_FOLDER, GRANULES_FILE } from '../settings/data-directory.ts';
import { limits } from '../settings/limits.ts';
import type { Settings } from '../settings/settings.ts';

export interface RasterServices {
  readonly mosaicIndexes: MosaicIndexes;
  readonly mosaics: MosaicServices;
  readonly rasterData: RasterData;
  readonly rasterUploads: RasterUploadServices;
}

export function openRasterServices(
  settings: Settings,
  parts: {
    readonly catalog: Catalog;
    readonly sealer: Sealer;
    readonly parameters: Pick<StoreParameters, 'accept'>;
    readonly workers: WorkerPool;
    readonly filterRunner: FilterRunner;
    readonly granuleWorkers: WorkerPool;
    readonly harvestWorkers: WorkerPool;
    readonly clock: () => number;
    readonly staging: StagingServices;
    readonly storePaths: PathGate;
    readonly unreachable: UnreachableStores;
    readonly nodeFiles: NodeFiles;
    readonly logger: FastifyBaseLogger;
    readonly disk: Disk;
    readonly remoteBlocks: RemoteBlocks;
    /** Opens URLs, and objects (`s3://bucket/key`). */
    readonly dataGate: UrlGate;
  },
): RasterServices {
  const { staging, workers, logger, remoteBlocks, dataGate: urlGate } = parts;
  const mosaicIndexes = openMosaicIndexes({
    async openEmbedded() {
      if (settings.storage !== undefined) {
        const { openSharedGranules } = await import('../../raster/granules/shared/shared-granules.ts');
        const { config, schema } = settings.storage;
        return openSharedGranules({ config, schema, clock: parts.clock, filterRunner: parts.filterRunner });
      }
      const { openEmbeddedGranules } = await import('../../raster/granules/embedded/embedded-granules.ts');
      return openEmbeddedGranules(join(staging.dataDir, GRANULES_FILE), parts.granuleWorkers, parts.clock);
    },
    sealer: parts.sealer,
    filterRunner: parts.filterRunner,
    drops: openPendingDrops({ folder: join(staging.dataDir, DROPS_FOLDER), disk: parts.disk }),
    reportFailure: (reason) => logger.warn({ err: reason }, 'old granules of a mosaic could not be deleted'),
  });
  const rasterData = openRasterData({
    urlGate,
    remoteBlocks,
    drivers: rasterDrivers.map((driver) => createThreadedDriver(driver, workers, remoteBlocks)),
    clientPaths: staging.pathGate,
    storePaths: parts.storePaths,
    catalog: parts.catalog,
    files: staging.files,
    dataDir: staging.dataDir,
    deadlineMs: settings.storeTimeoutMs,
    probeMs: limits.storeProbeMs,
    unreachable: parts.unreachable,
    nodeFiles: parts.nodeFiles,
    mosaicIndexes,
    workers,
  });
  const mosaics: MosaicServices = {
    ...staging,
    urlGate,
    indexes: mosaicIndexes,
    parameters: parts.parameters,
    storePaths: parts.storePaths,
    harvestWorkers: parts.harvestWorkers,
    remoteBlocks,
    clock: parts.clock,
    progress: createHarvestProgress((facts, message) => logger.info(facts, message)),
  };
  const rasterUploads = { ...staging, data: rasterData };
  return { rasterData, mosaicIndexes, mosaics, rasterUploads };
}
