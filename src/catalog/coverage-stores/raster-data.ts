/** Connects coverage stores with their drivers: validates locations from clients, and reads the data. */
import { basename } from 'node:path';
import type { Bounds } from '../../crs/bounds.ts';
import type { PathGate } from '../../gates/path-gate.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import type { MeasuringInput } from '../../geometry/written-area.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { DimensionValue } from '../../raster/pictures/dimension-options.ts';
import type { PictureWindow } from '../../raster/pictures/read-pictures.ts';
import type { RasterDriver } from '../../raster/port/driver.ts';
import type { CoverageDescription, CoverageSummary, RasterSource } from '../../raster/port/port.ts';
import type { StoredPicture } from '../../raster/tile-archives/stored-picture.ts';
import type { Catalog } from '../../records/catalog.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import type { ArchivedTilePosition } from '../../vector/tile-archives/model/tile-archive.ts';
import { type CoverageStore, coverageStoreKind, getStoreUrl } from '../kinds/coverage-store.ts';
import { MOSAIC_TYPE } from '../kinds/mosaic.ts';
import type { StoreFiles } from '../kinds/store.ts';
import { getUnreachableReason, isUnreachable, type UnreachableStores } from '../stores/unreachable-stores.ts';
import { resolveInsideFiles } from '../stores/uploaded-files.ts';
import { acceptRemoteSource } from './accept-remote-source.ts';
import type { VisibleValues } from './dimension-values.ts';
import { findTypeByExtension, getRasterDriverByType } from './raster-drivers.ts';
import { type RasterSourceSettings, RasterSources, type RasterSourcesOptions } from './raster-sources.ts';
import type { PictureRequest } from './read-picture.ts';

export interface RasterDataOptions extends RasterSourcesOptions {
  /** For URLs that clients send. */
  readonly urlGate: Pick<UrlGate, 'check'>;
  /** For paths that clients send. */
  readonly clientPaths: PathGate;
  readonly catalog: Catalog;
  /** The timeout of the reachability check when a store is saved. */
  readonly probeMs: number;
}

/** A store, in any view that contains one. */
type StoreView = { readonly store: CoverageStore };

export interface RasterData {
  listCoverages(view: StoreView): Promise<readonly CoverageSummary[]>;
  /** Returns undefined if the data has no coverage of that name. */
  describe(view: StoreView, nativeName: string): Promise<CoverageDescription | undefined>;
  /** Lists the values of a dimension, by its name in the description: those that have data within the areas. */
  listDimensionValues(
    view: StoreView,
    nativeName: string,
    dimension: string,
    selection: VisibleValues,
  ): Promise<readonly DimensionValue[]>;
  /** Reads the data within a box, on any grid; undefined where a mosaic has no granules. */
  readPicture(
    view: StoreView,
    nativeName: string,
    request: PictureRequest,
    signal: AbortSignal,
  ): Promise<PictureWindow | undefined>;
  /** Reads a tile of an archive as it is stored; undefined if the store has no such tile or is no archive. */
  readStoredPicture(
    view: StoreView,
    position: ArchivedTilePosition,
    signal: AbortSignal,
  ): Promise<StoredPicture | undefined>;
  /** Returns a box around areas in a CRS; undefined if they have no place there. */
  measureAreas(areas: MeasuringInput, signal: AbortSignal): Promise<Bounds | undefined>;
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

/** The effects that a dry run omits. */
interface SideEffects extends Pick<RasterData, 'reportUnreachable'> {
  readonly onFailure: UnreachableStores['recordFailure'];
}

interface RasterDataParts {
  readonly options: RasterDataOptions;
  readonly sources: RasterSources;
  readonly effects: SideEffects;
}

const doNothing = async () => undefined;

export function openRasterData(options: RasterDataOptions): RasterData {
  const { recordFailure, recordUnreachable } = options.unreachable;
  const effects = { onFailure: recordFailure, reportUnreachable: recordUnreachable };
  return createRasterData({ options, sources: new RasterSources(options), effects });
}

function createRasterData(parts: RasterDataParts): RasterData {
  const { options, sources, effects } = parts;
  return {
    drivers: options.drivers,
    ...createReads(parts),
    ...createChecks(parts),
    listNames: (store) => sources.listNames(store),
    reportUnreachable: effects.reportUnreachable,
    hasUploadedFile: (store, url) => resolveInsideFiles(store, options.dataDir, url) !== undefined,
    canChangeExternally: ({ fileSet }) => fileSet === null,
    toDryRun: () => createRasterData({ ...parts, effects: { onFailure: doNothing, reportUnreachable: doNothing } }),
  };
}

type Reads = Pick<
  RasterData,
  'listCoverages' | 'describe' | 'listDimensionValues' | 'readPicture' | 'readStoredPicture' | 'measureAreas'
>;

function createReads({ options, sources, effects }: RasterDataParts): Reads {
  async function retryWithCurrentStore<T>(
    { store }: StoreView,
    work: (store: CoverageStore) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(store);
    } catch (error) {
      // The file may have been replaced during the read: retry with the new one.
      const current = await options.catalog.get(coverageStoreKind, store.id);
      if (!(error instanceof Problem) || current === undefined || current.version === store.version) {
        await effects.onFailure(current, error);
        throw error;
      }
      return work(current);
    }
  }
  return {
    listCoverages: (view) => retryWithCurrentStore(view, (store) => sources.listCoverages(store)),
    describe: (view, name) => retryWithCurrentStore(view, (store) => sources.describe(store, name)),
    listDimensionValues: (view, name, dimension, selection) =>
      retryWithCurrentStore(view, (store) => sources.listValues(store, name, dimension, selection)),
    readPicture: (view, name, request, signal) =>
      retryWithCurrentStore(view, (store) => sources.readPicture(store, name, request, signal)),
    readStoredPicture: (view, position, signal) =>
      retryWithCurrentStore(view, (store) => sources.readStoredPicture(store, position, signal)),
    measureAreas: (areas, signal) => sources.measureAreas(areas, signal),
  };
}

