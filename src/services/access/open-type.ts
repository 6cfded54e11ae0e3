/** Opens the data of a published type for queries, under its published names and schema. */
import { completeType } from '../../catalog/feature-types/unverified-type.ts';
import { findSqlView, findSqlViewWithValues } from '../../catalog/feature-types/virtual-table.ts';
import type { VectorData } from '../../catalog/stores/vector-data.ts';
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import { renameAttributes } from '../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { readEcqlFor } from '../../filter/resolve/resolve.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import { type ReplaceLookups, withLookups } from '../../filter/run/with-lookups.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { createDescribedSchema } from '../../vector/port/filter-schema.ts';
import type { Attribute, ComplexType, FeatureTypeDescription, VectorSource } from '../../vector/port/port.ts';
import type { SqlView } from '../../vector/port/sql-view.ts';
import type { QueriedType } from '../../vector/query/feature-query.ts';
import type { AcquiredSource } from '../../vector/sources.ts';
import { loadCompiledRestriction } from './compile-restriction.ts';
import { replaceOtherLayers } from './other-layers.ts';
import { findNativeName, isUnchangedPublication, type Publication } from './publication.ts';
import { createPublishedSource } from './published-source.ts';
import { createPublishedType, type PublishedType } from './published-type.ts';
import { withTimeout } from './with-timeout.ts';

export interface OpenedType extends QueriedType {
  readonly filterRunner: FilterRunner;
  readonly published: PublishedType;
  readonly publication: Publication;
  /**
   * Passed to all source calls. It aborts when the client disconnects, the source times out or the type is released.
   */
  readonly signal: AbortSignal;
  /** Waits for a result of the source until its timeout. */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** Streams features with a timeout for the source, and without blocking others when the client is slow. */
  withTimeout<B>(batches: AsyncIterable<B>): AsyncIterable<B>;
  /** Must be called when reading is complete. */
  release(): void;
}

/** Created once: almost every opened type is read to its end, so that the reason is rarely used. */
const releasedError = new DOMException('The type was released.', 'AbortError');

