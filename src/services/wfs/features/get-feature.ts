/** GetFeature: returns the selected features in the requested format, or their count. */
import { encodeCollection } from '../../../formats/in-thread/encode-collection.ts';
import type {
  DocumentLink,
  DxfOptions,
  EncodingOptions,
  FeatureCollection,
  SchemaLocation,
} from '../../../formats/port/port.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';
import { escapeAttribute } from '../../../lib/xml/escape.ts';
import type { PublishedType } from '../../access/published-type.ts';
import { formatContentDisposition } from '../../ows/content-disposition.ts';
import { describeOmittedFeatures } from '../../ows/omitted-features.ts';
import { createParameterProblem, readParameter } from '../../ows/service-parameters.ts';
import type { WfsContext } from '../context/context.ts';
import { featureFormatOptions } from '../request/parameters.ts';
import type { GetFeatureRequest, WfsVersion } from '../request/request.ts';
import { findApplicationSchemaIn } from '../schema/application-schema.ts';
import { formatSchemaUrl } from '../schema/describe-feature-type.ts';
import { countExactly, openPages, type Page } from './feature-pages.ts';
import { type FormatOptions, type OpenedQuery, openQuery } from './open-query.ts';
import { checkSchema, selectOutputFormat, type WfsFormat } from './output-formats.ts';
import { prefetchFirst } from './prefetch-first.ts';

/** Each query keeps its data open while the response is sent. */
const MAX_QUERIES = 100;

/** A request for features, with the id of the lock that holds them, if there is one. */
export interface AnsweredRequest extends GetFeatureRequest {
  readonly lockId?: string;
}

export async function getFeature(context: WfsContext, request: GetFeatureRequest): Promise<ServiceReply> {
  return getFeatures(context, request, selectOutputFormat(request.version, request.outputFormat, context.settings));
}

/** Uses a format that the client cannot choose. */
export async function getFeatures(
  context: WfsContext,
  request: GetFeatureRequest,
  format: WfsFormat,
): Promise<ServiceReply> {
  const { onlyCrs } = format.format;
  const wishes = onlyCrs === undefined ? format : { ...format, crs: onlyCrs };
  const queries = await openAll(context, request, wishes);
  const release = (): void => {
    for (const { opened } of queries) opened.release();
  };
  try {
    const made =
      request.resultType === 'hits'
        ? await createHitsReply(context, request, queries)
        : request.isById
          ? await createSingleFeatureReply(context, request, queries, format)
          : await createFeaturesReply(context, request, queries, format);
    return { ...made, release };
  } catch (error) {
    release();
    throw error;
  }
}

function checkQueryCount({ queries }: Pick<GetFeatureRequest, 'queries'>): void {
  if (queries.length > MAX_QUERIES) {
    throw problem('ows-option-unsupported', {
      what: `A request with ${queries.length} queries`,
      instead: `send at most ${MAX_QUERIES} queries`,
      field: 'typeName',
    });
  }
}

/** Opens all queries of a request; they must be released. */
export async function openAll(
  context: WfsContext,
  request: Pick<GetFeatureRequest, 'queries' | 'version' | 'isById'>,
  wishes: FormatOptions,
): Promise<readonly OpenedQuery[]> {
  checkQueryCount(request);
  const queries: OpenedQuery[] = [];
  try {
    for (const query of request.queries) queries.push(await openQuery(context, request.version, query, wishes));
    return queries;
  } catch (error) {
    for (const { opened } of queries) opened.release();
    // A request by id discloses nothing about types.
    throw request.isById && error instanceof Problem && error.code === 'wfs-type-unknown'
      ? createUnknownFeatureProblem(request)
      : error;
  }
}

function createUnknownFeatureProblem({ queries }: Pick<GetFeatureRequest, 'queries'>): Problem {
  const selection = queries[0]?.selection;
  return problem('wfs-feature-unknown', { id: (selection?.kind === 'ids' && selection.ids[0]) || '', field: 'id' });
}

async function createHitsReply(
  context: WfsContext,
  request: GetFeatureRequest,
  queries: readonly OpenedQuery[],
): Promise<ServiceReply> {
  let matched = 0;
  for (const query of queries) matched += await countExactly(query);
  return {
    contentType: 'text/xml;charset=utf-8',
    body: writeHits({
      version: request.version,
      matched: computeHits(matched, request, context),
      timeStamp: context.now(),
      links: createPageLinks(context, { ...request, startIndex: 0 }, { count: 0, hasNext: matched > 0 }),
    }),
  };
}