type Checks = Pick<RasterData, 'describeStaged' | 'accept' | 'checkConnection' | 'findConnectionProblem'>;

function createChecks({ options, sources }: RasterDataParts): Checks {
  return {
    describeStaged: async (driver, path) => {
      try {
        return await sources.useStaged(driver, path, describeAll);
      } catch (error) {
        // Some damaged files keep the decoding libraries busy forever: this is an error of the upload, not of a store.
        throw isUnreachable(error)
          ? problem('raster-file-unsupported', { file: basename(path), reason: getUnreachableReason(error) })
          : error;
      }
    },
    accept: (sent, context) => acceptSourceSettings(options, sent, context),
    checkConnection: async (name, place) => {
      if (place.type === MOSAIC_TYPE) {
        return;
      }
      try {
        await sources.useOnce(name, place, describeAll);
      } catch (error) {
        // Here the sent data is at fault, not an existing store.
        throw isUnreachable(error)
          ? problem('store-connection-failed', { name, reason: getUnreachableReason(error) })
          : error;
      }
    },
    findConnectionProblem: async (name, place) => {
      try {
        await sources.useOnce(name, place, describeAll, options.probeMs);
        return undefined;
      } catch (error) {
        if (error instanceof Problem) {
          return error;
        }
        throw error;
      }
    },
  };
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
  { drivers, clientPaths, urlGate }: RasterDataOptions,
  sent: Partial<RasterSourceSettings>,
  { principal, current }: { readonly principal: Principal; readonly current?: CoverageStore },
): Promise<RasterSourceSettings> {
  const url = sent.url ?? (current && getStoreUrl(current)) ?? '';
  if (url === '') {
    throw problem('coverage-store-without-url', { field: 'coverageStore.url' });
  }
  if (parseRemoteUrl(url) !== undefined) {
    return acceptRemoteSource({ drivers, urlGate }, sent.type ?? current?.type, url);
  }
  const type = getRasterDriverByType(drivers, sent.type ?? current?.type ?? findTypeByExtension(drivers, url)).type;
  if (current === undefined || url !== getStoreUrl(current)) {
    await clientPaths.resolveAllowed(url, principal);
  }
  return { type, url };
}
