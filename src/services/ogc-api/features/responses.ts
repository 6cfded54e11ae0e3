/** The responses of OGC API Features in the requested format. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import type { PublishedType } from '../../access/published-type.ts';
import { chooseFormat, type OfferedFormat } from '../common/formats.ts';
import { formatParameters, onlyFormat, type Parameters, readParameter, readParameters } from '../common/parameters.ts';
import { buildApiDocument, writeApiPage } from './api.ts';
import {
  apiFormats,
  buildCollectionsFrame,
  buildConformanceDocument,
  buildFunctionsDocument,
  buildLandingDocument,
  buildListedCollection,
  buildSingleCollectionDocument,
  functionsFormats,
  pageFormats,
  queryablesFormats,
} from './collections/documents.ts';
import {
  type FeaturesCall,
  type FeaturesContext,
  type FeaturesEnvironment,
  openFeaturesContext,
} from './collections/features-context.ts';
import { createItemReply } from './collections/item.ts';
import { itemFormats, itemsFormats } from './collections/item-formats.ts';
import { createItemsReply } from './collections/items.ts';
import { itemNames, itemsNames } from './collections/items-parameters.ts';
import { listQueryableNames } from './collections/items-query.ts';
import { buildQueryablesDocument } from './collections/queryables.ts';
import { loadTimeExtents } from './collections/time-extent.ts';
import {
  writeCollectionPage,
  writeCollectionsPage,
  writeConformancePage,
  writeLandingPage,
  writeQueryablesPage,
} from './pages/documents.ts';
import { createPageReply, withMapPolicy } from './pages/frame.ts';
import { writeItemPage, writeItemsPage } from './pages/items.ts';

export async function landing(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', pageFormats);
  return chosen.name === 'html'
    ? createPageReply(writeLandingPage(visit, await visit.featureAccess.list()))
    : createJsonReply(chosen, buildLandingDocument(visit, chosen));
}

export async function conformance(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', pageFormats);
  return chosen.name === 'html'
    ? createPageReply(writeConformancePage(visit))
    : createJsonReply(chosen, buildConformanceDocument(visit, chosen));
}

export async function functions(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', functionsFormats);
  return createJsonReply(chosen, buildFunctionsDocument(visit, chosen));
}

export async function api(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', apiFormats);
  return chosen.name === 'html'
    ? createPageReply(writeApiPage(visit))
    : createJsonReply(chosen, buildApiDocument(visit));
}

export async function collections(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'GetCapabilities', pageFormats);
  const types = await visit.featureAccess.list();
  return chosen.name === 'html'
    ? createPageReply(writeCollectionsPage(visit, types))
    : createCollectionsReply(visit, types, chosen);
}

/** Longer lists are streamed without an ETag: buffering or hashing them would block other requests. */
const MAX_BUFFERED_COLLECTIONS = 200;

async function createCollectionsReply(
  visit: FeaturesContext,
  types: readonly PublishedType[],
  chosen: OfferedFormat,
): Promise<ServiceReply> {
  const times = await loadTimeExtents(visit, types);
  const frame = buildCollectionsFrame(visit, chosen);
  if (types.length <= MAX_BUFFERED_COLLECTIONS) {
    return createJsonReply(chosen, {
      ...frame,
      collections: types.map((type) => buildListedCollection(visit, type, times)),
    });
  }
  const writeCollections = async function* (): AsyncGenerator<string> {
    let before = `${JSON.stringify(frame).slice(0, -1)},"collections":[`;
    for (const type of types) {
      yield `${before}${JSON.stringify(buildListedCollection(visit, type, times))}`;
      before = ',';
      const others = yieldIfDue();
      if (others !== undefined) await others;
    }
    yield ']}';
  };
  return { contentType: chosen.mediaType, body: writeCollections() };
}

export async function collection(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'DescribeFeatureType', pageFormats);
  const type = await getDescribedCollection(visit);
  return chosen.name === 'html'
    ? withMapPolicy(createPageReply(writeCollectionPage(visit, type)))
    : createJsonReply(chosen, buildSingleCollectionDocument(visit, type, await loadTimeExtents(visit, [type]), chosen));
}

export async function queryables(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  const { visit, chosen } = await prepareDocument(call, world, 'DescribeFeatureType', queryablesFormats);
  const type = await getDescribedCollection(visit);
  const document = buildQueryablesDocument(visit, type);
  return chosen.name === 'html'
    ? createPageReply(writeQueryablesPage(visit, type, document.properties))
    : createJsonReply(chosen, document);
}

export async function items(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  const { visit: found, type } = await getReadableCollection(call, world, noParameters);
  // The attributes, which are parameters too, are known only now.
  const parameters = readParameters(call.rawQuery, new Set([...itemsNames, ...listQueryableNames(type)]));
  const visit = { ...found, parameters };
  const format = chooseFormat(itemsFormats, readParameter(parameters, formatParameters.f), call.headers);
  const reply = await createItemsReply(visit, type, format, (page) => writeItemsPage(visit, page));
  return format.output === undefined ? withMapPolicy(reply) : reply;
}

export async function item(call: FeaturesCall, world: FeaturesEnvironment): Promise<ServiceReply> {
  const parameters = readParameters(call.rawQuery, itemNames);
  const { visit, type } = await getReadableCollection(call, world, parameters);
  const format = chooseFormat(itemFormats, readParameter(parameters, formatParameters.f), call.headers);
  const reply = await createItemReply(visit, type, format, (found) => writeItemPage(visit, found));
  return format.output === undefined ? withMapPolicy(reply) : reply;
}

const noParameters: Parameters = { get: () => undefined, all: [] };

/** Prepares a document whose only parameter is the format. */
async function prepareDocument<F extends OfferedFormat>(
  call: FeaturesCall,
  world: FeaturesEnvironment,
  operation: 'GetCapabilities' | 'DescribeFeatureType',
  formats: readonly F[],
): Promise<{ readonly visit: FeaturesContext; readonly chosen: F }> {
  const parameters = readParameters(call.rawQuery, onlyFormat);
  const visit = await openFeaturesContext(call, world, operation, parameters);
  return { visit, chosen: chooseFormat(formats, readParameter(parameters, formatParameters.f), call.headers) };
}

function getDescribedCollection(visit: FeaturesContext): Promise<PublishedType> {
  return visit.getCollection(visit.call.params.collection ?? '', 'description');
}

async function getReadableCollection(
  call: FeaturesCall,
  world: FeaturesEnvironment,
  parameters: Parameters,
): Promise<{ readonly visit: FeaturesContext; readonly type: PublishedType }> {
  const visit = await openFeaturesContext(call, world, 'GetFeature', parameters);
  return { visit, type: await visit.getCollection(call.params.collection ?? '', 'read') };
}

function createJsonReply({ mediaType }: OfferedFormat, document: object): ServiceReply {
  return { contentType: mediaType, body: JSON.stringify(document) };
}
