/** Queries features of a type: parts that the source does not support run here, so that all sources behave alike. */

import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import { hasIdFilter } from '../../filter/model/list-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Feature, FeatureTypeDescription, Selection, SourceQuery } from '../port/port.ts';
import { createBoxFilter } from './box-filter.ts';
import type { FeatureQuery, QueriedType } from './feature-query.ts';
import { finishSelection, selectFrom } from './finish-selection.ts';
import { createShape, type FeatureShape, type ShapePlan, shapeBatches } from './shape-features.ts';

export interface FeatureQueryResult {
  /** The description of the resulting features, with the requested attributes and CRS. */
  readonly description: FeatureTypeDescription;
  /** The source is not queried before they are read. */
  readonly batches: AsyncIterable<readonly Feature[]>;
  /** The features before shaping, for callers that shape them in another thread; only one of the two is read. */
  readonly unshaped: UnshapedFeatures;
  /** Whether the total count comes with the features; prepares the source without reading. */
  isCounted(): Promise<boolean>;
  /** The total count, available with the first batch. */
  getMatched(): number | undefined;
  /** The keys of adjacent pages, available after a page with a limit was read. */
  pages(): Pages;
}

export interface UnshapedFeatures {
  readonly batches: AsyncIterable<readonly Feature[]>;
  readonly plan: ShapePlan;
  readonly shape: FeatureShape;
}

/** Maps the features of a result before they are shaped. */
export function mapFeatures<A extends Pick<FeatureQueryResult, 'batches' | 'unshaped'>>(
  answer: A,
  pass: (batches: AsyncIterable<readonly Feature[]>) => AsyncIterable<readonly Feature[]>,
): A {
  const { shape } = answer.unshaped;
  const batches = pass(answer.unshaped.batches);
  return { ...answer, batches: shapeBatches(batches, shape), unshaped: { ...answer.unshaped, batches } };
}

export interface Pages {
  /** For `before`. */
  readonly previous?: string;
  /** For `after`. */
  readonly next?: string;
}

/** Throws a Problem immediately for unknown attributes, unknown CRSs and invalid page keys. */
export async function queryFeatures(
  type: QueriedType,
  query: FeatureQuery,
  signal: AbortSignal,
): Promise<FeatureQueryResult> {
  const { source, description, view } = type;
  checkSort(description, query);
  const plan = createShapePlan(description, query);
  const shape = await createShape(plan);
  const page = resolvePage(query);
  const sourceQuery: SourceQuery = {
    ...page.query,
    ...createSourceQuery(type, query),
    attributes: shape.description.attributes.map(({ name }) => name),
    ...(query.isCounted === undefined ? {} : { isCounted: query.isCounted }),
    ...(query.resolution === undefined || !source.hasLevels ? {} : { resolution: query.resolution }),
  };
  // Resources that a read holds could be the ones that counting waits for.
  const mayBeCounted = query.isCounted === true && source.countsAlong === true && sourceQuery.limit !== 0;
  let pages: Pages = {};
  let selecting: Promise<Selection> | undefined;
  let matched: (() => number | undefined) | undefined;

  const select = async (): Promise<Selection> => {
    selecting ??= selectFrom(source, view ?? description.name, sourceQuery, signal);
    const selection = await selecting;
    matched = selection.matched;
    return selection;
  };

  async function* read(): AsyncGenerator<readonly Feature[]> {
    if (sourceQuery.limit === 0) return;
    const answer = finishSelection(await select(), {
      attributes: description.attributes,
      runner: type.filterRunner,
      signal,
    });
    const limited = page.isBackwards ? reversePage(answer, page) : trimPage(answer, page);
    try {
      let result = await limited.next();
      for (; result.done !== true; result = await limited.next()) yield result.value;
      pages = result.value;
    } finally {
      // Releases the source if the reader stops early.
      await limited.return({});
    }
  }

  const batches = read();
  return {
    description: shape.description,
    batches: shapeBatches(batches, shape),
    unshaped: { batches, plan, shape },
    isCounted: async () => mayBeCounted && (await select()).matched !== undefined,
    getMatched: () => matched?.(),
    pages: () => pages,
  };
}

function createShapePlan(type: FeatureTypeDescription, { attributes, crs, tolerance }: FeatureQuery): ShapePlan {
  return {
    type,
    ...(attributes === undefined ? {} : { attributes }),
    ...(crs === undefined ? {} : { crs }),
    ...(tolerance === undefined ? {} : { tolerance }),
  };
}

/** Combines the filter and the box of a query. */
export function buildFilter(
  { description }: QueriedType,
  { filter, box }: Pick<FeatureQuery, 'filter' | 'box'>,
): ResolvedFilter | undefined {
  if (description.isKeyless && filter !== undefined && hasIdFilter(filter)) {
    throw problem('features-without-key', { name: description.name });
  }
  if (box === undefined) return filter;
  const { defaultGeometry } = description;
  // Without a geometry no feature is in the box.
  if (defaultGeometry === undefined) return { kind: 'constant', value: false };
  const inBox = createBoxFilter(defaultGeometry, box);
  return filter === undefined ? inBox : joinResolvedFilters('and', [inBox, filter]);
}