/** Filters are resolved against this description: its attributes and their stored CRSs. */
export async function openType(
  vectorData: Pick<VectorData, 'acquireSource'>,
  published: PublishedType,
  clientGone: AbortSignal,
  /** For a virtual table: parameter values by lower-case name. */
  viewParameters: ReadonlyMap<string, string> = new Map(),
): Promise<OpenedType> {
  const held = await vectorData.acquireSource(published.records.store);
  const ended = new AbortController();
  const release = () => {
    ended.abort(releasedError);
    held.release();
  };
  try {
    const filtering = watchFilters(held.filterRunner);
    const { source } = held;
    const queried = await held.within((signal) =>
      openQueriedType({ source, filterRunner: filtering.runner }, published, viewParameters, signal),
    );
    const signal = AbortSignal.any([clientGone, ended.signal]);
    const handleFailure = (error: unknown) => {
      ended.abort();
      if (error instanceof Problem && error.code === 'vector-type-changed') {
        descriptionCaches.delete(held.source);
      }
    };
    const replace: ReplaceLookups = (part) =>
      replaceOtherLayers(part, {
        others: published.records.others,
        crs: published.keptCrs,
        openType: (other) => openType(vectorData, other, clientGone),
      });
    return {
      ...queried,
      // Filters of the catalog and of data rules are resolved without it: they are cached beyond the request.
      filterRunner: withLookups(queried.filterRunner, replace),
      signal,
      within: (work) => held.within(work),
      withTimeout: (batches) => withTimeout(batches, { ...held, isFiltering: filtering.isBusy }, handleFailure),
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Reports whether filters are being evaluated; that time does not count towards the timeout of the source. */
function watchFilters(runner: FilterRunner): { readonly runner: FilterRunner; readonly isBusy: () => boolean } {
  let busy = 0;
  const start: FilterRunner['start'] = async (filter, access, signal) => {
    const match = await runner.start(filter, access, signal);
    return (rows) => {
      const matching = match(rows);
      if (!(matching instanceof Promise)) return matching;
      busy += 1;
      return matching.finally(() => {
        busy -= 1;
      });
    };
  };
  return { runner: { ...runner, start }, isBusy: () => busy > 0 };
}

async function openQueriedType(
  { source, filterRunner }: Pick<AcquiredSource, 'source' | 'filterRunner'>,
  given: PublishedType,
  viewParameters: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<QueriedType & Pick<OpenedType, 'publication' | 'filterRunner' | 'published'>> {
  const { type } = given.records;
  // The result columns of a query do not depend on its parameter values, so that it is described once.
  const stored = await loadTypeDescription(source, findSqlView(type.metadata) ?? type.nativeName, signal);
  const published =
    type.unverified === undefined ? given : createPublishedType({ ...given.records, type: completeType(type, stored) });
  const view =
    viewParameters.size === 0 ? findSqlView(type.metadata) : findSqlViewWithValues(type.metadata, viewParameters);
  const of = view ?? type.nativeName;
  const native = withStoredCrs(stored, published);
  const layerFilter = await resolveOwnFilter(published, native);
  const { restriction } = published.records;
  const compiled =
    restriction && (await loadCompiledRestriction(restriction, published, { stored, native }, filterRunner));
  const publication: Publication = {
    source,
    of,
    native,
    stored,
    attributes: published.attributes,
    name: published.name,
    layerFilter,
    filter: joinOwnFilters(layerFilter, compiled?.filter),
    restriction: compiled,
    mask: compiled?.mask,
    filterRunner,
  };
  const description = buildPublishedDescription(publication, published);
  return isUnchangedPublication(publication)
    ? { source, description, publication, published, filterRunner, ...(view === undefined ? {} : { view }) }
    : { source: createPublishedSource(publication), description, publication, published, filterRunner };
}

function joinOwnFilters(
  one: ResolvedFilter | undefined,
  other: ResolvedFilter | undefined,
): ResolvedFilter | undefined {
  const filters = [one, other].filter((each) => each !== undefined);
  const joined = joinResolvedFilters('and', filters);
  return joined.kind === 'constant' && joined.value ? undefined : joined;
}

/** Cached descriptions by source. A source object lives until its store changes or is reset. */
const descriptionCaches = new WeakMap<VectorSource, Map<string, Promise<FeatureTypeDescription>>>();

function loadTypeDescription(
  source: VectorSource,
  of: string | SqlView,
  signal: AbortSignal,
): Promise<FeatureTypeDescription> {
  const key = typeof of === 'string' ? of : JSON.stringify(of);
  const types = descriptionCaches.get(source) ?? new Map<string, Promise<FeatureTypeDescription>>();
  descriptionCaches.set(source, types);
  const cached = types.get(key) ?? readTypeDescription(source, of, signal);
  types.set(key, cached);
  cached.catch(() => types.delete(key));
  return cached;
}

async function readTypeDescription(
  source: VectorSource,
  of: string | SqlView,
  signal: AbortSignal,
): Promise<FeatureTypeDescription> {
  const description =
    typeof of === 'string' ? await source.describe(of, signal) : await source.describeView?.(of, signal);
  if (description === undefined || description.unreachable !== undefined) {
    throw problem('feature-data-missing', {});
  }
  return description;
}

/** A declared CRS overrides the CRS of the data if the projection policy says so. */
function withStoredCrs(native: FeatureTypeDescription, { keptCrs, geometry }: PublishedType): FeatureTypeDescription {
  const drawn = geometry && findNativeName(geometry, native);
  const attributes = native.attributes.map((attribute) => {
    const isUnknown = attribute.kind === 'geometry' && Object.keys(attribute.crs).length === 0;
    return attribute.kind === 'geometry' && (attribute.name === drawn || isUnknown)
      ? { ...attribute, crs: keptCrs }
      : attribute;
  });
  return { ...native, attributes };
}

function buildPublishedDescription(
  { native, name, filter, mask }: Publication,
  published: PublishedType,
): FeatureTypeDescription {
  const { bounds, count, defaultGeometry: _, complex, ...rest } = native;
  const drawn = published.geometry;
  const attributes = published.attributes.map((attribute): Attribute => {
    const found = native.attributes.find((each) => each.name === findNativeName(attribute, native));
    return found?.kind === 'geometry' && attribute.kind === 'geometry' ? { ...attribute, crs: found.crs } : attribute;
  });
  return {
    ...rest,
    name,
    attributes,
    ...(complex === undefined ? {} : { complex: toPublishedComplexType(complex, native, published) }),
    ...(drawn === undefined ? {} : { defaultGeometry: drawn.name }),
    // Both would disclose features that the filter hides.
    ...(filter !== undefined || mask !== undefined || published.geometry === undefined || bounds === undefined
      ? {}
      : { bounds }),
    ...(filter !== undefined || count === undefined ? {} : { count }),
  };
}

/** Uses the published names; content of unpublished attributes is removed. */
function toPublishedComplexType(
  { elements, paths }: ComplexType,
  native: FeatureTypeDescription,
  { attributes }: PublishedType,
): ComplexType {
  const names = new Map(attributes.map((each) => [findNativeName(each, native), each.name]));
  return {
    elements: new Map(
      [...elements].flatMap(([name, element]) => {
        const shown = names.get(name);
        return shown === undefined ? [] : [[shown, element] as const];
      }),
    ),
    paths: paths.filter(({ name }) => names.has(name.slice(0, name.indexOf('/')))),
  };
}

/**
 * Accepts native and published attribute names. A filter that cannot be resolved is an error, so that no feature is
 * disclosed by accident.
 */
async function resolveOwnFilter(
  { records, attributes }: PublishedType,
  native: FeatureTypeDescription,
): Promise<ResolvedFilter | undefined> {
  const { cqlFilter } = records.type;
  if (cqlFilter === null) {
    return undefined;
  }
  const known = [...native.attributes, ...(native.complex?.paths ?? [])];
  const inData = new Map(known.map(({ name }) => [name, name]));
  const renamed = attributes.filter((each) => !inData.has(each.name) && findNativeName(each, native) !== undefined);
  const names = new Map([...renamed.map((each) => [each.name, findNativeName(each, native)] as const), ...inData]);
  const schema = createDescribedSchema({ ...native, attributes: [...native.attributes, ...renamed] });
  const outcome = await readEcqlFor(cqlFilter, schema);
  const filter =
    outcome.kind === 'read'
      ? renameAttributes(outcome.value, { renameAttribute: (name) => names.get(name), renameIdentifiers: (ids) => ids })
      : undefined;
  if (filter === undefined) {
    throw problem('feature-filter-unusable', {});
  }
  return filter;
}
