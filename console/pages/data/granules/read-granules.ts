/** Granules from the index of a coverage, and the times that they have. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import type { ResourceDocument } from '../../../rest/types.ts';
import { getCapabilitiesPath, type LayerCapabilities, readCapabilities } from '../layer/map/capabilities.ts';

export interface Place {
  readonly workspace: string;
  readonly store: string;
  readonly coverage: string;
}

export interface Granule {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** In the CRS of the coverage. */
  readonly geometry: { readonly type: string } | null;
}

export interface GranuleCollection {
  readonly features: readonly Granule[];
}

interface IndexSchema {
  readonly Schema: {
    readonly attributes: { readonly Attribute: readonly { readonly name: string; readonly binding: string }[] };
  };
}

const PAGE_SIZE = 200;

export function getGranulesPath({ workspace, store, coverage }: Place): string {
  return rest`/workspaces/${workspace}/coveragestores/${store}/coverages/${coverage}/index/granules`;
}

export interface GranuleSelection {
  readonly filter: string;
  readonly time: string;
  readonly timeAttribute: string | undefined;
}

export interface GranuleRows {
  readonly granules: readonly Granule[];
  readonly hasMore: boolean;
  readonly isLoaded: boolean;
  readonly error: Error | null;
  readonly readMore: () => void;
  readonly retry: () => void;
}

export function useGranules(place: Place, selection: GranuleSelection): GranuleRows {
  const pages = useSignal(1);
  const limit = pages.value * PAGE_SIZE;
  const filter = joinFilter(selection);
  // One more tells whether there are further ones.
  const read = useRest<GranuleCollection>({
    path: withQuery(getGranulesPath(place), { limit: limit + 1, filter }),
    keepsLast: true,
  });
  const features = read.data?.body.features;
  const granules = useMemo(() => features?.slice(0, limit) ?? [], [features, limit]);
  return {
    granules: read.error === null ? granules : [],
    hasMore: (features?.length ?? 0) > limit,
    isLoaded: read.data !== undefined,
    error: read.error,
    readMore: () => {
      pages.value += 1;
    },
    retry: () => void read.refetch(),
  };
}

/** The filter of the user keeps its columns, because its errors name them. */
export function joinFilter({ filter, time, timeAttribute }: GranuleSelection): string | undefined {
  const atTime =
    time === '' || timeAttribute === undefined ? undefined : `"${timeAttribute}" TEQUALS ${time.replace('.000Z', 'Z')}`;
  if (filter === '') return atTime;
  // The added part comes last, and only a filter with OR needs parentheses.
  return atTime === undefined
    ? filter
    : /\bor\b/i.test(filter)
      ? `${atTime} AND (${filter})`
      : `${filter} AND ${atTime}`;
}

interface GranuleTimes {
  /** Distinct and in order. */
  readonly values: readonly string[];
  readonly attribute: string | undefined;
}

/** The times of the layer; a layer without a time dimension has none. */
export function useGranuleTimes(place: Place, coverage: ResourceDocument | undefined): GranuleTimes {
  const schema = useRest<IndexSchema>(
    rest`/workspaces/${place.workspace}/coveragestores/${place.store}/coverages/${place.coverage}/index`,
  );
  const entries = [coverage?.metadata?.entry ?? []].flat();
  const hasTime = entries.some((entry) => entry['@key'] === 'time' && entry.dimensionInfo?.enabled === true);
  const capabilities = useRest<LayerCapabilities>({
    path: hasTime ? getCapabilitiesPath(place.workspace, place.coverage) : undefined,
    read: readCapabilities,
  });
  const attributes = schema.data?.body.Schema.attributes.Attribute ?? [];
  const attribute = attributes.find(({ binding }) => /Timestamp|Date/.test(binding))?.name;
  return { values: capabilities.data?.body.times ?? [], attribute };
}
