/** A remote WFS behind the vector port: types, schemas and features over HTTP. */

import type { Bounds } from '../../crs/bounds.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import { createTransformer } from '../../crs/transformer.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Task } from '../../workers/task.ts';
import type { Attribute, Feature, FeatureTypeDescription, VectorSource } from '../port/port.ts';
import type { RemoteType } from './capabilities.ts';
import { type RemoteResponse, type RemoteTypes, readingPage, readingSchema, readingTypes } from './read-responses.ts';

export type FetchFromServer = (url: string, signal: AbortSignal) => Promise<RemoteResponse>;

/** Runs a task in a thread if the response is large. */
export type RunTask = <I extends RemoteResponse, O>(task: Task<I, O>, input: I, signal: AbortSignal) => Promise<O>;

export interface WfsOptions {
  readonly capabilitiesUrl: string;
  readonly fetchFromServer: FetchFromServer;
  readonly run: RunTask;
  /** The maximum number of features; 0 for no limit. */
  readonly maxFeatures: number;
}

/** Features per request, if the remote server supports paging. */
const PAGE_FEATURES = 1_000;

export function openWfs({ capabilitiesUrl, fetchFromServer: ask, run, maxFeatures }: WfsOptions): VectorSource {
  /** Loads the types of the server and the type with that name. */
  async function loadTypes(name: string | null, signal: AbortSignal): Promise<RemoteTypes> {
    const answer = await ask(createRequestUrl(capabilitiesUrl, { REQUEST: 'GetCapabilities' }), signal);
    return run(readingTypes, { ...answer, name }, signal);
  }

  async function findType(
    name: string,
    signal: AbortSignal,
  ): Promise<{ type: RemoteType; version: string } | undefined> {
    const { type, version } = await loadTypes(name, signal);
    return type === null ? undefined : { type, version };
  }

  async function loadAttributes(type: RemoteType, version: string, signal: AbortSignal): Promise<readonly Attribute[]> {
    const url = createRequestUrl(capabilitiesUrl, {
      VERSION: version,
      REQUEST: 'DescribeFeatureType',
      ...createTypeParameters(type, version),
    });
    return run(readingSchema, { ...(await ask(url, signal)), type }, signal);
  }

  async function* readPages(
    { type, version }: { readonly type: RemoteType; readonly version: string },
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Feature[]> {
    const attributes = await loadAttributes(type, version, signal);
    const canGoOn = version.startsWith('2');
    let given = 0;
    while (given < limit) {
      const wanted = Math.min(limit - given, canGoOn ? PAGE_FEATURES : limit);
      const url = createRequestUrl(capabilitiesUrl, {
        VERSION: version,
        REQUEST: 'GetFeature',
        ...createTypeParameters(type, version),
        ...(Number.isFinite(wanted) ? { [canGoOn ? 'COUNT' : 'MAXFEATURES']: String(wanted) } : {}),
        ...(canGoOn ? { STARTINDEX: String(given) } : {}),
      });
      const answer = await ask(url, signal);
      const page = await run(readingPage, { ...answer, type, attributes, most: wanted }, signal);
      if (page.length > 0) yield page;
      given += page.length;
      if (!canGoOn || page.length < wanted) return;
    }
  }

  return {
    async listTypes(signal) {
      const { names } = await loadTypes(null, signal);
      return names.map((name) => ({ name, hasGeometry: true }));
    },
    async describe(name, signal) {
      const found = await findType(name, signal);
      if (found === undefined) return undefined;
      const attributes = await loadAttributes(found.type, found.version, signal);
      return createDescription(name, found.type, attributes);
    },
    async *read(name, query, signal) {
      const found = await findType(name, signal);
      if (found === undefined) throw problem('vector-type-unknown', { name });
      const most = maxFeatures === 0 ? Number.POSITIVE_INFINITY : maxFeatures;
      yield* readPages(found, Math.min(query.limit ?? Number.POSITIVE_INFINITY, most), signal);
    },
    // No state is kept between calls.
    close: async () => undefined,
  };
}

/** Builds a request URL from the URL of the capabilities and keeps its other parameters. */
export function createRequestUrl(capabilitiesUrl: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', query = ''] = capabilitiesUrl.split(/\?(.*)/s);
  const own = query.split('&').filter((pair) => {
    const [name = ''] = pair.split('=');
    const isOurs = ['service', 'request', 'typename', 'typenames'].includes(name.toLowerCase());
    return name !== '' && !isOurs && (parameters['VERSION'] === undefined || name.toLowerCase() !== 'version');
  });
  const queryParameters = Object.entries({ SERVICE: 'WFS', ...parameters }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${address}?${[...own, ...queryParameters].join('&')}`;
}

/** WFS 2.0.0 has another parameter name; a prefix must be declared if its namespace is known. */
function createTypeParameters({ name, namespace }: RemoteType, version: string): Readonly<Record<string, string>> {
  const isNewer = version.startsWith('2');
  const prefix = name.slice(0, Math.max(0, name.indexOf(':')));
  const declaration = isNewer ? `xmlns(${prefix},${namespace})` : `xmlns(${prefix}=${namespace})`;
  return {
    [isNewer ? 'TYPENAMES' : 'TYPENAME']: name,
    ...(prefix === '' || namespace === undefined ? {} : { [isNewer ? 'NAMESPACES' : 'NAMESPACE']: declaration }),
  };
}

async function createDescription(
  name: string,
  type: RemoteType,
  attributes: readonly Attribute[],
): Promise<FeatureTypeDescription> {
  const geometry = attributes.find(({ kind }) => kind === 'geometry');
  const bounds =
    geometry?.kind === 'geometry' && type.latLonBounds !== null
      ? await convertLatLonBounds(geometry.crs, type.latLonBounds)
      : undefined;
  return {
    name,
    attributes,
    ...(geometry === undefined ? {} : { defaultGeometry: geometry.name }),
    ...(bounds === undefined ? {} : { bounds }),
  };
}

/** The remote server reports bounds in degrees; corners and edge midpoints are converted to the CRS of the data. */
async function convertLatLonBounds(crs: { readonly code?: string }, latLon: Bounds): Promise<Bounds | undefined> {
  const definition = crs.code === undefined ? undefined : await resolveCrs({ code: crs.code });
  if (definition?.code === 'EPSG:4326') return latLon;
  const transformer = definition?.model === undefined ? undefined : await createTransformer(definition.model);
  if (transformer === undefined) return undefined;
  const { minX, minY, maxX, maxY } = latLon;
  const xs = [minX, (minX + maxX) / 2, maxX];
  const ys = [minY, (minY + maxY) / 2, maxY];
  const places = xs
    .flatMap((x) => ys.flatMap((y) => [transformer.fromLongitudeLatitude([x, y]) ?? []]))
    .filter((place) => place.length === 2);
  if (places.length === 0) return undefined;
  const east = places.map(([x = 0]) => x);
  const north = places.map(([, y = 0]) => y);
  return { minX: Math.min(...east), minY: Math.min(...north), maxX: Math.max(...east), maxY: Math.max(...north) };
}
