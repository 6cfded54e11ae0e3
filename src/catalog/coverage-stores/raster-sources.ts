/** Opens the sources of coverage stores and the indexes of mosaics, and reads from them. */
import { join } from 'node:path';
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { PathGate } from '../../gates/path-gate.ts';
import {
  areShort,
  type MeasuringInput,
  measureAreas,
  measuringAreas,
  placeArea,
  placingArea,
  type WrittenArea,
} from '../../geometry/written-area.ts';
import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { measureWork } from '../../lib/measure/measure-work.ts';
import { problem } from '../../lib/problems/problem.ts';
import { tileArchiveTypes } from '../../raster/drivers.ts';
import type { GranuleIndex, GranuleSchema } from '../../raster/granules/port/port.ts';
import type { DimensionValue } from '../../raster/pictures/dimension-options.ts';
import type { PictureWindow } from '../../raster/pictures/read-pictures.ts';
import type { RasterDriver } from '../../raster/port/driver.ts';
import type { CoverageDescription, CoverageSummary, RasterSource } from '../../raster/port/port.ts';
import type { StoredPicture } from '../../raster/tile-archives/stored-picture.ts';
import type { Files } from '../../records/files/files.ts';
import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import { runWithChannel } from '../../remote/run-with-channel.ts';
import type { ArchivedTilePosition } from '../../vector/tile-archives/model/tile-archive.ts';
import { withDeadline } from '../../workers/deadline.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { type CoverageStore, getStoreUrl } from '../kinds/coverage-store.ts';
import { findMosaicCoverage, MOSAIC_TYPE, type MosaicCoverage } from '../kinds/mosaic.ts';
import type { StoreFiles } from '../kinds/store.ts';
import { describeMosaicCoverage } from '../mosaic-indexes/describe-mosaic.ts';
import { isMosaic, type MosaicIndexes, type MosaicStore } from '../mosaic-indexes/mosaic-indexes.ts';
import type { NodeFiles } from '../stores/node-files.ts';
import { convertUrlProblem, type UnreachableStores } from '../stores/unreachable-stores.ts';
import { convertMissingFileError, resolveInsideFiles } from '../stores/uploaded-files.ts';
import {
  createInsideFilter,
  listFileValues,
  listMosaicValues,
  listValuesOfGranules,
  type VisibleValues,
} from './dimension-values.ts';
import { getRasterDriverByType } from './raster-drivers.ts';
import { type PictureRequest, readPicture } from './read-picture.ts';

export interface RasterSourcesOptions {
  readonly drivers: readonly RasterDriver[];
  /** For paths of existing stores. */
  readonly storePaths: PathGate;
  readonly files: Pick<Files, 'openSet'>;
  readonly dataDir: string;
  readonly deadlineMs: number;
  readonly unreachable: UnreachableStores;
  readonly nodeFiles: Pick<NodeFiles, 'warnIfMissing'>;
  readonly mosaicIndexes: MosaicIndexes;
  /** Reads the data. */
  readonly workers: WorkerPool;
  /** Reads files of other servers. */
  readonly remoteBlocks: RemoteBlocks;
}

/** The data source of a coverage store. */
export interface RasterSourceSettings {
  /** The type of its driver, such as `GeoTIFF`. */
  readonly type: string;
  /** A `file:` URL, a path, or the URL of a file of another server. */
  readonly url: string;
}

type RasterWork<T> = (source: RasterSource, signal: AbortSignal) => Promise<T>;

/** Stored paths were checked when they were stored, so the server opens them with its own permissions. */
const server: Principal = { name: 'server', roles: new Set([ROLE_ADMINISTRATOR]) };

/** Measuring areas is short. */
const neverAborted = new AbortController().signal;

export class RasterSources {
  readonly #options: RasterSourcesOptions;

  constructor(options: RasterSourcesOptions) {
    this.#options = options;
  }

  listCoverages(store: CoverageStore): Promise<readonly CoverageSummary[]> {
    return isMosaic(store)
      ? this.#useMosaic(store, async () => store.mosaic.coverages)
      : this.#use(store, (source, signal) => source.listCoverages(signal));
  }

