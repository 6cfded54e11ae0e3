/** Reads the features of a collection page by page, or a single feature. */
import { createHash } from 'node:crypto';
import { writeCrsName } from '../../../../crs/axis-order.ts';
import { type OutputFormat, outputFormats } from '../../../../formats/formats.ts';
import { encodeCollection } from '../../../../formats/in-thread/encode-collection.ts';
import type { DocumentLink, FeatureCollection } from '../../../../formats/port/port.ts';
import type { ServiceReply } from '../../../../http/session/service-reply.ts';
import { problem } from '../../../../lib/problems/problem.ts';
import { excerpt } from '../../../../lib/text/excerpt.ts';
import type { Feature, FeatureTypeDescription } from '../../../../vector/port/port.ts';
import { countFeatures } from '../../../../vector/query/count-features.ts';
import {
  type FeatureQueryResult,
  mapFeatures,
  queryFeatures,
  type UnshapedFeatures,
} from '../../../../vector/query/query-features.ts';
import { type OpenedType, openType } from '../../../access/open-type.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import { formatContentDisposition } from '../../../ows/content-disposition.ts';
import { readServiceSettings } from '../../../ows/service-settings.ts';
import { expandViewParameters } from '../../../ows/view-parameters.ts';
import { encodePathPart } from '../../common/link.ts';
import { formatQuery, readParameter } from '../../common/parameters.ts';
import { createSelfLinks } from './documents.ts';
import { computeFeatureTag, computeShapeTag } from './feature-tag.ts';
import type { FeaturesContext } from './features-context.ts';
import { type ItemsFormat, itemFormats, itemsFormats } from './item-formats.ts';
import { DEFAULT_LIMIT, itemParameters, itemsParameters, MAX_LIMIT, noPosition } from './items-parameters.ts';
import { type ItemsQuery, type PageLimits, readItemShape, readItemsQuery } from './items-query.ts';
import { CRS84, listSystems } from './systems.ts';

/** The default number of decimals of coordinates; better than a centimetre. */
const DECIMALS = 8;

/** Databases take about 250 ms to count this many features; larger results are not counted. */
const MAX_COUNTED = 1_000_000;

/** The maximum time that a page waits for the total count, even under load. */
const COUNT_TIMEOUT_MS = 5_000;

/** A page of features that is being read. */
export interface ItemsPage {
  readonly type: PublishedType;
  readonly description: FeatureTypeDescription;
  readonly query: ItemsQuery;
  readonly batches: AsyncIterable<readonly Feature[]>;
  /** The features before conversion to the output shape; either this or `batches` is read. */
  readonly unshaped?: UnshapedFeatures;
  readonly readAt: Date;
  /** Present if known before reading. */
  readonly numberReturned?: number;
  /** The number of all matching features if it could be counted; available once the batches are read. */
  numberMatched(): number | undefined;
  /** Available once the batches are read. */
  links(): readonly DocumentLink[];
}

export async function createItemsReply(
  visit: FeaturesContext,
  type: PublishedType,
  format: ItemsFormat,
  asPage: (page: ItemsPage) => Promise<string>,
): Promise<ServiceReply> {
  const opened = await openCollection(visit, type);
  try {
    // Some formats support a single CRS.
    const systems = format.output?.onlyCrs === undefined ? listSystems(type, visit.featureAccess.settings) : [CRS84];
    const query = await readItemsQuery(visit.parameters, opened, systems, selectPageLimits(visit, type, format));
    const cut = format.isFile === true ? await describeCut(visit, opened, query) : undefined;
    const page = await readPage(visit, opened, query, format);
    const common = { ...createCrsHeaders(query), ...selectMaxAge(type) };
    if (format.output === undefined) {
      const body = await asPage(page);
      opened.release();
      return { contentType: 'text/html; charset=utf-8', body, ...common };
    }
    const output = format.isBuffered === true ? await bufferPage(page) : page;
    return {
      contentType: format.output.mediaType,
      body: encodeCollection(
        format.output,
        createFeatureCollection(output),
        visit.call.services.encoding,
        opened.signal,
      ),
      release: opened.release,
      ...computeEtag(visit, type, format),
      ...(format.output.mediaType.includes('zip') ? { isPacked: true } : {}),
      ...common,
      ...(cut === undefined ? {} : { warnings: [cut.warning] }),
      headers: { ...common.headers, ...createDownloadHeaders(type, format.output, cut?.isCertain === true) },
    };
  } catch (error) {
    opened.release();
    throw error;
  }
}

