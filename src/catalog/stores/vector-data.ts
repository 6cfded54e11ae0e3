/** Connects stores with their drivers: reads and writes their data. */
import { join } from 'node:path';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { PathGate } from '../../gates/path-gate.ts';
import { isAdministrator, type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import type { ConnectionParameters, DriverContext } from '../../vector/port/driver.ts';
import type { IndexFolder } from '../../vector/port/index-folder.ts';
import { getDriver } from '../../vector/port/parameters.ts';
import type { Feature, TypeSummary, VectorSource } from '../../vector/port/port.ts';
import type { SqlView } from '../../vector/port/sql-view.ts';
import {
  type AcquiredSource,
  type OpenableStore,
  openVectorSources,
  type SourceWork,
  type VectorSources,
} from '../../vector/sources.ts';
import { isTimeout } from '../../workers/deadline.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import type { StoreFiles } from '../kinds/store.ts';
import { acceptParameters, decryptStoreParameters, type ParameterCheckContext } from './accept-parameters.ts';
import type { DataStoreView } from './data-stores.ts';
import type { NodeFiles } from './node-files.ts';
import type { FirstFeatures, StoreData } from './store-data.ts';
import type { StoreParameters } from './store-parameters.ts';
import { getUnreachableReason, isUnreachable, type UnreachableStores } from './unreachable-stores.ts';
import { convertMissingFileError, resolveInsideFiles } from './uploaded-files.ts';

export interface VectorDataOptions extends ParameterCheckContext {
  /** For paths of existing stores. */
  readonly storePaths: PathGate;
  readonly catalog: Catalog;
  readonly files: Pick<Files, 'openSet' | 'noteUse'>;
  readonly dataDir: string;
  readonly deadlineMs: number;
  /** The timeout of the reachability check when a store is saved. */
  readonly probeMs: number;
  readonly maxOpenSources: number;
  readonly unreachable: UnreachableStores;
  /**
   * Whether several nodes may share the storage: then no node writes into files of stores, which the others would not
   * see.
   */
  readonly isShared: boolean;
  readonly nodeFiles: Pick<NodeFiles, 'warnIfMissing'>;
  /** For the files of stores. */
  readonly indexFolder: IndexFolder;
  /** Evaluates filters that a store does not support. */
  readonly filterRunner: FilterRunner;
}

export interface VectorData extends StoreData, StoreParameters {
  /** Runs work with data that belongs to no store yet. */
  useStaged<T>(parameters: ConnectionParameters, place: StagedLocation, work: SourceWork<T>): Promise<T>;
  /** Copies a consistent snapshot of the store's file, also of a disabled store. */
  copyFile(store: DataStore, path: string): Promise<void>;
  /** Lists the types that the data has now, also of a disabled store. */
  listCurrentTypes(store: DataStore): Promise<readonly TypeSummary[]>;
  /** Opens the data of a store for reading; the caller must release it. A failure does not disable the store. */
  acquireSource(store: DataStore): Promise<AcquiredSource>;
  /** Returns whether its types follow schemas that a mapping defines, rather than its data. */
  isMapping(store: Pick<DataStore, 'parameters'>): boolean;
  /** Returns the store type that the parameters determine. */
  getStoreType(parameters: ConnectionParameters): string;
  /** Returns the same interface without side effects: no store is disabled, and no connection is closed. */
  toDryRun(): VectorData;
  /** Returns the number of open sources and of their connections. */
  getCounts: VectorSources['getCounts'];
  close(): Promise<void>;
}

/** The location of data that belongs to no store yet. */
export interface StagedLocation {
  /** The path in its parameters. */
  readonly path: string;
  /** The folder of all files of the upload; absent for files of the server. */
  readonly root?: string | undefined;
  /** The uploader, whose permissions apply to other paths and hosts in the data. */
  readonly principal: Principal;
}

/** Stored paths were checked when they were stored, so the server opens them with its own permissions. */
const server: Principal = { name: 'server', roles: new Set([ROLE_ADMINISTRATOR]) };

export function openVectorData(options: VectorDataOptions): VectorData {
  const { drivers, sealer, catalog, dataDir, files, unreachable } = options;
  const context: DriverContext = {
    resolvePath: (named) => options.storePaths.resolveAllowed(named, server),
    mayUseSecrets: true,
    indexFolder: options.indexFolder,
    filterRunner: options.filterRunner,
  };
  const sources = openVectorSources({
    drivers,
    context,
    deadlineMs: options.deadlineMs,
    maxOpen: options.maxOpenSources,
  });

  /** Resolves uploaded files in their set, and all other paths through the path gate. */
  function createStoreContext(store: StoreFiles): DriverContext {
    const { fileSet } = store;
    return {
      ...context,
      async resolvePath(named) {
        const inside = resolveInsideFiles(store, dataDir, named);
        return fileSet === null || inside === undefined
          ? context.resolvePath(named)
          : join(await convertMissingFileError(files.openSet(fileSet), named), ...inside);
      },
      async findFolder(named) {
        const inside = resolveInsideFiles(store, dataDir, named);
        return fileSet === null || inside === undefined
          ? undefined
          : convertMissingFileError(files.openSet(fileSet), named);
      },
    };
  }

  /** Paths within the data are checked with the permissions of the uploader. */
  function createStagedContext({ path, root, principal }: StagedLocation): DriverContext {
    return {
      resolvePath: async (named) => (named === path ? path : options.clientPaths.resolveAllowed(named, principal)),
      findFolder: async () => root,
      mayUseSecrets: isAdministrator(principal),
      checkHost: (host) => {
        if (!isAdministrator(principal) && !options.databaseHosts.has(host)) {
          throw problem('database-host-refused', { host });
        }
      },
      filterRunner: options.filterRunner,
    };
  }

  /** Handles the failure to use the data of a store. */
  type OnFailure = (store: DataStore | undefined, error: unknown) => Promise<void>;

  async function useCurrentStore<T>(
    { store }: DataStoreView,
    work: (source: VectorSource, signal: AbortSignal) => Promise<T>,
    onFailure: OnFailure,
  ): Promise<T> {
    try {
      return await useStore(store, work);
    } catch (error) {
      // The files may have been replaced during the read: retry with the new ones.
      const current = await catalog.get(dataStoreKind, store.id);
      if (!(error instanceof Problem) || current === undefined || current.version === store.version) {
        await onFailure(current, error);
        throw error;
      }
      return useStore(current, work);
    }
  }

  function toOpenableStore(store: DataStore): OpenableStore {
    if (!store.enabled) {
      throw problem('store-disabled', { name: store.name });
    }
    const { id, version, name } = store;
    return {
      id,
      version,
      filesVersion: store.fileSet === null ? 0 : files.noteUse(store.fileSet),
      name,
      // Decrypt only when a source is opened; usually it is open already.
      get parameters() {
        return decryptStoreParameters(sealer, name, store);
      },
      context: createStoreContext(store),
    };
  }

  async function useStore<T>(store: DataStore, work: SourceWork<T>): Promise<T> {
    const { id } = store;
    await options.nodeFiles.warnIfMissing(store);
    const result = await sources.use(toOpenableStore(store), work);
    unreachable.recordSuccess(id);
    return result;
  }

  async function listTypesOnce(
    name: string,
    accepted: Parameters<typeof decryptStoreParameters>[2] & Partial<StoreFiles>,
    deadlineMs = options.deadlineMs,
  ): Promise<readonly TypeSummary[]> {
    const parameters = decryptStoreParameters(sealer, name, accepted);
    const where = createStoreContext({ fileSet: accepted.fileSet ?? null, filePlace: accepted.filePlace ?? null });
    const work: SourceWork<readonly TypeSummary[]> = (source, signal) => source.listTypes(signal);
    return sources.useOnce({ name, parameters }, where, work, Math.min(deadlineMs, options.deadlineMs));
  }

  /** Permits access only to the copy. */
  function createCopyContext(store: DataStore, folder: string): DriverContext {
    return {
      async resolvePath(named) {
        const inside = resolveInsideFiles(store, dataDir, named);
        if (inside === undefined) {
          throw new Error('The path is outside the copy of the uploaded files');
        }
        return join(folder, ...inside);
      },
      filterRunner: options.filterRunner,
    };
  }

  function isWritable({ parameters }: Pick<DataStore, 'parameters'>): boolean {
    const driver = drivers.find((each) => each.accepts(parameters));
    return driver?.takesImports === true && !(options.isShared && driver.uploads !== undefined);
  }

  /** Other file drivers are read-only; edits through a mapping go to a database. */
  function checkNotSharedFile(store: DataStore): void {
    const driver = drivers.find((each) => each.accepts(store.parameters));
    if (driver?.takesImports === true && !isWritable(store)) {
      throw problem('features-in-file', { name: store.name });
    }
  }

  const doNothing = async () => undefined;
  const createVectorData = (
    onFailure: OnFailure,
    noteUnreachable: StoreParameters['reportUnreachable'],
    { reset, resetAll }: Pick<StoreData, 'reset' | 'resetAll'>,
  ): VectorData => ({
    listTypes: (view) => useCurrentStore(view, (source, signal) => source.listTypes(signal), onFailure),
    describe: (view, nativeName) =>
      useCurrentStore(
        view,
        async (source, signal) => {
          const described = await source.describe(nativeName, signal);
          // An upload of a mapping may proceed without its data; a description may not.
          if (described?.unreachable !== undefined) {
            throw problem('store-unreachable', { name: view.store.name, reason: described.unreachable });
          }
          return described;
        },
        onFailure,
      ),
    describeView: async (view, query) => {
      try {
        return await useCurrentStore(
          view,
          async (source, signal) => {
            if (source.describeView === undefined) {
              throw problem('virtual-table-unsupported', { store: view.store.name, type: view.store.type });
            }
            return source.describeView(query, signal);
          },
          doNothing,
        );
      } catch (error) {
        // A client's query may time out although the database is reachable.
        throw isTimeout(error)
          ? problem('virtual-table-refused', { name: query.name, message: `${getUnreachableReason(error)}.` })
          : error;
      }
    },
    readFirstFeatures: (view, of, limit) =>
      // Viewing a page must not disable a store.
      useCurrentStore(view, (source, signal) => readFirstFeatures(source, of, limit, signal), doNothing),
    isWritable,
    useForWriting: async (store, work) => {
      checkNotSharedFile(store);
      try {
        return await useStore(store, work);
      } catch (error) {
        await onFailure(await catalog.get(dataStoreKind, store.id), error);
        throw error;
      }
    },
    useCopy: (store, folder, work) =>
      sources.useOnce(
        { name: store.name, parameters: decryptStoreParameters(sealer, store.name, store) },
        createCopyContext(store, folder),
        work,
      ),
    copyFile: (store, path) =>
      sources.useOnce(
        { name: store.name, parameters: decryptStoreParameters(sealer, store.name, store) },
        createStoreContext(store),
        async (source, signal) => {
          if (source.copyTo === undefined) {
            throw new Error(`The data of a ${store.type} store is not a single file`);
          }
          await source.copyTo(path, signal);
        },
        COPY_DEADLINE_MS,
      ),
    hasUploadedFiles: (store, { parameters }) =>
      (drivers.find((each) => each.accepts(parameters))?.pathParameters ?? []).some(
        (name) => resolveInsideFiles(store, dataDir, parameters[name] ?? '') !== undefined,
      ),
    canChangeExternally: ({ fileSet, parameters }) =>
      fileSet === null && drivers.find((each) => each.accepts(parameters))?.uploads !== undefined,
    reset,
    resetAll,
    toDryRun: () => createVectorData(doNothing, doNothing, { reset: doNothing, resetAll: doNothing }),
    accept: (parameters, whom) => acceptParameters(options, parameters, whom),
    checkConnection: async (name, accepted) => {
      try {
        await listTypesOnce(name, accepted);
      } catch (error) {
        // Here the sent data is at fault, not an existing store.
        throw isUnreachable(error)
          ? problem('store-connection-failed', { name, reason: getUnreachableReason(error) })
          : error;
      }
    },
    findConnectionProblem: async (name, accepted) => {
      try {
        await listTypesOnce(name, accepted, options.probeMs);
        return undefined;
      } catch (error) {
        if (error instanceof Problem) {
          return error;
        }
        throw error;
      }
    },
    reportUnreachable: noteUnreachable,
    listCurrentTypes: (store) => listTypesOnce(store.name, store),
    useStaged: (parameters, place, work) =>
      sources.useOnce({ name: 'upload', parameters }, createStagedContext(place), work),
    acquireSource: async (store) => {
      await options.nodeFiles.warnIfMissing(store);
      return sources.acquire(toOpenableStore(store));
    },
    isMapping: ({ parameters }) => drivers.find((each) => each.accepts(parameters))?.uploads?.isMapping === true,
    getStoreType: (parameters) => getDriver(drivers, parameters).type,
    getCounts: () => sources.getCounts(),
    close: () => sources.close(),
  });
  return createVectorData(unreachable.recordFailure, unreachable.recordUnreachable, sources);
}

/** Enough for ten gigabytes on a slow disk. */
const COPY_DEADLINE_MS = 600_000;

/** The timeout for reading data that an HTML page shows. */
const PREVIEW_TIMEOUT_MS = 3_000;

async function readFirstFeatures(
  source: VectorSource,
  of: string | SqlView,
  limit: number,
  signal: AbortSignal,
): Promise<FirstFeatures> {
  const impatient = AbortSignal.any([signal, AbortSignal.timeout(PREVIEW_TIMEOUT_MS)]);
  const described =
    typeof of === 'string' ? await source.describe(of, impatient) : await source.describeView?.(of, impatient);
  const batches =
    typeof of === 'string' ? source.read(of, { limit }, impatient) : source.readView?.(of, { limit }, impatient);
  if (described === undefined || batches === undefined) {
    throw problem('vector-type-unknown', { name: typeof of === 'string' ? of : of.name });
  }
  const features: Feature[] = [];
  for await (const batch of batches) {
    features.push(...batch);
  }
  return { attributes: described.attributes, features: features.slice(0, limit) };
}
