/** Connects coverage stores with their drivers: validates locations from clients, and reads the data. */
import { basename, join } from 'node:path';
import type { PathGate } from '../../gates/path-gate.ts';
import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { GranuleIndex } from '../../raster/granules/port/port.ts';
import type { DimensionValue } from '../../raster/pictures/dimension-options.ts';
import type { PictureWindow } from '../../raster/pictures/read-pictures.ts';
import type { RasterDriver } from '../../raster/port/driver.ts';
import type { CoverageDescription, CoverageSummary, RasterSource } from '../../raster/port/port.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import { formatPrintableName } from '../../records/names.ts';
import { withDeadline } from '../../workers/deadline.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { type CoverageStore, coverageStoreKind, getStoreUrl } from '../kinds/coverage-store.ts';
import { findMosaicCoverage, MOSAIC_FORMAT, MOSAIC_TYPE, type MosaicCoverage } from '../kinds/mosaic.ts';
import type { StoreFiles } from '../kinds/store.ts';
import { describeMosaicCoverage } from '../mosaic-indexes/describe-mosaic.ts';
import { isMosaic, type MosaicIndexes, type MosaicStore } from '../mosaic-indexes/mosaic-indexes.ts';
import type { NodeFiles } from '../stores/node-files.ts';
import { getUnreachableReason, isUnreachable, type UnreachableStores } from '../stores/unreachable-stores.ts';
import { convertMissingFileError, resolveInsideFiles } from '../stores/uploaded-files.ts';
import { listFileValues, listMosaicValues, type ValueSelection } from './dimension-values.ts';
import { type PictureRequest, readPicture } from './read-picture.ts';

export interface RasterDataOptions {
  readonly drivers: readonly RasterDriver[];
  /** For paths that clients send. */
  readonly clientPaths: PathGate;
  /** For paths of existing stores. */
  readonly storePaths: PathGate;
  readonly catalog: Catalog;
  readonly files: Pick<Files, 'openSet'>;
  readonly dataDir: string;
  readonly deadlineMs: number;
  /** The timeout of the reachability check when a store is saved. */
  readonly probeMs: number;
  readonly unreachable: UnreachableStores;
  readonly nodeFiles: Pick<NodeFiles, 'warnIfMissing'>;
  readonly mosaicIndexes: MosaicIndexes;
  /** Reads the data. */
  readonly workers: WorkerPool;
}

/** The data source of a coverage store. */
export interface RasterSourceSettings {
  /** The type of its driver, such as `GeoTIFF`. */
  readonly type: string;
  /** A `file:` URL or a path. */
  readonly url: string;
}

/** A store, in any view that contains one. */
type StoreView = { readonly store: CoverageStore };

type RasterWork<T> = (source: RasterSource, signal: AbortSignal) => Promise<T>;

export interface RasterData {
  listCoverages(view: StoreView): Promise<readonly CoverageSummary[]>;
  /** Returns undefined if the data has no coverage of that name. */
  describe(view: StoreView, nativeName: string): Promise<CoverageDescription | undefined>;
  /** Lists the values of a dimension, by its name in the description. */
  listDimensionValues(
    view: StoreView,
    nativeName: string,
    dimension: string,
    wanted: ValueSelection,
  ): Promise<readonly DimensionValue[]>;
  /** Reads the data within a box, on any grid; undefined where a mosaic has no granules. */
  readPicture(
    view: StoreView,
    nativeName: string,
    request: PictureRequest,
    signal: AbortSignal,
  ): Promise<PictureWindow | undefined>;
  /** Describes all coverages in data that belongs to no store yet. */
  describeStaged(driver: RasterDriver, path: string): Promise<readonly CoverageDescription[]>;
  /** Lists the coverage names in the data of a store, also of a disabled one. */
  listNames(store: CoverageStore): Promise<readonly string[]>;
  /** Validates the type and the location that a client sends; an absent one is derived from the other. */
  accept(
    sent: Partial<RasterSourceSettings>,
    context: { readonly principal: Principal; readonly current?: CoverageStore },
  ): Promise<RasterSourceSettings>;
  /** Opens and closes the data; throws a problem if that fails. */
  checkConnection(name: string, place: RasterSourceSettings & Partial<StoreFiles>): Promise<void>;
  /** Returns why the data cannot be opened; undefined if it can. Has a short timeout. */
  findConnectionProblem(name: string, place: RasterSourceSettings & Partial<StoreFiles>): Promise<Problem | undefined>;
  /** Logs that a store was saved although its data cannot be opened. */
  reportUnreachable(store: CoverageStore, why: Problem): Promise<void>;
  /** Returns whether a location is within the uploaded files of a store. */
  hasUploadedFile(store: CoverageStore, url: string): boolean;
  /** Returns whether the data is in files of the server that other programs may change. */
  canChangeExternally(store: CoverageStore): boolean;
  /** Returns the same interface without side effects: no store is disabled. */
  toDryRun(): RasterData;
  readonly drivers: readonly RasterDriver[];
}

/** Stored paths were checked when they were stored, so the server opens them with its own permissions. */
const server: Principal = { name: 'server', roles: new Set([ROLE_ADMINISTRATOR]) };