function openCollection({ call, parameters }: FeaturesContext, type: PublishedType): Promise<OpenedType> {
  const [viewParameters] = expandViewParameters(readParameter(parameters, itemParameters.viewparams), 1);
  return openType(call.services.vectorData, type, call.signal(), viewParameters);
}

/** Reads a page into memory, so that its count and its next link are known. */
async function bufferPage(page: ItemsPage): Promise<ItemsPage> {
  const { unshaped } = page;
  const batches: (readonly Feature[])[] = [];
  for await (const batch of unshaped?.batches ?? page.batches) {
    batches.push(batch);
  }
  const numberReturned = batches.reduce((sum, batch) => sum + batch.length, 0);
  if (unshaped === undefined) {
    return { ...page, numberReturned, batches: iterateBatches(batches) };
  }
  return {
    ...page,
    numberReturned,
    ...mapFeatures({ batches: page.batches, unshaped }, () => iterateBatches(batches)),
  };
}

async function* iterateBatches(batches: readonly (readonly Feature[])[]): AsyncGenerator<readonly Feature[]> {
  yield* batches;
}

function selectPageLimits(
  { featureAccess }: FeaturesContext,
  { maxFeatures }: PublishedType,
  { isFile }: ItemsFormat,
): PageLimits {
  const ofLayer = maxFeatures === 0 ? Number.POSITIVE_INFINITY : maxFeatures;
  if (isFile !== true) return { byDefault: DEFAULT_LIMIT, most: Math.min(MAX_LIMIT, ofLayer) };
  const most = Math.min(readServiceSettings('wfs', featureAccess.settings).limit('maxFeatures'), ofLayer);
  return { byDefault: most, most };
}

/** Returns undefined if a file contains all matching features. It is not certain if they cannot be counted. */
async function describeCut(
  { parameters }: FeaturesContext,
  opened: OpenedType,
  query: ItemsQuery,
): Promise<{ readonly warning: string; readonly isCertain: boolean } | undefined> {
  const { limit, offset = 0, after, before, filter } = query;
  const { records } = opened.published;
  const known = filter === undefined ? opened.description.count : undefined;
  const matched = known ?? (records.type.skipNumberMatched ? undefined : await countAll(opened, query));
  const isPositioned = offset > 0 || after !== undefined || before !== undefined;
  if (matched !== undefined && matched <= limit && !isPositioned) return undefined;
  const remedy =
    isPositioned || readParameter(parameters, itemsParameters.limit) !== undefined
      ? 'Omit limit, offset, after and before to get all features'
      : 'Use limit and offset to get the others';
  const of = matched === undefined ? '' : ` of ${matched} matching`;
  return {
    warning: `The file contains at most ${limit}${of} features. ${remedy}.`,
    isCertain: matched !== undefined,
  };
}

/** Uploaded files change with their store; changes of databases are not detectable. */
function computeEtag(
  { call, root }: FeaturesContext,
  type: PublishedType,
  { name }: ItemsFormat,
): Pick<ServiceReply, 'etag'> {
  if (type.records.store.fileSet === null) {
    return {};
  }
  const identity = [type.version, root, type.qualifiedName, call.rawQuery, name].join(' ');
  return { etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22) };
}

/** The name of an incomplete file differs, because it is read long after the warning. */
function createDownloadHeaders(
  { name }: PublishedType,
  { isDownload, fileExtension }: OutputFormat,
  isPart: boolean,
): Readonly<Record<string, string>> {
  return isDownload
    ? {
        'content-disposition': formatContentDisposition(
          'attachment',
          `${name}${isPart ? '-part' : ''}.${fileExtension}`,
        ),
      }
    : {};
}

