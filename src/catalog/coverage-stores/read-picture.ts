/** Reads the data of a coverage store as an image of a box: from its file, or from the granules of a mosaic. */
import { join, resolve } from 'node:path';
import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import { problem } from '../../lib/problems/problem.ts';
import { findDriverForFile, geotiffDriver } from '../../raster/drivers.ts';
import type { Granule, GranuleIndex, GranuleSchema } from '../../raster/granules/port/port.ts';
import { buildGranuleFilter, type DimensionOptions } from '../../raster/pictures/dimension-options.ts';
import type { Merging } from '../../raster/pictures/merge-bands.ts';
import type { CoverageRequest, Overlap, PictureFile, PictureWindow } from '../../raster/pictures/read-pictures.ts';
import type { ReadingRules } from '../../raster/pictures/reading-rules.ts';
import type { WarpRequest } from '../../raster/warp/read-warped.ts';
import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import { runWithChannel } from '../../remote/run-with-channel.ts';
import type { SortKey } from '../../vector/port/port.ts';
import { createBoxFilter } from '../../vector/query/box-filter.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { CoverageStore } from '../kinds/coverage-store.ts';
import { findMosaicCoverage } from '../kinds/mosaic.ts';
import { isMosaic, type MosaicIndexes, type MosaicStore } from '../mosaic-indexes/mosaic-indexes.ts';

export interface PictureRequest extends CoverageRequest {
  /** Values of its dimensions; by default the first value of a file, and all granules of a mosaic. */
  readonly dimensions?: readonly DimensionOptions[];
  /** Selects granules of a mosaic by the attributes of its index. */
  readonly granules?: ResolvedFilter;
  /** The read parameters of the coverage. */
  readonly rules?: ReadingRules;
  /** The order of the granules of a mosaic, topmost first; by default the order in which they were added. */
  readonly order?: readonly SortKey[];
  /** The result where granules overlap, unless the request states it; the topmost granule by default. */
  readonly merging?: Merging;
  /** Whether granules are cut to their footprints; false by default. */
  readonly isCutToFootprints?: boolean;
}

export interface PictureServices {
  readonly mosaicIndexes: Pick<MosaicIndexes, 'getIndex'>;
  readonly workers: WorkerPool;
  readonly remoteBlocks: RemoteBlocks;
  /** Returns the checked path of a store's data, or its URL. */
  resolvePath(store: CoverageStore): Promise<string>;
  /** Checks the path of a mosaic file in a folder of the operator, where a symbolic link may lead anywhere. */
  admitPath(path: string): Promise<string>;
}

/** Limits the cost of an image; clients can use a smaller box or a filter. */
const MAX_GRANULES = 2_000;

/** Returns undefined where a mosaic has no granules. */
export async function readPicture(
  services: PictureServices,
  { store, nativeName }: { readonly store: CoverageStore; readonly nativeName: string },
  {
    granules,
    dimensions = [],
    rules,
    order = [],
    merging,
    isCutToFootprints = false,
    overlap,
    ...request
  }: PictureRequest,
  signal: AbortSignal,
): Promise<PictureWindow | undefined> {
  const files = isMosaic(store)
    ? await listGranuleFiles(services, store, nativeName, {
        granules,
        dimensions,
        order,
        overlap,
        isCutToFootprints,
        request,
        signal,
      })
    : [{ type: store.type, path: await services.resolvePath(store), picture: { name: nativeName, dimensions } }];
  if (files.length === 0) return undefined;
  // Loaded with the first picture: it brings readers of footprints along.
  const { readPicturesTask } = await import('../../raster/pictures/read-pictures.ts');
  const input = {
    ...request,
    files,
    merging: selectMerging(overlap, merging),
    ...(rules === undefined ? {} : { rules }),
  };
  const locations = files.map(({ path }) => path);
  return runWithChannel(services.remoteBlocks, locations, signal, (sent) =>
    services.workers.run(readPicturesTask, { ...input, ...sent.input }, { signal, deadlineMs: null, ...sent.options }),
  );
}

function selectMerging(overlap: Overlap | undefined, configured: Merging = 'first'): Merging {
  if (overlap === undefined || overlap === 'random') return configured;
  return overlap === 'average' ? 'average' : 'first';
}