export function openRasterData(options: RasterDataOptions): RasterData {
  const { drivers, catalog, dataDir, files, unreachable } = options;

  /** Resolves uploaded files in their set, and all other paths through the path gate. */
  async function resolveStorePath(
    { fileSet = null, filePlace = null }: Partial<StoreFiles>,
    url: string,
  ): Promise<string> {
    const inside = resolveInsideFiles({ fileSet, filePlace }, dataDir, url);
    return fileSet === null || inside === undefined
      ? options.storePaths.resolveAllowed(url, server)
      : join(await convertMissingFileError(files.openSet(fileSet), url, 'raster-file-missing'), ...inside);
  }

  /** Opens a source for one use: sources only access the disk, and keep nothing open between calls. */
  function useOnce<T>(
    name: string,
    { type, url, ...stored }: RasterSourceSettings & Partial<StoreFiles>,
    work: RasterWork<T>,
    deadlineMs = options.deadlineMs,
  ): Promise<T> {
    return withDeadline(Math.min(deadlineMs, options.deadlineMs), name, async (signal) =>
      withOpenSource(getDriverByType(drivers, type), await resolveStorePath(stored, url), signal, work),
    );
  }

  const toSourceSettings = (store: CoverageStore) => ({ ...store, url: getStoreUrl(store) });

  async function useStore<T>(store: CoverageStore, work: RasterWork<T>): Promise<T> {
    if (!store.enabled) {
      throw problem('store-disabled', { name: store.name });
    }
    await options.nodeFiles.warnIfMissing(store);
    const result = await useOnce(store.name, toSourceSettings(store), work);
    unreachable.recordSuccess(store.id);
    return result;
  }

  /** The coverages of a mosaic are known without reading its files. */
  async function useMosaic<T>(store: MosaicStore, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (!store.enabled) {
      throw problem('store-disabled', { name: store.name });
    }
    const result = await withDeadline(options.deadlineMs, store.name, work);
    unreachable.recordSuccess(store.id);
    return result;
  }

  /** Returns undefined if no coverage of that name exists. */
  async function useIndex<T>(
    store: MosaicStore,
    name: string,
    work: (index: GranuleIndex, coverage: MosaicCoverage, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const coverage = findMosaicCoverage(store.mosaic, name);
    return useMosaic(store, async (signal) => {
      if (coverage === undefined) return undefined;
      const index = (await options.mosaicIndexes.getIndex(store)).open(coverage.schema, store.mosaic.indexVersion);
      return work(index, coverage, signal);
    });
  }

  const describeMosaic = (store: MosaicStore, name: string): Promise<CoverageDescription | undefined> =>
    useIndex(store, name, (index, coverage, signal) => describeMosaicCoverage(store.mosaic, coverage, index, signal));

  async function listValues(store: CoverageStore, name: string, dimension: string, wanted: ValueSelection) {
    if (isMosaic(store)) {
      return (
        (await useIndex(store, name, (index, _, signal) => listMosaicValues(index, dimension, wanted, signal))) ?? []
      );
    }
    const described = await describeStoreCoverage(store, name);
    return described === undefined ? [] : listFileValues(described, dimension, wanted);
  }

  const listStoreCoverages = (store: CoverageStore) =>
    useStore(store, (source, signal) => source.listCoverages(signal));
  const describeStoreCoverage = (store: CoverageStore, name: string) =>
    useStore(store, (source, signal) => source.describe(name, signal));

  async function readStorePicture(store: CoverageStore, name: string, request: PictureRequest, signal: AbortSignal) {
    if (!store.enabled) {
      throw problem('store-disabled', { name: store.name });
    }
    await options.nodeFiles.warnIfMissing(store);
    const picture = await readPicture(
      {
        mosaicIndexes: options.mosaicIndexes,
        workers: options.workers,
        resolvePath: (each) => resolveStorePath(each, getStoreUrl(each)),
        admitPath: (path) => options.storePaths.resolveAllowed(path, server),
      },
      { store, nativeName: name },
      request,
      signal,
    );
    unreachable.recordSuccess(store.id);
    return picture;
  }

  async function retryWithCurrentStore<T>(
    { store }: StoreView,
    work: (store: CoverageStore) => Promise<T>,
    onFailure: UnreachableStores['recordFailure'],
  ): Promise<T> {
    try {
      return await work(store);
    } catch (error) {
      // The file may have been replaced during the read: retry with the new one.
      const current = await catalog.get(coverageStoreKind, store.id);
      if (!(error instanceof Problem) || current === undefined || current.version === store.version) {
        await onFailure(current, error);
        throw error;
      }
      return work(current);
    }
  }

  const doNothing = async () => undefined;
  const createRasterData = (
    onFailure: UnreachableStores['recordFailure'],
    noteUnreachable: RasterData['reportUnreachable'],
  ): RasterData => ({
    drivers,
    listCoverages: (view) =>
      retryWithCurrentStore(
        view,
        async (store) =>
          isMosaic(store) ? useMosaic(store, async () => store.mosaic.coverages) : listStoreCoverages(store),
        onFailure,
      ),
    describe: (view, name) =>
      retryWithCurrentStore(
        view,
        (store) => (isMosaic(store) ? describeMosaic(store, name) : describeStoreCoverage(store, name)),
        onFailure,
      ),
    listDimensionValues: (view, name, dimension, wanted) =>
      retryWithCurrentStore(view, (store) => listValues(store, name, dimension, wanted), onFailure),
    readPicture: (view, name, request, signal) =>
      retryWithCurrentStore(view, (store) => readStorePicture(store, name, request, signal), onFailure),
    describeStaged: async (driver, path) => {
      try {
        return await withDeadline(options.deadlineMs, 'upload', (signal) =>
          withOpenSource(driver, path, signal, describeAll),
        );
      } catch (error) {
        // Some damaged files keep the decoding libraries busy forever: this is an error of the upload, not of a store.
        throw isUnreachable(error)
          ? problem('raster-file-unsupported', { file: basename(path), reason: getUnreachableReason(error) })
          : error;
      }
    },
    listNames: async (store) => {
      if (isMosaic(store)) {
        return store.mosaic.coverages.map(({ name }) => name);
      }
      const list = await useOnce(store.name, toSourceSettings(store), (source, signal) => source.listCoverages(signal));
      return list.map(({ name }) => name);
    },
    accept: (sent, context) => acceptSourceSettings(options, sent, context),
    checkConnection: async (name, place) => {
      if (place.type === MOSAIC_TYPE) {
        return;
      }
      try {
        await useOnce(name, place, describeAll);
      } catch (error) {
        // Here the sent data is at fault, not an existing store.
        throw isUnreachable(error)
          ? problem('store-connection-failed', { name, reason: getUnreachableReason(error) })
          : error;
      }
    },
    findConnectionProblem: async (name, place) => {
      try {
        await useOnce(name, place, describeAll, options.probeMs);
        return undefined;
      } catch (error) {
        if (error instanceof Problem) {
          return error;
        }
        throw error;
      }
    },
    reportUnreachable: noteUnreachable,
    hasUploadedFile: (store, url) => resolveInsideFiles(store, dataDir, url) !== undefined,
    canChangeExternally: ({ fileSet }) => fileSet === null,
    toDryRun: () => createRasterData(doNothing, doNothing),
  });
  return createRasterData(unreachable.recordFailure, unreachable.recordUnreachable);
}

async function withOpenSource<T>(
  driver: RasterDriver,
  path: string,
  signal: AbortSignal,
  work: RasterWork<T>,
): Promise<T> {
  const source = await driver.open(path);
  try {
    return await work(source, signal);
  } finally {
    await source.close();
  }
}

async function describeAll(source: RasterSource, signal: AbortSignal): Promise<readonly CoverageDescription[]> {
  const described: CoverageDescription[] = [];
  for (const { name } of await source.listCoverages(signal)) {
    const description = await source.describe(name, signal);
    if (description !== undefined) {
      described.push(description);
    }
  }
  return described;
}

async function acceptSourceSettings(
  { drivers, clientPaths }: RasterDataOptions,
  sent: Partial<RasterSourceSettings>,
  { principal, current }: { readonly principal: Principal; readonly current?: CoverageStore },
): Promise<RasterSourceSettings> {
  const url = sent.url ?? (current && getStoreUrl(current)) ?? '';
  if (url === '') {
    throw problem('coverage-store-without-url', { field: 'coverageStore.url' });
  }
  const type = getDriverByType(drivers, sent.type ?? current?.type ?? findTypeByExtension(drivers, url)).type;
  if (current === undefined || url !== getStoreUrl(current)) {
    await clientPaths.resolveAllowed(url, principal);
  }
  return { type, url };
}

function findTypeByExtension(drivers: readonly RasterDriver[], url: string): string {
  const lower = url.toLowerCase();
  const driver = drivers.find(({ extensions }) => extensions.some((ending) => lower.endsWith(`.${ending}`)));
  return driver?.type ?? '';
}

function getDriverByType(drivers: readonly RasterDriver[], type: string): RasterDriver {
  const lower = type.trim().toLowerCase();
  const driver = drivers.find((each) => each.type.toLowerCase() === lower);
  if (driver === undefined) {
    throw createUnknownTypeProblem(drivers, type);
  }
  return driver;
}

/** Returns the driver for an upload format. */
export function getRasterDriverByFormat(drivers: readonly RasterDriver[], format: string): RasterDriver {
  const lower = format.trim().toLowerCase();
  const driver = drivers.find((each) => each.format === lower);
  if (driver === undefined) {
    const known = [...drivers.map((each) => each.format), MOSAIC_FORMAT];
    throw problem('upload-format-unknown', { format: formatPrintableName(format), known });
  }
  return driver;
}

function createUnknownTypeProblem(drivers: readonly RasterDriver[], type: string): Problem {
  const types = [...drivers.map((each) => each.type), MOSAIC_TYPE];
  return problem('coverage-store-type-unknown', {
    type: formatPrintableName(type),
    types,
    field: 'coverageStore.type',
  });
}
