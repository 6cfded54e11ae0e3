/** Connects stores with their drivers: reads and writes their data. */
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { ConnectionParameters, VectorDriver } from '../../vector/port/driver.ts';
import { getDriver } from '../../vector/port/parameters.ts';
import type { Feature, TypeSummary, VectorSource } from '../../vector/port/port.ts';
import type { SqlView } from '../../vector/port/sql-view.ts';
import type { AcquiredSource, SourceWork, VectorSources } from '../../vector/sources.ts';
import { isTimeout } from '../../workers/deadline.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import { acceptParameters } from './accept-parameters.ts';
import { createCopyContext, createStagedContext, createStoreContext, type StagedLocation } from './driver-contexts.ts';
import type { FirstFeatures, StoreData } from './store-data.ts';
import type { StoreParameters } from './store-parameters.ts';
import { type OnFailure, StoreSources, type StoreSourcesOptions } from './store-sources.ts';
import { getUnreachableReason, isUnreachable } from './unreachable-stores.ts';
import { resolveInsideFiles } from './uploaded-files.ts';

export interface VectorDataOptions extends StoreSourcesOptions {
  /** The timeout of the reachability check when a store is saved. */
  readonly probeMs: number;
  /**
   * Whether several nodes may share the storage: then no node writes into files of stores, which the others would not
   * see.
   */
  readonly isShared: boolean;
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

/** The effects that a dry run omits. */
interface SideEffects extends Pick<StoreData, 'reset' | 'resetAll'>, Pick<StoreParameters, 'reportUnreachable'> {
  readonly onFailure: OnFailure;
}

interface VectorDataParts {
  readonly options: VectorDataOptions;
  readonly sources: StoreSources;
  readonly effects: SideEffects;
}

const doNothing = async () => undefined;
const noEffects: SideEffects = {
  onFailure: doNothing,
  reportUnreachable: doNothing,
  reset: doNothing,
  resetAll: doNothing,
};

export function openVectorData(options: VectorDataOptions): VectorData {
  const sources = new StoreSources(options);
  const effects: SideEffects = {
    onFailure: options.unreachable.recordFailure,
    reportUnreachable: options.unreachable.recordUnreachable,
    reset: (storeId) => sources.open.reset(storeId),
    resetAll: () => sources.open.resetAll(),
  };
  return createVectorData({ options, sources, effects });
}

function createVectorData(parts: VectorDataParts): VectorData {
  const { options, sources, effects } = parts;
  const { drivers } = options;
  return {
    ...createReads(parts),
    ...createWrites(parts),
    ...createChecks(parts),
    canChangeExternally: ({ fileSet, parameters }) =>
      fileSet === null && findDriver(drivers, parameters)?.uploads !== undefined,
    reset: effects.reset,
    resetAll: effects.resetAll,
    toDryRun: () => createVectorData({ ...parts, effects: noEffects }),
    useStaged: (parameters, place, work) =>
      sources.open.useOnce({ name: 'upload', parameters }, createStagedContext(options, place), work),
    isMapping: ({ parameters }) => findDriver(drivers, parameters)?.uploads?.isMapping === true,
    getStoreType: (parameters) => getDriver(drivers, parameters).type,
    getCounts: () => sources.open.getCounts(),
    close: () => sources.open.close(),
  };
}

type Reads = Pick<
  VectorData,
  'listTypes' | 'describe' | 'describeView' | 'readFirstFeatures' | 'listCurrentTypes' | 'acquireSource'
>;

function createReads({ sources, effects }: VectorDataParts): Reads {
  return {
    listTypes: ({ store }) =>
      sources.useCurrent(store, (source, signal) => source.listTypes(signal), effects.onFailure),
    describe: ({ store }, nativeName) =>
      sources.useCurrent(
        store,
        async (source, signal) => {
          const described = await source.describe(nativeName, signal);
          // An upload of a mapping may proceed without its data; a description may not.
          if (described?.unreachable !== undefined) {
            throw problem('store-unreachable', { name: store.name, reason: described.unreachable });
          }
          return described;
        },
        effects.onFailure,
      ),
    describeView: async ({ store }, query) => {
      try {
        return await sources.useCurrent(
          store,
          async (source, signal) => {
            if (source.describeView === undefined) {
              throw problem('virtual-table-unsupported', { store: store.name, type: store.type });
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
    readFirstFeatures: ({ store }, of, limit) =>
      // Viewing a page must not disable a store.
      sources.useCurrent(store, (source, signal) => readFirstFeatures(source, of, limit, signal), doNothing),
    listCurrentTypes: (store) => sources.listTypes(store.name, store),
    acquireSource: (store) => sources.acquire(store),
  };
}

type Writes = Pick<VectorData, 'isWritable' | 'useForWriting' | 'useCopy' | 'copyFile'>;

function createWrites({ options, sources, effects }: VectorDataParts): Writes {
  return {
    isWritable: ({ parameters }) => isWritable(options, findDriver(options.drivers, parameters)),
    useForWriting: async (store, work) => {
      checkNotSharedFile(options, store);
      try {
        return await sources.use(store, work);
      } catch (error) {
        await effects.onFailure(await options.catalog.get(dataStoreKind, store.id), error);
        throw error;
      }
    },
    useCopy: (store, folder, work) => sources.useOnce(store, createCopyContext(options, store, folder), work),
    copyFile: (store, path) =>
      sources.useOnce(
        store,
        createStoreContext(options, store),
        async (source, signal) => {
          if (source.copyTo === undefined) {
            throw new Error(`The data of a ${store.type} store is not a single file`);
          }
          await source.copyTo(path, signal);
        },
        COPY_DEADLINE_MS,
      ),
  };
}

function createChecks({ options, sources, effects }: VectorDataParts): StoreParameters {
  return {
    accept: (parameters, whom) => acceptParameters(options, parameters, whom),
    checkConnection: async (name, accepted) => {
      try {
        return await sources.listDetailedTypes(name, accepted);
      } catch (error) {
        // Here the sent data is at fault, not an existing store.
        if (isUnreachable(error)) {
          const reason = getUnreachableReason(error);
          throw problem('store-connection-failed', { name, reason, ...selectStep(error) });
        }
        throw error instanceof Problem && error.details['step'] !== undefined
          ? new Problem(error.code, error.message, { ...error.details, ...selectStep(error) })
          : error;
      }
    },
    findConnectionProblem: async (name, accepted) => {
      try {
        await sources.listTypes(name, accepted, options.probeMs);
        return undefined;
      } catch (error) {
        if (error instanceof Problem) {
          return error;
        }
        throw error;
      }
    },
    reportUnreachable: effects.reportUnreachable,
    hasUploadedFiles: (store, { parameters }) =>
      (findDriver(options.drivers, parameters)?.pathParameters ?? []).some(
        (name) => resolveInsideFiles(store, options.dataDir, parameters[name] ?? '') !== undefined,
      ),
  };
}

/** Drivers of databases name the step of the connection that failed. */
function selectStep({ details }: Problem): { readonly members?: { readonly step: unknown } } {
  return details['step'] === undefined ? {} : { members: { step: details['step'] } };
}

function findDriver(drivers: readonly VectorDriver[], parameters: ConnectionParameters): VectorDriver | undefined {
  return drivers.find((each) => each.accepts(parameters));
}

function isWritable({ isShared }: VectorDataOptions, driver: VectorDriver | undefined): boolean {
  return driver?.takesImports === true && !(isShared && driver.uploads !== undefined);
}

/** Other file drivers are read-only; edits through a mapping go to a database. */
function checkNotSharedFile(options: VectorDataOptions, { name, parameters }: DataStore): void {
  const driver = findDriver(options.drivers, parameters);
  if (driver?.takesImports === true && !isWritable(options, driver)) {
    throw problem('features-in-file', { name });
  }
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
