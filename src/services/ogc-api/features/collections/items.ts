/** Reads the features of a collection, page by page or as a file. */
import { createHash } from 'node:crypto';
import { mayContainLookup } from '../../../../filter/lookup/lookup-calls.ts';
import type { OutputFormat } from '../../../../formats/formats.ts';
import { encodeCollection } from '../../../../formats/in-thread/encode-collection.ts';
import type { ServiceReply } from '../../../../http/session/service-reply.ts';
import type { Feature } from '../../../../vector/port/port.ts';
import { countFeatures } from '../../../../vector/query/count-features.ts';
import { mapFeatures, queryFeatures } from '../../../../vector/query/query-features.ts';
import { type OpenedType, openType } from '../../../access/open-type.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import { formatContentDisposition } from '../../../ows/content-disposition.ts';
import { describeOmittedFeatures } from '../../../ows/omitted-features.ts';
import { readServiceSettings } from '../../../ows/service-settings.ts';
import { expandViewParameters } from '../../../ows/view-parameters.ts';
import { readParameter } from '../../common/parameters.ts';
import type { FeaturesContext } from './features-context.ts';
import type { ItemsFormat } from './item-formats.ts';
import { DEFAULT_LIMIT, itemParameters, itemsParameters, MAX_LIMIT } from './items-parameters.ts';
import { type ItemsQuery, type PageLimits, readItemsQuery } from './items-query.ts';
import { createPageLinks } from './page-links.ts';
import { CRS84, listSystems } from './systems.ts';
import { createCrsHeaders, createFeatureCollection, type ItemsPage } from './written-collection.ts';

/** Databases take about 250 ms to count this many features; larger results are not counted. */
const MAX_COUNTED = 1_000_000;

/** The maximum time that a page waits for the total count, even under load. */
const COUNT_TIMEOUT_MS = 5_000;

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
    const omitted =
      format.output?.omitsWithoutGeometry === true ? await describeOmittedFeatures(opened, query.filter) : undefined;
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
      ...(format.output.isPacked === true ? { isPacked: true } : {}),
      ...common,
      warnings: [cut?.warning, omitted].filter((each) => each !== undefined),
      headers: { ...common.headers, ...createDownloadHeaders(type, format.output, cut?.isCertain === true) },
    };
  } catch (error) {
    opened.release();
    throw error;
  }
}

export function openCollection({ call, parameters }: FeaturesContext, type: PublishedType): Promise<OpenedType> {
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

/** Uploaded files change with their store; changes of databases and of layers that the filter reads are unknown. */
function computeEtag(
  { call, root, parameters }: FeaturesContext,
  type: PublishedType,
  { name }: ItemsFormat,
): Pick<ServiceReply, 'etag'> {
  const filter = readParameter(parameters, itemsParameters.filter);
  if (type.records.store.fileSet === null || (filter !== undefined && mayContainLookup(filter))) {
    return {};
  }
  const identity = [type.state, root, type.qualifiedName, call.rawQuery, name].join(' ');
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

export function selectMaxAge({ maxAgeSeconds }: PublishedType): Pick<ServiceReply, 'maxAgeSeconds'> {
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