/** Before 2.0.0 the count is limited to the features that would be returned; since then it covers all matches. */
function computeHits(matched: number, { version, count }: GetFeatureRequest, { settings }: WfsContext): number {
  if (version === '2.0.0') return matched;
  return Math.min(matched, count ?? matched, settings.hitsIgnoreMaxFeatures ? matched : settings.maxFeatures);
}

async function createSingleFeatureReply(
  context: WfsContext,
  request: GetFeatureRequest,
  queries: readonly OpenedQuery[],
  format: WfsFormat,
): Promise<ServiceReply> {
  const encoder = await format.format.load(context.services.encoding);
  if (encoder.encodeFeature === undefined) return createFeaturesReply(context, request, queries, format);
  const pages = await openPages(queries, { offset: 0, limit: 1 }, 'nothing', context.now);
  const collection = { ...(await createCollectionContent(context, request, pages, format)), links: () => [] };
  const body = await encoder.encodeFeature(collection, context.signal);
  if (body === undefined) throw createUnknownFeatureProblem(request);
  return { ...createReplyHead(request, queries, format), body };
}

export async function createFeaturesReply(
  context: WfsContext,
  request: AnsweredRequest,
  queries: readonly OpenedQuery[],
  format: WfsFormat,
): Promise<ServiceReply> {
  const { startIndex: offset = 0, count } = request;
  const limit = Math.min(count ?? Number.POSITIVE_INFINITY, context.settings.maxFeatures);
  // Beyond the last feature, only counting tells how many features match.
  const needs = format.head === 'counts' || count !== undefined || offset > 0 ? 'counts' : 'nothing';
  const pages = await openPages(queries, { offset, limit }, needs, context.now);
  const createLinks = (): readonly DocumentLink[] =>
    createPageLinks(context, request, { count: limit, hasNext: limit > 0 && pages.some((page) => page.hasNext()) });
  const collection = { ...(await createCollectionContent(context, request, pages, format)), links: createLinks };
  const warnings = format.format.omitsWithoutGeometry === true ? await listOmittedFeatures(queries) : [];
  const body = encodeCollection(format.format, collection, context.services.encoding, context.signal);
  return { ...createReplyHead(request, queries, format), body: await prefetchFirst(body), warnings };
}

async function listOmittedFeatures(queries: readonly OpenedQuery[]): Promise<readonly string[]> {
  const found = await Promise.all(queries.map(({ opened, filter }) => describeOmittedFeatures(opened, filter)));
  return found.filter((each) => each !== undefined);
}

async function createCollectionContent(
  context: WfsContext,
  request: AnsweredRequest,
  pages: readonly Page[],
  format: WfsFormat,
): Promise<Omit<FeatureCollection, 'links'>> {
  const types = pages.map(({ query }) => query.opened.published);
  return {
    sets: pages.map(({ set }) => set),
    timeStamp: context.now(),
    schemaLocations: await listSchemaLocations(
      context,
      request,
      pages.map(({ query }) => query),
      format,
    ),
    options: {
      ...createEncodingOptions(context, request, types),
      ...(request.lockId === undefined ? {} : { lockId: request.lockId }),
    },
  };
}

/** Types of one namespace share a schema location. */
export async function listSchemaLocations(
  { address, root }: WfsContext,
  { version }: GetFeatureRequest,
  queries: readonly Pick<OpenedQuery, 'opened'>[],
  format: WfsFormat,
): Promise<readonly SchemaLocation[]> {
  const namespaces = new Map<string, PublishedType[]>();
  for (const { opened } of queries) {
    const { published, publication, signal } = opened;
    const followed = await findApplicationSchemaIn(publication.source, root, published, signal);
    checkSchema(format, published.qualifiedName, followed?.gml);
    const uri = followed?.element.uri ?? published.namespace;
    namespaces.set(uri, [...(namespaces.get(uri) ?? []), published]);
  }
  return [...namespaces].map(([uri, members]) => ({ uri, location: formatSchemaUrl(address, version, members) }));
}

