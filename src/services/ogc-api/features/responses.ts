/** What OGC API Features answers at each of its addresses, in the format that is asked for. */
import type { ServiceReply } from '../../../http/service-reply.ts';
import { turn } from '../../../lib/pace.ts';
import type { PublishedType } from '../../door/published-type.ts';
import { chooseFormat, type OfferedFormat } from '../common/formats.ts';
import { type Parameters, readParameters } from '../common/parameters.ts';
import { apiDocument, apiPage } from './api.ts';
import {
  apiFormats,
  collectionsFrame,
  conformanceDocument,
  landingDocument,
  listedCollection,
  pageFormats,
  queryablesFormats,
  singleCollectionDocument,
} from './documents.ts';
import { itemFormats, itemsFormats } from './item-formats.ts';
import { itemReply, itemsReply } from './items.ts';
import { itemParameters, itemsParameters, queryableNames } from './items-query.ts';
import { collectionPage, collectionsPage, conformancePage, landingPage, queryablesPage } from './pages/documents.ts';
import { pageReply, withMapPolicy } from './pages/frame.ts';
import { itemPage, itemsPage } from './pages/items.ts';
import { queryablesDocument } from './queryables.ts';
import { timeExtents } from './time-extent.ts';
import { type FeaturesCall, type FeaturesVisit, type FeaturesWorld, visitFeatures } from './visit.ts';

const onlyFormat: ReadonlySet<string> = new Set(['f']);

export async function landing(call: FeaturesCall, world: FeaturesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetCapabilities', pageFormats);
  return chosen.name === 'html'
    ? pageReply(landingPage(visit, await visit.door.list()))
    : jsonReply(chosen, landingDocument(visit, chosen));
}

export async function conformance(call: FeaturesCall, world: FeaturesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetCapabilities', pageFormats);
  return chosen.name === 'html'
    ? pageReply(conformancePage(visit))
    : jsonReply(chosen, conformanceDocument(visit, chosen));
}

export async function api(call: FeaturesCall, world: FeaturesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetCapabilities', apiFormats);
  return chosen.name === 'html' ? pageReply(apiPage(visit)) : jsonReply(chosen, apiDocument(visit));
}

export async function collections(call: FeaturesCall, world: FeaturesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'GetCapabilities', pageFormats);
  const types = await visit.door.list();
  return chosen.name === 'html' ? pageReply(collectionsPage(visit, types)) : collectionsReply(visit, types, chosen);
}

/** Longer lists are made while they are sent, and have no tag: hashing or holding all of one would stop other requests. */
const WHOLE_COLLECTIONS = 200;

async function collectionsReply(
  visit: FeaturesVisit,
  types: readonly PublishedType[],
  chosen: OfferedFormat,
): Promise<ServiceReply> {
  const times = await timeExtents(visit, types);
  const frame = collectionsFrame(visit, chosen);
  if (types.length <= WHOLE_COLLECTIONS) {
    return jsonReply(chosen, { ...frame, collections: types.map((type) => listedCollection(visit, type, times)) });
  }
  const pieces = async function* (): AsyncGenerator<string> {
    let before = `${JSON.stringify(frame).slice(0, -1)},"collections":[`;
    for (const type of types) {
      yield `${before}${JSON.stringify(listedCollection(visit, type, times))}`;
      before = ',';
      const others = turn();
      if (others !== undefined) await others;
    }
    yield ']}';
  };
  return { contentType: chosen.mediaType, body: pieces() };
}

export async function collection(call: FeaturesCall, world: FeaturesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'DescribeFeatureType', pageFormats);
  const type = await described(visit);
  return chosen.name === 'html'
    ? withMapPolicy(pageReply(collectionPage(visit, type)))
    : jsonReply(chosen, singleCollectionDocument(visit, type, await timeExtents(visit, [type]), chosen));
}

export async function queryables(call: FeaturesCall, world: FeaturesWorld): Promise<ServiceReply> {
  const { visit, chosen } = await ask(call, world, 'DescribeFeatureType', queryablesFormats);
  const type = await described(visit);
  const document = queryablesDocument(visit, type);
  return chosen.name === 'html'
    ? pageReply(queryablesPage(visit, type, document.properties))
    : jsonReply(chosen, document);
}

export async function items(call: FeaturesCall, world: FeaturesWorld): Promise<ServiceReply> {
  const { visit: found, type } = await readable(call, world, unread);
  // Only now it is known which attributes there are to be asked for.
  const parameters = readParameters(call.rawQuery, new Set([...itemsParameters, ...queryableNames(type)]));
  const visit = { ...found, parameters };
  const format = chooseFormat(itemsFormats, parameters.get('f'), call.headers);
  const reply = await itemsReply(visit, type, format, (page) => itemsPage(visit, page));
  return format.output === undefined ? withMapPolicy(reply) : reply;
}

export async function item(call: FeaturesCall, world: FeaturesWorld): Promise<ServiceReply> {
  const parameters = readParameters(call.rawQuery, new Set(itemParameters));
  const { visit, type } = await readable(call, world, parameters);
  const format = chooseFormat(itemFormats, parameters.get('f'), call.headers);
  const reply = await itemReply(visit, type, call.params.feature ?? '', format, (found) => itemPage(visit, found));
  return format.output === undefined ? withMapPolicy(reply) : reply;
}

const unread: Parameters = { get: () => undefined, all: [] };

/** A document of which nothing but the format can be chosen. */
async function ask<F extends OfferedFormat>(
  call: FeaturesCall,
  world: FeaturesWorld,
  operation: 'GetCapabilities' | 'DescribeFeatureType',
  formats: readonly F[],
): Promise<{ readonly visit: FeaturesVisit; readonly chosen: F }> {
  const parameters = readParameters(call.rawQuery, onlyFormat);
  const visit = await visitFeatures(call, world, operation, parameters);
  return { visit, chosen: chooseFormat(formats, parameters.get('f'), call.headers) };
}

function described(visit: FeaturesVisit): Promise<PublishedType> {
  return visit.collection(visit.call.params.collection ?? '', 'description');
}

async function readable(
  call: FeaturesCall,
  world: FeaturesWorld,
  parameters: Parameters,
): Promise<{ readonly visit: FeaturesVisit; readonly type: PublishedType }> {
  const visit = await visitFeatures(call, world, 'GetFeature', parameters);
  return { visit, type: await visit.collection(call.params.collection ?? '', 'read') };
}

function jsonReply({ mediaType }: OfferedFormat, document: object): ServiceReply {
  return { contentType: mediaType, body: JSON.stringify(document) };
}
