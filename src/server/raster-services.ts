/** Wires the drivers of raster data to the catalog, the gates and the files of the server. */
import { openRasterData, type RasterData } from '../catalog/coverage-stores/raster-data.ts';
import type { UnreachableStores } from '../catalog/stores/unreachable-stores.ts';
import type { StagingServices } from '../catalog/uploads/stage-upload.ts';
import type { RasterUploadServices } from '../catalog/uploads/upload-raster.ts';
import { rasterDrivers } from '../data/raster/drivers.ts';
import { inThread } from '../data/raster/in-thread/driver.ts';
import type { PathGate } from '../gates/path-gate.ts';
import type { Catalog } from '../records/catalog.ts';
import type { WorkerPool } from '../workers/pool.ts';
import { limits } from './limits.ts';
import type { Settings } from './settings.ts';

export interface RasterServices {
  readonly rasterData: RasterData;
  readonly rasterUploads: RasterUploadServices;
}

export function openRasterServices(
  settings: Settings,
  parts: {
    readonly catalog: Catalog;
    readonly workers: WorkerPool;
    readonly staging: StagingServices;
    readonly storePaths: PathGate;
    readonly unreachable: UnreachableStores;
  },
): RasterServices {
  const { staging, workers } = parts;
  const rasterData = openRasterData({
    drivers: rasterDrivers.map((driver) => inThread(driver, workers)),
    clientPaths: staging.pathGate,
    storePaths: parts.storePaths,
    catalog: parts.catalog,
    files: staging.files,
    dataDir: staging.dataDir,
    deadlineMs: settings.storeTimeoutMs,
    probeMs: limits.storeProbeMs,
    unreachable: parts.unreachable,
  });
  return { rasterData, rasterUploads: { ...staging, data: rasterData } };
}