export function createEncodingOptions(
  { publication, settings }: WfsContext,
  { formatOptions }: GetFeatureRequest,
  types: readonly PublishedType[],
): EncodingOptions {
  const decimals = Math.max(...types.map((type) => type.decimals ?? publication.decimals));
  const separator = readParameter(formatOptions, featureFormatOptions.parameters.csvSeparator);
  const charset = readParameter(formatOptions, featureFormatOptions.parameters.charset);
  return {
    decimals,
    hasFeatureBounds: settings.hasFeatureBounds,
    hasMemberEach: settings.hasMemberEach,
    ...(separator === undefined ? {} : { separator }),
    ...(charset === undefined ? {} : { charset }),
    dxf: readDxfOptions(formatOptions, types.length),
  };
}

function readDxfOptions(formatOptions: GetFeatureRequest['formatOptions'], queries: number): DxfOptions {
  const declared = featureFormatOptions.parameters;
  readParameter(formatOptions, declared.version);
  const colors = readParameter(formatOptions, declared.colors);
  const lineTypes = readParameter(formatOptions, declared.ltypes);
  const layers = readParameter(formatOptions, declared.layers);
  if (layers.length > 0 && layers.length !== queries) {
    throw createParameterProblem('format_options', layers.join(','), `${queries} names in layers, one for each query`);
  }
  return {
    isAsBlocks: readParameter(formatOptions, declared.asblock),
    hasAttributes: readParameter(formatOptions, declared.withattributes),
    layers,
    ...(colors === undefined ? {} : { colors }),
    ...(lineTypes === undefined ? {} : { lineTypes }),
  };
}

/** Creates the response headers. */
export function createReplyHead(
  { formatOptions }: GetFeatureRequest,
  queries: readonly Pick<OpenedQuery, 'opened'>[],
  { format }: WfsFormat,
): Omit<ServiceReply, 'body'> {
  const types = queries.map(({ opened }) => opened.published);
  const name =
    readParameter(formatOptions, featureFormatOptions.parameters.filename) ??
    `${types[0]?.name ?? 'features'}.${format.fileExtension}`;
  const ages = types.map(({ maxAgeSeconds }) => maxAgeSeconds);
  const isKept = ages.every((age) => age !== undefined);
  return {
    contentType: format.mediaType,
    headers: { 'content-disposition': formatContentDisposition(format.isDownload ? 'attachment' : 'inline', name) },
    ...(isKept ? { maxAgeSeconds: Math.min(...ages) } : {}),
    ...(format.isPacked === true ? { isPacked: true } : {}),
  };
}

interface Hits {
  readonly version: WfsVersion;
  readonly matched: number;
  readonly timeStamp: Date;
  readonly links: readonly DocumentLink[];
}

/** The response with resultType=hits: a collection with counts only. */
export function writeHits({ version, matched, timeStamp, links }: Hits): string {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const time = timeStamp.toISOString();
  if (version !== '2.0.0') {
    return `${head}<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" numberOfFeatures="${matched}" timeStamp="${time}"/>\n`;
  }
  const next = links.find(({ rel }) => rel === 'next');
  return `${head}<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberMatched="${matched}" numberReturned="0" timeStamp="${time}"${next === undefined ? '' : ` next="${escapeAttribute(next.href)}"`}/>\n`;
}

interface PageSize {
  /** The page size; Infinity for all features. */
  readonly count: number;
  readonly hasNext: boolean;
}

/** Repeats the request from another position. XML requests have no address and therefore no links. */
export function createPageLinks(
  { parameters, address }: Pick<WfsContext, 'parameters' | 'address'>,
  { startIndex = 0, resultType }: Pick<GetFeatureRequest, 'startIndex' | 'resultType'>,
  { count, hasNext }: PageSize,
): readonly DocumentLink[] {
  if (parameters === undefined) return [];
  const formatPageUrl = (index: number): string => {
    const pairs = [...parameters].filter(([name]) => name !== 'startindex' && name !== 'resulttype');
    const query = new URLSearchParams(pairs);
    if (resultType === 'hits') query.set('resulttype', 'results');
    query.set('startindex', String(index));
    return `${address}?${query}`;
  };
  const links: DocumentLink[] = [];
  if (hasNext) links.push({ rel: 'next', href: formatPageUrl(startIndex + count) });
  if (startIndex > 0) links.push({ rel: 'previous', href: formatPageUrl(Math.max(0, startIndex - count)) });
  return links;
}