function createCrsHeaders({ system }: Pick<ItemsQuery, 'system'>): Pick<ServiceReply, 'headers'> {
  return system === undefined ? {} : { headers: { 'content-crs': `<${formatCrsUri(system)}>` } };
}

function formatCrsUri({ code, isLongitudeFirst }: NonNullable<ItemsQuery['system']>): string {
  return writeCrsName({ code, isLongitudeFirst }, 'uri');
}

function selectMaxAge({ maxAgeSeconds }: PublishedType): Pick<ServiceReply, 'maxAgeSeconds'> {
  return maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
}

async function readPage(
  visit: FeaturesContext,
  opened: OpenedType,
  query: ItemsQuery,
  format: ItemsFormat,
): Promise<ItemsPage> {
  const { published: type } = opened;
  const isCounted = !type.records.type.skipNumberMatched && format.isFile !== true;
  const answer = await queryFeatures(opened, isCounted ? { ...query, isCounted } : query, opened.signal);
  let numberMatched: number | undefined;

  async function* countBatches(unshaped: AsyncIterable<readonly Feature[]>): AsyncGenerator<readonly Feature[]> {
    // Counts in parallel if the source does not count while reading.
    const counting = isCounted && !(await opened.within(answer.isCounted)) ? countAll(opened, query) : undefined;
    let returned = 0;
    for await (const batch of opened.withTimeout(unshaped)) {
      returned += batch.length;
      yield batch;
    }
    const { next, previous } = answer.pages();
    const isAll = next === undefined && previous === undefined && (query.offset ?? 0) === 0;
    if (isCounted) numberMatched = isAll ? returned : (answer.getMatched() ?? (await counting));
  }

  const { batches, unshaped } = mapFeatures(answer, countBatches);
  return {
    type,
    description: answer.description,
    query,
    batches,
    unshaped,
    readAt: visit.now(),
    numberMatched: () => numberMatched,
    links: () => createPageLinks(visit, type, format, answer),
  };
}

/** Returns undefined if counting takes too long or fails; the page is still served. */
async function countAll(opened: OpenedType, { filter }: ItemsQuery): Promise<number | undefined> {
  const { source, description, view, signal } = opened;
  try {
    const estimated = await source.estimateCount?.(view ?? description.name, filter, signal);
    if (estimated !== undefined && estimated >= MAX_COUNTED) {
      return undefined;
    }
    const patience = AbortSignal.timeout(COUNT_TIMEOUT_MS);
    const counted = await countFeatures(opened, filter === undefined ? {} : { filter }, {
      signal,
      timeoutSignal: patience,
    });
    return counted.kind === 'exact' ? counted.count : undefined;
  } catch {
    return undefined;
  }
}

function createPageLinks(
  visit: FeaturesContext,
  type: PublishedType,
  format: ItemsFormat,
  answer: Pick<FeatureQueryResult, 'pages'>,
): readonly DocumentLink[] {
  const address = `${visit.formatCollectionUrl(type)}/items`;
  const { next, previous } = answer.pages();
  const createLink = (rel: string, title: string, key: Readonly<Record<string, string>>) => {
    const query = formatQuery(visit.parameters, { ...noPosition, ...key });
    return { rel, title, type: format.mediaType, href: `${address}${query}` };
  };
  return [
    ...createSelfLinks(
      address,
      visit,
      itemsFormats.filter(({ isFile }) => isFile !== true),
      format,
    ),
    ...createFileLinks(address, visit),
    ...(next === undefined ? [] : [createLink('next', 'The next page', { after: next })]),
    ...(previous === undefined ? [] : [createLink('prev', 'The previous page', { before: previous })]),
    createCollectionLink(visit, type),
  ];
}

/** Files contain all features that the filters select, not those of a page. */
function createFileLinks(address: string, { parameters }: FeaturesContext): readonly DocumentLink[] {
  return itemsFormats
    .filter(({ isFile }) => isFile === true)
    .map(({ name, mediaType, title }) => ({
      rel: 'alternate',
      type: mediaType,
      title: `All features as ${title}`,
      href: `${address}${formatQuery(parameters, { ...noPosition, limit: undefined, f: name })}`,
    }));
}

