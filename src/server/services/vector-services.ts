/** Connects the vector drivers to the catalog, the gates and the files of the server. */
import { join } from 'node:path';
import type { NodeFiles } from '../../catalog/stores/node-files.ts';
import type { UnreachableStores } from '../../catalog/stores/unreachable-stores.ts';
import { openVectorData, type VectorData } from '../../catalog/stores/vector-data.ts';
import type { StagingServices } from '../../catalog/uploads/stage-upload.ts';
import type { UploadServices } from '../../catalog/uploads/upload.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { PathGate } from '../../gates/path-gate.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import type { KeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import type { Sealer } from '../../security/core/sealer.ts';
import { createSchemaDownloader } from '../../vector/app-schema/source/download-schema.ts';
import { createAppSchemaDriver } from '../../vector/app-schema/source/driver.ts';
import { PROPERTIES_FILE } from '../../vector/app-schema/source/placeholders.ts';
import { CACHE_FOLDER } from '../../vector/app-schema/source/schema-cache.ts';
import { tableDrivers, vectorDrivers } from '../../vector/drivers.ts';
import { flatgeobufDriver } from '../../vector/flatgeobuf/driver.ts';
import { geopackageDriver } from '../../vector/geopackage/driver.ts';
import { geoparquetDriver } from '../../vector/geoparquet/driver.ts';
import { createThreadDriver } from '../../vector/in-thread/driver.ts';
import { interchangeDrivers } from '../../vector/interchange/drivers.ts';
import { type IndexFolder, openIndexFolder } from '../../vector/port/index-folder.ts';
import { mbtilesVectorDriver, pmtilesVectorDriver } from '../../vector/tile-archives/drivers.ts';
import { createWfsDriver } from '../../vector/wfs/driver.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { RECORD_INDEXES_FOLDER } from '../settings/data-directory.ts';
import { limits } from '../settings/limits.ts';
import type { Settings } from '../settings/settings.ts';

export interface VectorServices {
  readonly vectorData: VectorData;
  readonly uploads: UploadServices;
  readonly tableCreation: KeyedMutex;
}

export function openVectorServices(
  settings: Settings,
  parts: {
    readonly catalog: Catalog;
    readonly sealer: Sealer;
    readonly workers: WorkerPool;
    readonly filterRunner: FilterRunner;
    readonly staging: StagingServices;
    readonly storePaths: PathGate;
    readonly unreachable: UnreachableStores;
    readonly nodeFiles: NodeFiles;
    readonly inTurn: KeyedMutex;
    readonly remoteBlocks: RemoteBlocks;
    /** Opens URLs, and objects (`s3://bucket/key`). */
    readonly dataGate: UrlGate;
    readonly clock: () => number;
  },
): { readonly served: VectorServices; readonly indexFolder: IndexFolder } {
  const { staging, workers } = parts;
  // SQLite and the decoders of Parquet and FlatGeobuf block their thread, and interchange files are read whole; the
  // other drivers wait for the disk or the network.
  const inThreads = new Set([
    geopackageDriver,
    geoparquetDriver,
    flatgeobufDriver,
    mbtilesVectorDriver,
    pmtilesVectorDriver,
    ...interchangeDrivers,
  ]);
  const remote = { blocks: parts.remoteBlocks, urlGate: parts.dataGate };
  const tables = tableDrivers.map((driver) =>
    inThreads.has(driver) ? createThreadDriver(driver, workers, remote) : driver,
  );
  const mappings = createAppSchemaDriver({
    drivers: tables,
    compile: async (place, signal) => {
      // Loaded with the first mapping.
      const { compileMappingTask } = await import('../../vector/app-schema/source/compile-mapping.ts');
      return workers.run(compileMappingTask, place, { signal });
    },
    cache: join(staging.dataDir, CACHE_FOLDER),
    download: createSchemaDownloader(staging.urlGate, staging.dataDir),
    // Clients have no access to this folder.
    properties: join(staging.dataDir, 'security', PROPERTIES_FILE),
    // The other half leaves time to report which source did not respond.
    patienceMs: Math.ceil(settings.storeTimeoutMs / 2),
  });
  const indexFolder = openIndexFolder({
    folder: join(staging.dataDir, RECORD_INDEXES_FOLDER),
    maxBytes: limits.maxIndexBytes,
    now: () => new Date(parts.clock()),
  });
  const data = openVectorData({
    drivers: [...tables, mappings, createWfsDriver(staging.urlGate, workers)],
    sealer: parts.sealer,
    clientPaths: staging.pathGate,
    storePaths: parts.storePaths,
    catalog: parts.catalog,
    files: staging.files,
    dataDir: staging.dataDir,
    deadlineMs: settings.storeTimeoutMs,
    probeMs: limits.storeProbeMs,
    maxOpenSources: limits.maxOpenSources,
    databaseHosts: new Set(settings.databaseHosts),
    unreachable: parts.unreachable,
    nodeFiles: parts.nodeFiles,
    isShared: settings.storage !== undefined,
    indexFolder,
    filterRunner: parts.filterRunner,
  });
  // Creating tables and importing exclude each other: a file must not change while it is copied.
  const tableCreation = parts.inTurn;
  const uploads = { ...staging, data, drivers: vectorDrivers, oneAtATime: tableCreation };
  return { served: { vectorData: data, uploads, tableCreation }, indexFolder };
}
