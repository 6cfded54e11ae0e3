/** The services of a transaction: they defer all irreversible actions until the commit. */
import type { BufferedFolder } from '../../catalog/resource-files/data-folder.ts';
import type { VectorData } from '../../catalog/stores/vector-data.ts';
import type { Services } from '../../interface/common/services.ts';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import type { FeatureLocks } from '../../lib/locks/feature-locks.ts';
import type { FileBatch, Files } from '../../records/files/files.ts';
import type { TransactionScope } from '../../records/transaction-scope.ts';
import { replaceInvalidation } from '../../tiles/cache/tile-cache-views.ts';
import { deferExportChanges } from '../../tiles/exports/defer-export-changes.ts';

/** `tried` are the same services without side effects. */
export function createTransactionServices(
  services: Services,
  tried: Services,
  scope: TransactionScope,
  gathered: FileBatch,
): Services {
  const files = createTransactionFiles({ ...services.files, ...gathered }, scope);
  const vectorData = createTransactionVectorData(services.vectorData, tried.vectorData, scope);
  const { rasterData, remoteServers } = tried;
  const { inForce } = services;
  return {
    ...services,
    files,
    vectorData,
    featureLocks: createTransactionLocks(services.featureLocks, tried.featureLocks, scope),
    rasterData: {
      ...rasterData,
      reportUnreachable: async (...noted) => scope.afterCommit(() => services.rasterData.reportUnreachable(...noted)),
    },
    remoteServers: {
      ...remoteServers,
      reportUnreachable: async (...noted) =>
        scope.afterCommit(() => services.remoteServers.reportUnreachable(...noted)),
    },
    rasterUploads: { ...services.rasterUploads, files, data: rasterData },
    mosaics: { ...services.mosaics, files },
    uploads: { ...services.uploads, files, data: vectorData },
    styles: { ...services.styles, files },
    tileCache: replaceInvalidation(services.tileCache, async (range) =>
      scope.afterCommit(() => services.tileCache.invalidate(range)),
    ),
    // Batches have no such operations.
    tileSeeding: tried.tileSeeding,
    tileExports: deferExportChanges(services.tileExports, async (change) => scope.afterCommit(change)),
    inForce: {
      ...inForce,
      applySettings: async () => scope.afterCommit(() => inForce.applySettings()),
      applyLogging: async () => scope.afterCommit(() => inForce.applyLogging()),
    },
  };
}

/** The services of a dry-run transaction: files exist until it ends, so that later operations can read them. */
export function createDryRunTransactionServices(
  services: Services,
  tried: Services,
  scope: TransactionScope,
): Services {
  const files: Files = {
    ...tried.files,
    runFileOperation: (operation) => scope.hold((work) => services.files.runFileOperation(work), operation),
  };
  return {
    ...tried,
    files,
    rasterUploads: { ...tried.rasterUploads, files },
    mosaics: { ...tried.mosaics, files },
    uploads: { ...tried.uploads, files },
    styles: { ...tried.styles, files },
  };
}

/** Protects stored files from collection until the transaction ends, and purges files only then. */
function createTransactionFiles(files: Files, scope: TransactionScope): Files {
  return {
    ...files,
    runFileOperation: (operation) => scope.hold((work) => files.runFileOperation(work), operation),
    changeAndPurge: async (isNamed, wanted, change) => {
      await scope.hold(
        (work) => files.changeAndPurge(isNamed, wanted, () => work(undefined)),
        () => change(),
      );
    },
  };
}

/** Releases locks only if the transaction is committed. */
function createTransactionLocks(real: FeatureLocks, tried: FeatureLocks, scope: TransactionScope): FeatureLocks {
  return {
    ...tried,
    acquire: (lock) => real.acquire(lock),
    renew: (id, seconds) => real.renew(id, seconds),
    release: async (id) => {
      scope.afterCommit(async () => void (await real.release(id)));
      return tried.release(id);
    },
    releaseSome: async (id, keys) => scope.afterCommit(() => real.releaseSome(id, keys)),
  };
}

/** Holds sources open until the transaction has committed what it wrote to them. */
function createTransactionVectorData(real: VectorData, tried: VectorData, scope: TransactionScope): VectorData {
  const descriptions = cacheDescriptions(tried);
  return {
    ...tried,
    describe: descriptions.describe,
    useForWriting: (store, work) => {
      descriptions.forget();
      return scope.hold(
        (inside) => tried.useForWriting(store, (source, signal, deadline) => inside({ source, signal, deadline })),
        (given: OpenedSource) => work(given.source, given.signal, given.deadline),
      );
    },
    reportUnreachable: async (...noted) => scope.afterCommit(() => real.reportUnreachable(...noted)),
    reset: async (id) => scope.afterCommit(() => real.reset(id)),
    resetAll: async () => scope.afterCommit(() => real.resetAll()),
  };
}

/** The number of cached types; a description takes some kilobytes. */
const MAX_DESCRIPTIONS = 100;

/** Caches descriptions within a transaction, so that publishing many layers of one table reads it once. */
function cacheDescriptions({ describe }: Pick<VectorData, 'describe'>) {
  const known = createLruCache<ReturnType<VectorData['describe']>>(MAX_DESCRIPTIONS);
  let count = 0;
  const describeOnce: VectorData['describe'] = (view, nativeName) => {
    const { id, version } = view.store;
    const key = JSON.stringify([count, id, version, nativeName]);
    const described = known.get(key) ?? describe(view, nativeName);
    known.set(key, described, 1);
    return described;
  };
  return {
    describe: describeOnce,
    /** Invalidates the cache, because a write can change the types of the data. */
    forget() {
      count += 1;
    },
  };
}

interface OpenedSource {
  readonly source: Parameters<Parameters<VectorData['useForWriting']>[1]>[0];
  readonly signal: Parameters<Parameters<VectorData['useForWriting']>[1]>[1];
  readonly deadline: Parameters<Parameters<VectorData['useForWriting']>[1]>[2];
}

/** Files below `data` as the transaction writes them; creates the staging folder with the first file. */
export function createTransactionDataFolder({ dataFolder, files }: Services, scope: TransactionScope): BufferedFolder {
  let stagingFolder: Promise<string> | undefined;
  const createStagingFolder = () =>
    scope.hold(
      async (work: (path: string) => Promise<string>) => {
        const staging = await files.createStaging('data');
        try {
          await work(staging.path);
        } finally {
          await staging.discard();
        }
      },
      async (path) => path,
    );
  return dataFolder.createBufferedFolder(() => {
    stagingFolder ??= createStagingFolder();
    return stagingFolder;
  });
}