function createCollectionLink(visit: FeaturesContext, type: PublishedType): DocumentLink {
  return { rel: 'collection', type: 'application/json', title: type.title, href: visit.formatCollectionUrl(type) };
}

function createFeatureCollection(page: ItemsPage): FeatureCollection {
  const { type, query } = page;
  return {
    sets: [
      {
        typeName: { prefix: type.prefix, uri: type.namespace, local: type.name },
        description: page.description,
        crs: selectWrittenCrs(type, query),
        // Read after the features.
        get numberMatched() {
          return page.numberMatched();
        },
        ...(page.numberReturned === undefined ? {} : { numberReturned: page.numberReturned }),
        batches: page.batches,
        ...(page.unshaped === undefined ? {} : { unshaped: page.unshaped }),
      },
    ],
    timeStamp: page.readAt,
    links: page.links,
    schemaLocations: [],
    options: { decimals: type.decimals ?? DECIMALS },
  };
}

function selectWrittenCrs({ crs }: PublishedType, { system }: Pick<ItemsQuery, 'system'>) {
  return system === undefined
    ? { reference: crs, isNorthFirst: false }
    : { reference: { code: system.code }, name: formatCrsUri(system), isNorthFirst: system.isNorthFirst };
}

/** A single feature with its description. */
export interface FoundItem {
  readonly type: PublishedType;
  readonly description: FeatureTypeDescription;
  readonly feature: Feature;
  readonly links: readonly DocumentLink[];
}

/** Answers the feature of the path. */
export async function createItemReply(
  visit: FeaturesContext,
  type: PublishedType,
  format: ItemsFormat,
  asPage: (found: FoundItem) => string,
): Promise<ServiceReply> {
  const id = visit.call.params.feature ?? '';
  const opened = await openCollection(visit, type);
  try {
    const shape = await readItemShape(visit.parameters, type, listSystems(type, visit.featureAccess.settings));
    // The tag is computed from all values, so that it is the same in every shape.
    const tag = computeFeatureTag((await getFeature(opened, {}, id)).feature);
    const { description, feature } = await getFeature(opened, shape, id);
    const links = [
      ...createSelfLinks(`${visit.formatCollectionUrl(type)}/items/${encodePathPart(id)}`, visit, itemFormats, format),
      createCollectionLink(visit, type),
    ];
    const etag = computeShapeTag(
      tag,
      formatQuery(visit.parameters, { f: format.output === undefined ? 'html' : undefined }),
    );
    const common = { ...createCrsHeaders(shape), ...selectMaxAge(type), etag };
    if (format.output === undefined) {
      const body = asPage({ type, description, feature, links });
      return { contentType: 'text/html; charset=utf-8', body, ...common };
    }
    const encoder = await outputFormats.geojson.load();
    const collection: FeatureCollection = {
      ...createFeatureCollection({
        type,
        description,
        query: { ...shape, limit: 1 },
        batches: iterateFeature(feature),
        readAt: visit.now(),
        numberMatched: () => undefined,
        links: () => links,
      }),
    };
    const body = await encoder.encodeFeature?.(collection, opened.signal);
    return { contentType: format.mediaType, body: body ?? '', ...common };
  } finally {
    opened.release();
  }
}

/** Reads a feature by id; throws a Problem if it does not exist. */
export async function getFeature(
  opened: OpenedType,
  shape: Pick<ItemsQuery, 'crs' | 'attributes'>,
  id: string,
): Promise<{ readonly description: FeatureTypeDescription; readonly feature: Feature }> {
  const { crs, attributes } = shape;
  const filter = { kind: 'identifiers', identifiers: [id] } as const;
  const query = {
    filter,
    limit: 1,
    ...(crs === undefined ? {} : { crs }),
    ...(attributes === undefined ? {} : { attributes }),
  };
  const answer = await queryFeatures(opened, query, opened.signal);
  for await (const [feature] of opened.withTimeout(answer.batches)) {
    if (feature !== undefined) {
      return { description: answer.description, feature };
    }
  }
  throw problem('feature-unknown', { id: excerpt(id) });
}

async function* iterateFeature(feature: Feature): AsyncGenerator<readonly Feature[]> {
  yield [feature];
}