  /** Lists the coverage names, also of a disabled store. */
  async listNames(store: CoverageStore): Promise<readonly string[]> {
    const list = isMosaic(store)
      ? store.mosaic.coverages
      : await this.useOnce(store.name, toSourceSettings(store), (source, signal) => source.listCoverages(signal));
    return list.map(({ name }) => name);
  }

  describe(store: CoverageStore, name: string): Promise<CoverageDescription | undefined> {
    return isMosaic(store)
      ? this.#useIndex(store, name, (index, coverage, signal) =>
          describeMosaicCoverage(store.mosaic, coverage, index, signal),
        )
      : this.#use(store, (source, signal) => source.describe(name, signal));
  }

  async listValues(
    store: CoverageStore,
    name: string,
    dimension: string,
    { wanted, areas }: VisibleValues,
  ): Promise<readonly DimensionValue[]> {
    if (isMosaic(store)) {
      const values = await this.#useIndex(store, name, async (index, _, signal) => {
        if (areas === undefined) return listMosaicValues(index, dimension, wanted, signal);
        const filter = await this.#createAreaFilter(index.schema, areas, signal);
        return listValuesOfGranules(index, dimension, { wanted, filter }, signal);
      });
      return values ?? [];
    }
    const described = await this.describe(store, name);
    if (described === undefined) return [];
    // All values of a file have the same extent.
    const { bounds, crs } = described.grid;
    const visible = areas && (await this.measureAreas({ areas, to: crs }, neverAborted));
    const isVisible = areas === undefined || (visible && bounds && intersectBounds(visible, bounds)) !== undefined;
    return isVisible ? listFileValues(described, dimension, wanted) : [];
  }

  /** Selects the granules that share more than their border with an area. */
  async #createAreaFilter(
    schema: GranuleSchema,
    areas: readonly WrittenArea[],
    signal: AbortSignal,
  ): Promise<ResolvedFilter> {
    const footprint = schema.attributes.find((each) => each.role === 'footprint');
    if (footprint === undefined) return { kind: 'constant', value: false };
    const filters: ResolvedFilter[] = [];
    for (const area of areas) {
      const input = { area, to: footprint.crs };
      const placed = areShort([area])
        ? await placeArea(input)
        : await this.#options.workers.run(placingArea, input, { signal });
      if (placed !== null) filters.push(createInsideFilter(footprint.name, placed));
    }
    return joinResolvedFilters('or', [{ kind: 'constant', value: false }, ...filters]);
  }

  async readPicture(
    store: CoverageStore,
    name: string,
    request: PictureRequest,
    signal: AbortSignal,
  ): Promise<PictureWindow | undefined> {
    const { mosaicIndexes, workers, storePaths, unreachable } = this.#options;
    checkEnabled(store);
    checkHarvested(store);
    await this.#options.nodeFiles.warnIfMissing(store);
    const context = {
      mosaicIndexes,
      workers,
      remoteBlocks: this.#options.remoteBlocks,
      resolvePath: (each: CoverageStore) => this.#resolvePath(each, getStoreUrl(each)),
      admitPath: (path: string) => storePaths.resolveAllowed(path, server),
    };
    const picture = await measureWork({ stage: 'query', kind: store.type }, () =>
      readPicture(context, { store, nativeName: name }, request, signal),
    ).catch((error: unknown) => {
      throw convertUrlProblem(error, store.name);
    });
    unreachable.recordSuccess(store.id);
    return picture;
  }

  /** Returns undefined for data that is no archive, and for a tile that is not stored. */
  async readStoredPicture(
    store: CoverageStore,
    position: ArchivedTilePosition,
    signal: AbortSignal,
  ): Promise<StoredPicture | undefined> {
    if (!tileArchiveTypes.has(store.type)) return undefined;
    checkEnabled(store);
    await this.#options.nodeFiles.warnIfMissing(store);
    const path = await this.#resolvePath(store, getStoreUrl(store));
    const { readStoredPictureTask } = await import('../../raster/tile-archives/stored-picture.ts');
    const { workers, remoteBlocks } = this.#options;
    return runWithChannel(remoteBlocks, [path], signal, ({ input, options }) =>
      workers.run(readStoredPictureTask, { type: store.type, path, position, ...input }, { signal, ...options }),
    ).catch((error: unknown) => {
      throw convertUrlProblem(error, store.name);
    });
  }

  async measureAreas(input: MeasuringInput, signal: AbortSignal): Promise<Bounds | undefined> {
    return areShort(input.areas) ? measureAreas(input) : this.#options.workers.run(measuringAreas, input, { signal });
  }

  /** Opens a source for one use: sources only access the disk, and keep nothing open between calls. */
  useOnce<T>(
    name: string,
    { type, url, ...stored }: RasterSourceSettings & Partial<StoreFiles>,
    work: RasterWork<T>,
    deadlineMs = this.#options.deadlineMs,
  ): Promise<T> {
    return withDeadline(Math.min(deadlineMs, this.#options.deadlineMs), name, async (signal) =>
      withOpenSource(
        getRasterDriverByType(this.#options.drivers, type),
        await this.#resolvePath(stored, url),
        signal,
        work,
      ).catch((error: unknown) => {
        throw convertUrlProblem(error, name);
      }),
    );
  }

  /** Runs work with data that belongs to no store yet. */
  useStaged<T>(driver: RasterDriver, path: string, work: RasterWork<T>): Promise<T> {
    return withDeadline(this.#options.deadlineMs, 'upload', (signal) => withOpenSource(driver, path, signal, work));
  }

  async #use<T>(store: CoverageStore, work: RasterWork<T>): Promise<T> {
    checkEnabled(store);
    checkHarvested(store);
    await this.#options.nodeFiles.warnIfMissing(store);
    const result = await this.useOnce(store.name, toSourceSettings(store), work);
    this.#options.unreachable.recordSuccess(store.id);
    return result;
  }

  /** The coverages of a mosaic are known without reading its files. */
  async #useMosaic<T>(store: MosaicStore, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    checkEnabled(store);
    const result = await withDeadline(this.#options.deadlineMs, store.name, work);
    this.#options.unreachable.recordSuccess(store.id);
    return result;
  }

  /** Returns undefined if no coverage of that name exists. */
  #useIndex<T>(
    store: MosaicStore,
    name: string,
    work: (index: GranuleIndex, coverage: MosaicCoverage, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const coverage = findMosaicCoverage(store.mosaic, name);
    return this.#useMosaic(store, async (signal) => {
      if (coverage === undefined) return undefined;
      const indexes = await this.#options.mosaicIndexes.getIndex(store);
      return work(indexes.open(coverage.schema, store.mosaic.indexVersion), coverage, signal);
    });
  }

  /** Resolves uploaded files in their set, and all other paths through the path gate; the URL gate checks URLs. */
  async #resolvePath({ fileSet = null, filePlace = null }: Partial<StoreFiles>, url: string): Promise<string> {
    const { dataDir, files, storePaths } = this.#options;
    const remote = parseRemoteUrl(url);
    if (remote !== undefined) return remote;
    const inside = resolveInsideFiles({ fileSet, filePlace }, dataDir, url);
    return fileSet === null || inside === undefined
      ? storePaths.resolveAllowed(url, server)
      : join(await convertMissingFileError(files.openSet(fileSet), url, 'raster-file-missing'), ...inside);
  }
}

function checkEnabled({ enabled, name }: CoverageStore): void {
  if (!enabled) {
    throw problem('store-disabled', { name });
  }
}

/** A mosaic that was stored without verification has no index yet. */
function checkHarvested({ name, type, mosaic, unverified }: CoverageStore): void {
  if (type === MOSAIC_TYPE && mosaic === null) {
    throw problem('store-unreachable', { name, reason: unverified?.message ?? 'its files were not harvested' });
  }
}

function toSourceSettings(store: CoverageStore): RasterSourceSettings & Partial<StoreFiles> {
  return { ...store, url: getStoreUrl(store) };
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
