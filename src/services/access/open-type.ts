/** Opens the data of a published type for queries, under the names and in the shape it is published in. */
import { findSqlView, findSqlViewWithValues } from '../../catalog/feature-types/virtual-table.ts';
import type { VectorData } from '../../catalog/stores/vector-data.ts';
import { renameAttributes } from '../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { readEcqlFor } from '../../filter/resolve/resolve.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { createDescribedSchema } from '../../vector/port/filter-schema.ts';
import type { Attribute, ComplexType, FeatureTypeDescription, VectorSource } from '../../vector/port/port.ts';
import type { SqlView } from '../../vector/port/sql-view.ts';
import type { QueriedType } from '../../vector/query/feature-query.ts';
import type { AcquiredSource } from '../../vector/sources.ts';
import { createPublishedSource, findNativeName, isUnchangedPublication, type Publication } from './published-source.ts';
import type { PublishedType } from './published-type.ts';
import { withTimeout } from './with-timeout.ts';

export interface OpenedType extends QueriedType {
  readonly filterRunner: FilterRunner;
  readonly published: PublishedType;
  readonly publication: Publication;
  /** For all that is asked of the source: given when the client goes, when the source is too slow, or after the release. */
  readonly signal: AbortSignal;
  /** An answer of the source, no longer waited for than it may take. */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** Features as they come, but no longer waited for than a source may take, nor kept for a client while others wait. */
  withTimeout<B>(batches: AsyncIterable<B>): AsyncIterable<B>;
  /** To be called once nothing more is read. */
  release(): void;
}

/** Made once: nearly all that is opened is read to its end, and nobody hears of it. */
const releasedError = new DOMException('What was opened is not read any more.', 'AbortError');

/** Filters are resolved against the description: its attributes, and their systems as they are kept. */
export async function openType(
  vectorData: Pick<VectorData, 'acquireSource'>,
  published: PublishedType,
  clientGone: AbortSignal,
  /** For a virtual table: values of its parameters, by names in lower case. */
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
    return {
      ...queried,
      published,
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

/** Tells whether filters are being evaluated, which is no fault of the source that features are waited for. */
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
  published: PublishedType,
  viewParameters: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<QueriedType & Pick<OpenedType, 'publication' | 'filterRunner'>> {
  const { type } = published.records;
  // What a query gives is described once, whatever it is asked with.
  const stored = await loadTypeDescription(source, findSqlView(type.metadata) ?? type.nativeName, signal);
  const view =
    viewParameters.size === 0 ? findSqlView(type.metadata) : findSqlViewWithValues(type.metadata, viewParameters);
  const of = view ?? type.nativeName;
  const native = withStoredCrs(stored, published);
  const publication: Publication = {
    source,
    of,
    native,
    stored,
    attributes: published.attributes,
    name: published.name,
    filter: await resolveOwnFilter(published, native),
    filterRunner,
  };
  const description = buildPublishedDescription(publication, published);
  return isUnchangedPublication(publication)
    ? { source, description, publication, filterRunner, ...(view === undefined ? {} : { view }) }
    : { source: createPublishedSource(publication), description, publication, filterRunner };
}

/** What was told of the types of a source; a source lives until its store changes or is reset. */
const descriptionCaches = new WeakMap<VectorSource, Map<string, Promise<FeatureTypeDescription>>>();

function loadTypeDescription(
  source: VectorSource,
  of: string | SqlView,
  signal: AbortSignal,
): Promise<FeatureTypeDescription> {
  const key = typeof of === 'string' ? of : JSON.stringify(of);
  const types = descriptionCaches.get(source) ?? new Map<string, Promise<FeatureTypeDescription>>();
  descriptionCaches.set(source, types);
  const told = types.get(key) ?? readTypeDescription(source, of, signal);
  types.set(key, told);
  told.catch(() => types.delete(key));
  return told;
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

/** What people declare of the reference system is believed over what the data says, if they want it so. */
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
  { native, name, filter }: Publication,
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
    // Both tell of features that the filter may keep back.
    ...(filter !== undefined || bounds === undefined ? {} : { bounds }),
    ...(filter !== undefined || count === undefined ? {} : { count }),
  };
}

/** Under the published names; what is in an attribute that is not published is not there either. */
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

/** Attributes by their names in the data or by their published ones; what can no more be decided lets nothing out. */
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
