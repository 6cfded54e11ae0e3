/** Wires the drivers of vector data to the catalog, the gates and the files of the server. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { openVectorData, type VectorData } from '../catalog/stores/vector-data.ts';
import { openUnpacking } from '../catalog/uploads/unpack.ts';
import type { UploadServices } from '../catalog/uploads/upload.ts';
import { vectorDrivers } from '../data/vector/drivers.ts';
import { geopackageDriver } from '../data/vector/geopackage/driver.ts';
import { inThread } from '../data/vector/in-thread/driver.ts';
import { createPathGate } from '../gates/path-gate.ts';
import type { UrlGate } from '../gates/url-gate.ts';
import { createOneAtATime, type OneAtATime } from '../lib/one-at-a-time.ts';
import type { Catalog } from '../records/catalog.ts';
import type { Files } from '../records/files.ts';
import type { Sealer } from '../security/keystore/sealer.ts';
import type { WorkerPool } from '../workers/pool.ts';
import { limits } from './limits.ts';
import type { Settings } from './settings.ts';

export interface VectorServices {
  readonly vectorData: VectorData;
  readonly uploads: UploadServices;
  readonly tableCreation: OneAtATime;
}

export function openVectorServices(
  settings: Settings,
  parts: {
    readonly catalog: Catalog;
    readonly sealer: Sealer;
    readonly urlGate: UrlGate;
    readonly files: Files;
    readonly workers: WorkerPool;
    readonly unpackWorkers: WorkerPool;
    readonly logger: FastifyBaseLogger;
  },
): VectorServices {
  const { dataDir, externalRoots } = settings;
  const gateOptions = { dataDir, limits: limits.directory };
  const pathGate = createPathGate({ ...gateOptions, externalRoots });
  const data = openVectorData({
    // SQLite answers before it lets anything else run; the others wait for the disk or the network.
    drivers: vectorDrivers.map((driver) => (driver === geopackageDriver ? inThread(driver, parts.workers) : driver)),
    sealer: parts.sealer,
    clientPaths: pathGate,
    // Roots narrow what clients may name; what stores have below `data` was named before there were any.
    storePaths: createPathGate({
      ...gateOptions,
      externalRoots: externalRoots.length === 0 ? [] : [...externalRoots, join(dataDir, 'data')],
    }),
    catalog: parts.catalog,
    files: parts.files,
    dataDir,
    deadlineMs: settings.storeTimeoutMs,
    probeMs: limits.storeProbeMs,
    maxOpenSources: limits.maxOpenSources,
    databaseHosts: new Set(settings.databaseHosts),
    report: {
      lost: ({ store, reason }) => parts.logger.warn({ store, reason }, 'the data of a store cannot be reached'),
      back: (store) => parts.logger.info({ store }, 'the data of a store can be reached again'),
    },
  });
  // Whoever makes tables and whoever imports into them take turns: a file that is copied must not change meanwhile.
  const tableCreation = createOneAtATime();
  return {
    vectorData: data,
    uploads: {
      data,
      drivers: vectorDrivers,
      files: parts.files,
      urlGate: parts.urlGate,
      pathGate,
      dataDir,
      unpack: openUnpacking(parts.unpackWorkers, limits.archive),
      maxUploadBytes: limits.maxUploadBytes,
      oneAtATime: tableCreation,
    },
    tableCreation,
  };
}
