/** Connects the data services to the catalog, the gates and the files of the server. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { openRemoteServers, type RemoteServers } from '../../catalog/cascaded/remote-servers.ts';
import { createNeededVersions } from '../../catalog/mosaic-indexes/granule-versions.ts';
import { type DataFolder, openDataFolder } from '../../catalog/resource-files/data-folder.ts';
import { openDataWrites } from '../../catalog/resource-files/data-writes.ts';
import { createNodeFiles, type NodeFiles, singleNodeFiles } from '../../catalog/stores/node-files.ts';
import { createUnreachableStores, type UnreachableStores } from '../../catalog/stores/unreachable-stores.ts';
import { openUnpacking } from '../../catalog/uploads/unpack.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import { createFolderGate } from '../../gates/folder-gate.ts';
import { createPathGate } from '../../gates/path-gate.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import { createKeyedMutex, type KeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import { createUrlSource } from '../../remote/ranged-source.ts';
import { RemoteBlocks } from '../../remote/remote-blocks.ts';
import type { Sealer } from '../../security/core/sealer.ts';
import type { Disk } from '../../storage/blobs/disk.ts';
import type { Notes } from '../../storage/port/port.ts';
import { vectorDrivers } from '../../vector/drivers.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { DATA_WRITES_FOLDER, GRANULES_FILE } from '../settings/data-directory.ts';
import { limits } from '../settings/limits.ts';
import type { Settings } from '../settings/settings.ts';
import { createObjectGate } from './object-gate.ts';
import { openRasterServices, type RasterServices } from './raster-services.ts';
import { openVectorServices, type VectorServices } from './vector-services.ts';

export interface DataServices {
  /** The services for request handlers. */
  readonly served: VectorServices &
    RasterServices & {
      readonly remoteServers: RemoteServers;
      readonly dataFolder: DataFolder;
      readonly nodeFiles: NodeFiles;
    };
  readonly unreachable: UnreachableStores;
  /** Before the first request: deletes leftovers of a killed server. */
  cleanUp(): Promise<void>;
  /** Deletes indexes of files that no longer exist. */
  forgetGoneFiles(): Promise<void>;
  /** Periodically deletes granules that neither a record nor an undoable change refers to. */
  collectGranules(isNamed: (version: string) => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

interface DataServicesParts {
  readonly catalog: Catalog;
  readonly sealer: Sealer;
  readonly urlGate: UrlGate;
  readonly files: Files;
  readonly workers: WorkerPool;
  /** Evaluates filters that stores cannot evaluate themselves. */
  readonly filterRunner: FilterRunner;
  readonly unpackWorkers: WorkerPool;
  readonly granuleWorkers: WorkerPool;
  readonly harvestWorkers: WorkerPool;
  /** Runs work with the same key one at a time, across all nodes. */
  readonly inTurn: KeyedMutex;
  readonly clock: () => number;
  readonly logger: FastifyBaseLogger;
  readonly disk: Disk;
  readonly notes: Notes;
  /** The memory for blocks of remote files. */
  readonly remoteBytes: number;
}

export function openDataServices(settings: Settings, parts: DataServicesParts): DataServices {
  const { catalog, sealer, urlGate, workers, granuleWorkers, harvestWorkers, inTurn, clock, disk } = parts;
  const shared = openSharedParts(settings, parts);
  const { unreachable, nodeFiles } = shared;
  const dataGate = createObjectGate(urlGate, settings);
  const remoteBlocks = new RemoteBlocks({ source: createUrlSource(dataGate), maxBytes: parts.remoteBytes, clock });
  const { served: vector, indexFolder } = openVectorServices(settings, {
    ...shared,
    sealer,
    inTurn,
    remoteBlocks,
    dataGate,
    clock,
  });
  const raster = openRasterServices(settings, {
    ...shared,
    sealer,
    parameters: vector.vectorData,
    granuleWorkers,
    harvestWorkers,
    clock,
    disk,
    remoteBlocks,
    dataGate,
  });
  const remoteServers = openRemoteServers({
    urlGate,
    sealer,
    workers,
    unreachable,
    deadlineMs: settings.storeTimeoutMs,
    probeMs: limits.storeProbeMs,
    clock,
  });
  const { dataFolder, recoverWrites } = openWritableFolder(settings, parts);
  return {
    served: { ...vector, ...raster, remoteServers, dataFolder, nodeFiles },
    unreachable,
    async cleanUp() {
      await recoverWrites();
      await raster.mosaicIndexes.resumeDrops(catalog);
    },
    async collectGranules(isNamed) {
      if (await hasGranules(settings)) {
        const { graceMs } = limits.fileCollection;
        await raster.mosaicIndexes.collect(createNeededVersions({ catalog, isReferenced: isNamed, clock, graceMs }));
      }
    },
    forgetGoneFiles: () => indexFolder.prune(),
    async close() {
      remoteBlocks.close();
      await Promise.all([vector.vectorData.close(), raster.mosaicIndexes.close()]);
    },
  };
}

/** What the services of vector and raster data have in common. */
function openSharedParts(settings: Settings, parts: DataServicesParts) {
  const { catalog, workers, filterRunner, logger, files, urlGate } = parts;
  const { dataDir, externalRoots } = settings;
  const gateOptions = { dataDir, limits: limits.directory };
  // External roots restrict paths that clients send. Paths of existing stores below `data` stay valid.
  const storePaths = createPathGate({
    ...gateOptions,
    externalRoots: externalRoots.length === 0 ? [] : [...externalRoots, join(dataDir, 'data')],
  });
  const nodeFiles =
    settings.storage === undefined
      ? singleNodeFiles
      : createNodeFiles({
          drivers: vectorDrivers,
          storePaths,
          catalog,
          warn: (facts, message) => logger.warn(facts, message),
        });
  return {
    catalog,
    workers,
    filterRunner,
    logger,
    storePaths,
    nodeFiles,
    unreachable: createUnreachableStores(catalog, {
      reportUnreachable: ({ store, reason }) => logger.warn({ store, reason }, 'the data of a store is unreachable'),
      reportReachable: (store) => logger.info({ store }, 'the data of a store is reachable again'),
    }),
    staging: {
      files,
      urlGate,
      pathGate: createPathGate({ ...gateOptions, externalRoots }),
      dataDir,
      unpack: openUnpacking(parts.unpackWorkers, limits.archive),
      maxUploadBytes: limits.maxUploadBytes,
    },
  };
}

/** Opens the folder `data`, whose files clients write. */
function openWritableFolder({ dataDir, storage }: Settings, { disk, notes }: DataServicesParts) {
  const writes = openDataWrites({
    folder: join(dataDir, DATA_WRITES_FOLDER),
    root: join(dataDir, 'data'),
    disk,
    notes,
  });
  const dataFolder = openDataFolder({
    gate: createFolderGate({ dataDir, folder: 'data' }),
    disk,
    oneAtATime: createKeyedMutex(),
    writes,
    isOnOneNode: storage !== undefined,
  });
  return { dataFolder, recoverWrites: () => writes.recoverWrites() };
}

/** An embedded server without mosaics has no file of granules. */
async function hasGranules({ dataDir, storage }: Settings): Promise<boolean> {
  if (storage !== undefined) return true;
  return access(join(dataDir, GRANULES_FILE)).then(
    () => true,
    () => false,
  );
}
