/** Reads the granules of a coverage of a mosaic. */

import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Granule, GranuleIndex, GranuleQuery, GranuleSchema } from '../../raster/granules/port/port.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import { addStoreName } from '../../workers/deadline.ts';
import { type CoverageView, findCoverage } from '../coverages/coverage-view.ts';
import { findMosaicCoverage, type MosaicCoverage } from '../kinds/mosaic.ts';
import { isMosaic, type MosaicIndexes, type MosaicStore } from '../mosaic-indexes/mosaic-indexes.ts';

export interface GranuleLocator {
  readonly workspace: string;
  readonly store: string;
  readonly coverage: string;
}

/** A published coverage of a mosaic, with the schema of its granules. */
export interface GranulesView extends CoverageView {
  readonly store: MosaicStore;
  readonly granules: MosaicCoverage;
}

export async function findGranules(
  catalog: CatalogReader,
  { coverage: name, ...place }: GranuleLocator,
): Promise<GranulesView> {
  const view = await findCoverage(catalog, place, name);
  const { store, coverage } = view;
  const granules = isMosaic(store) ? findMosaicCoverage(store.mosaic, coverage.nativeName) : undefined;
  if (!isMosaic(store) || granules === undefined) {
    throw problem('granule-index-missing', { name: coverage.name });
  }
  return { ...view, store, granules };
}

/** The query options of a client; null for absent ones. */
export interface GranuleOptions {
  /** ECQL. */
  readonly filter: string | null;
  readonly limit: number | null;
  readonly offset: number | null;
}

/** A stream of granules, and the bounding box of all of them, which is known before the first. */
export interface GranuleList {
  readonly schema: GranuleSchema;
  readonly bounds: Bounds | undefined;
  readonly batches: AsyncIterable<readonly Granule[]>;
}

export async function listGranules(
  view: GranulesView,
  indexes: MosaicIndexes,
  wishes: GranuleOptions,
  signal: AbortSignal,
): Promise<GranuleList> {
  const { schema } = view.granules;
  const filter = await parseGranuleFilter(wishes.filter, schema);
  const query = {
    ...(filter === undefined ? {} : { filter }),
    ...(wishes.limit === null ? {} : { limit: wishes.limit }),
    ...(wishes.offset === null ? {} : { offset: wishes.offset }),
  };
  return {
    schema,
    ...(await addStoreNameToError(view, listWithBounds(await openGranuleIndex(view, indexes), query, signal))),
  };
}

/** Adds the name of the store to database errors, which lack it. */
export function addStoreNameToError<T>({ store }: GranulesView, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => Promise.reject(addStoreName(error, store.name)));
}

/** Buffers a short list to compute its box; reads a long one twice, first for its box. */
async function listWithBounds(
  index: GranuleIndex,
  query: GranuleQuery,
  signal: AbortSignal,
): Promise<Omit<GranuleList, 'schema'>> {
  const batches = index.list(query, signal)[Symbol.asyncIterator]();
  const first = await batches.next();
  const second = first.done === true ? first : await batches.next();
  const begun = [first, second].flatMap(({ done, value }) => (done === true ? [] : [value]));
  if (second.done === true) {
    const bounds = begun
      .flat()
      .reduce<Bounds | undefined>(
        (around, { footprint }) => mergeBounds(around, computeGeometryBounds(footprint)),
        undefined,
      );
    return { bounds, batches: concatBatches(begun, batches) };
  }
  return { bounds: await index.findBounds(query, signal), batches: concatBatches(begun, batches) };
}

async function* concatBatches<T>(begun: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* begun;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

export async function findGranule(
  view: GranulesView,
  indexes: MosaicIndexes,
  id: string,
  signal: AbortSignal,
): Promise<GranuleList> {
  const granule = await addStoreNameToError(view, (await openGranuleIndex(view, indexes)).find(id, signal));
  if (granule === undefined) throw createUnknownGranuleProblem(view, id);
  async function* yieldOne(one: Granule): AsyncGenerator<readonly Granule[]> {
    yield [one];
  }
  return { schema: view.granules.schema, bounds: computeGeometryBounds(granule.footprint), batches: yieldOne(granule) };
}

export function createUnknownGranuleProblem({ coverage }: GranulesView, id: string): Error {
  return problem('granule-unknown', { id: formatPrintableName(id), name: coverage.name });
}

export async function openGranuleIndex(
  { store, granules }: GranulesView,
  indexes: MosaicIndexes,
): Promise<GranuleIndex> {
  return (await indexes.getIndex(store)).open(granules.schema, store.mosaic.indexVersion);
}

export async function parseGranuleFilter(
  text: string | null,
  schema: GranuleSchema,
): Promise<ResolvedFilter | undefined> {
  if (text === null) return undefined;
  const { readGranuleFilter } = await import('../../raster/granules/port/filter-schema.ts');
  const outcome = await readGranuleFilter(text, schema);
  if (outcome.kind === 'read') return outcome.value;
  const { line, column, message } = outcome.complaint;
  throw problem('granule-filter-invalid', { line, column, reason: message, field: 'filter' });
}