async function listGranuleFiles(
  services: PictureServices,
  store: MosaicStore,
  name: string,
  wanted: {
    readonly granules: ResolvedFilter | undefined;
    readonly dimensions: readonly DimensionOptions[];
    readonly order: readonly SortKey[];
    readonly overlap: Overlap | undefined;
    readonly isCutToFootprints: boolean;
    readonly request: WarpRequest;
    readonly signal: AbortSignal;
  },
): Promise<readonly PictureFile[]> {
  const coverage = findMosaicCoverage(store.mosaic, name);
  if (coverage === undefined) throw problem('raster-coverage-unknown', { name });
  const index = (await services.mosaicIndexes.getIndex(store)).open(coverage.schema, store.mosaic.indexVersion);
  const within = await buildFootprintFilter(coverage.schema, wanted.request);
  if (within === undefined) return [];
  const conditions = [within, wanted.granules, buildGranuleFilter(coverage.schema, wanted.dimensions)];
  const filter: ResolvedFilter = { kind: 'and', filters: conditions.filter((each) => each !== undefined) };
  const folder = await services.resolvePath(store);
  const files: PictureFile[] = [];
  const found = await listGranules(index, filter, wanted.signal);
  const outlineCrs = findFootprint(coverage.schema)?.crs;
  for (const { location, imageindex, footprint } of sortGranules(found, coverage.schema, wanted)) {
    const remote = parseRemoteUrl(location);
    const driver = remote === undefined ? findDriverForFile(location) : geotiffDriver;
    if (driver === undefined) continue;
    const inside = resolve(folder, location);
    const isOurs = store.fileSet !== null && inside.startsWith(join(folder, '/'));
    // The URL gate checks remote granules when they are read.
    const path = remote ?? (isOurs ? inside : await services.admitPath(inside));
    const outline =
      wanted.isCutToFootprints && outlineCrs !== undefined ? { geometry: footprint, crs: outlineCrs } : undefined;
    files.push({
      type: driver.type,
      path,
      picture: { number: imageindex },
      ...(outline === undefined ? {} : { outline }),
    });
  }
  return files;
}

/** Earlier and later granules are those of earlier and later times, or else those that were added before and after. */
function sortGranules(
  found: readonly Granule[],
  { domains }: GranuleSchema,
  { order, overlap }: { readonly order: readonly SortKey[]; readonly overlap: Overlap | undefined },
): readonly Granule[] {
  if (overlap !== 'latestOnTop' && overlap !== 'earliestOnTop') return found.toSorted(createGranuleComparator(order));
  const isDescending = overlap === 'latestOnTop';
  const [time] = domains.find(({ kind }) => kind === 'time')?.attributes ?? [];
  if (time !== undefined) return found.toSorted(createGranuleComparator([{ attribute: time, isDescending }]));
  return isDescending ? found.toReversed() : found;
}

/** Sorts by values of the index; the sort is stable, and missing values come last. */
function createGranuleComparator(keys: readonly SortKey[]): (one: Granule, other: Granule) => number {
  return (one, other) => {
    for (const { attribute, isDescending = false } of keys) {
      const [left, right] = [one.values[attribute] ?? null, other.values[attribute] ?? null];
      if (left === null || right === null) {
        if (left !== right) return left === null ? 1 : -1;
        continue;
      }
      const order = left < right ? -1 : left > right ? 1 : 0;
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  };
}

async function listGranules(index: GranuleIndex, filter: ResolvedFilter, signal: AbortSignal) {
  const found: Granule[] = [];
  for await (const batch of index.list({ filter, limit: MAX_GRANULES + 1 }, signal)) found.push(...batch);
  if (found.length > MAX_GRANULES) throw problem('raster-too-many-granules', { most: MAX_GRANULES });
  return found;
}

/** Builds the filter for footprints within the box; undefined if the box cannot be transformed into their CRS. */
async function buildFootprintFilter(
  schema: GranuleSchema,
  { target, crs }: WarpRequest,
): Promise<ResolvedFilter | undefined> {
  const footprint = findFootprint(schema);
  if (footprint === undefined) return undefined;
  const reprojection = await createReprojection(crs, footprint.crs);
  const box: Bounds | undefined =
    reprojection === undefined ? target.bounds : reprojection.reprojectBounds(target.bounds);
  return box && createBoxFilter(footprint.name, box);
}

function findFootprint({ attributes }: GranuleSchema) {
  return attributes.find((each) => each.role === 'footprint');
}