function createSourceQuery(type: QueriedType, query: FeatureQuery): Pick<SourceQuery, 'filter' | 'sort'> {
  const filter = buildFilter(type, query);
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(query.sort === undefined || query.sort.length === 0 ? {} : { sort: query.sort }),
  };
}

/** Throws a Problem for an unknown attribute or one that cannot be sorted. */
export function checkSort(
  { attributes, name: type }: FeatureTypeDescription,
  { sort = [] }: Pick<FeatureQuery, 'sort'>,
): void {
  for (const { attribute: name } of sort) {
    const found = attributes.find((each) => each.name === name);
    if (found === undefined) throw problem('attribute-unknown', { attribute: excerpt(name), name: type });
    if (found.kind === 'geometry' || found.type === 'bytes')
      throw problem('attribute-not-sortable', { name: excerpt(name) });
  }
}

interface Page {
  /** Requests one feature more than the limit to detect another page. */
  readonly query: Pick<SourceQuery, 'start' | 'offset' | 'limit'>;
  /** The number of skipped features, as far as it is known. */
  readonly offset: number;
  readonly limit: number;
  readonly isFirst: boolean;
  readonly isBackwards: boolean;
}

function resolvePage({ after, before, limit = Number.POSITIVE_INFINITY, offset = 0 }: FeatureQuery): Page {
  const key = after ?? before;
  const place = key === undefined ? ({ kind: 'position', position: offset } as const) : readPageKey(key);
  const isBefore = before !== undefined && after === undefined;
  if (isBefore && limit === Number.POSITIVE_INFINITY) throw problem('page-key-invalid', {});
  const pageLimit = Number.isFinite(limit) ? { limit: limit === 0 ? 0 : limit + 1 } : {};
  if (place.kind === 'key') {
    const start = { side: isBefore ? 'before' : 'after', key: place.key } as const;
    return { query: { ...pageLimit, start }, offset: 0, limit, isFirst: false, isBackwards: isBefore };
  }
  const passed = isBefore ? Math.max(0, place.position - 1 - limit) : place.position;
  const size = isBefore ? Math.min(limit, place.position - 1) : limit;
  return {
    query: { ...(Number.isFinite(size) ? { limit: size + 1 } : {}), ...(passed === 0 ? {} : { offset: passed }) },
    offset: passed,
    limit: size,
    isFirst: passed === 0,
    isBackwards: false,
  };
}

function createPageKey(feature: Feature, position: number): string {
  return writePageKey(feature.key === undefined ? { kind: 'position', position } : { kind: 'key', key: feature.key });
}

/** Returns the adjacent pages at its end. */
async function* trimPage(
  batches: AsyncIterable<readonly Feature[]>,
  { limit, offset, isFirst }: Page,
): AsyncGenerator<readonly Feature[], Pages> {
  let given = 0;
  let previous: string | undefined;
  let last: Feature | undefined;
  for await (const batch of batches) {
    const wanted = batch.slice(0, limit - given);
    const [first] = wanted;
    if (given === 0 && first !== undefined && !isFirst) previous = createPageKey(first, offset + 1);
    given += wanted.length;
    last = wanted.at(-1) ?? last;
    if (wanted.length > 0) yield wanted;
    if (wanted.length < batch.length) {
      const next = last === undefined ? undefined : createPageKey(last, offset + given);
      return { ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) };
    }
  }
  return Number.isFinite(limit) && previous !== undefined ? { previous } : {};
}

/** Reverses a page that was read backwards. */
async function* reversePage(
  batches: AsyncIterable<readonly Feature[]>,
  { limit }: Page,
): AsyncGenerator<readonly Feature[], Pages> {
  const features: Feature[] = [];
  for await (const batch of batches) for (const feature of batch) features.push(feature);
  const page = features.slice(0, limit).reverse();
  const [first, last] = [page.at(0), page.at(-1)];
  if (first === undefined || last === undefined) return {};
  yield page;
  return { ...(features.length > limit ? { previous: createPageKey(first, 0) } : {}), next: createPageKey(last, 0) };
}

/** A key of the source, or an offset. */
type PagePosition =
  | { readonly kind: 'key'; readonly key: string }
  /** The number of the feature, the first being 1. */
  | { readonly kind: 'position'; readonly position: number };

/** Longer than any useful sort key. */
const MAX_LENGTH = 8_192;

/** Page keys: opaque to clients, and valid only for the same query. */
function writePageKey(place: PagePosition): string {
  return place.kind === 'key' ? `k${Buffer.from(place.key).toString('base64url')}` : `n${place.position}`;
}

function readPageKey(text: string): PagePosition {
  if (/^n[1-9]\d{0,14}$/.test(text)) return { kind: 'position', position: Number(text.slice(1)) };
  if (text.length > MAX_LENGTH || !/^k[\w-]+$/.test(text)) throw problem('page-key-invalid', {});
  return { kind: 'key', key: Buffer.from(text.slice(1), 'base64url').toString() };
}
