/** GetFeature of a join: returns combinations of features of several types. */
import { encodeCollection } from '../../../formats/in-thread/encode-collection.ts';
import type { FeatureSet, TupleMember } from '../../../formats/port/port.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { type JoinedFeatures, joinFeatures } from '../../../vector/join/join-features.ts';
import { createJoinSize, type JoinSize } from '../../../vector/join/join-size.ts';
import type { Attribute, Feature } from '../../../vector/port/port.ts';
import { checkSort, queryFeatures } from '../../../vector/query/query-features.ts';
import { sortFeatures } from '../../../vector/query/sort-features.ts';
import type { WfsContext } from '../context/context.ts';
import type { GetFeatureRequest, RequestedQuery } from '../request/request.ts';
import {
  createEncodingOptions,
  createPageLinks,
  createReplyHead,
  listSchemaLocations,
  writeHits,
} from './get-feature.ts';
import { formatPath, type OpenedJoin, type OpenedMember, openJoin } from './open-join.ts';
import { selectOutputFormat, type WfsFormat } from './output-formats.ts';

/** The features of each type that match its own conditions; all of them are in memory. */
const MAX_FEATURES_OF_TYPE = 100_000;

export async function getJoinedFeatures(context: WfsContext, request: GetFeatureRequest): Promise<ServiceReply> {
  const format = selectOutputFormat(request.version, request.outputFormat, context.settings);
  const query = requireOnlyQuery(request);
  if (format.format.supportsJoins !== true) {
    throw problem('ows-option-unsupported', {
      what: `A join as ${format.names[0]}`,
      instead: 'use application/gml+xml; version=3.2, application/json, csv or xlsx, or query each type separately',
      field: 'outputFormat',
    });
  }
  const { places, maxBytes } = context.services.joins;
  // The rows are in memory until the response is sent.
  const permit = await places.acquire({ signal: context.signal });
  let join: OpenedJoin | undefined;
  const release = (): void => {
    for (const { opened } of join?.members ?? []) opened.release();
    permit.release();
  };
  try {
    join = await openJoin(context, request.version, query, format);
    const rows = await readRows(join, createJoinSize(maxBytes), context.signal);
    const reply =
      request.resultType === 'hits'
        ? createHitsReply(context, request, rows.length)
        : await createRowsReply(context, request, { join, rows, format });
    return { ...reply, release };
  } catch (error) {
    release();
    throw error;
  }
}

function requireOnlyQuery({ queries }: GetFeatureRequest): RequestedQuery {
  const [query, ...others] = queries;
  if (query !== undefined && others.length === 0) return query;
  throw problem('ows-option-unsupported', {
    what: 'A join together with other queries',
    instead: 'send a separate request for each',
    field: 'typeNames',
  });
}

async function readRows(join: OpenedJoin, size: JoinSize, signal: AbortSignal): Promise<readonly Feature[]> {
  const [first, ...others] = join.members;
  if (first === undefined) return [];
  const attributes = listJoinAttributes(join);
  checkSort({ name: 'the join', attributes }, join);
  const parts: [JoinedFeatures, ...JoinedFeatures[]] = [await readMember(first, join, size)];
  for (const member of others) parts.push(await readMember(member, join, size));
  const { conditions, sort } = join;
  const rows = await joinFeatures(parts, { conditions, runner: first.opened.filterRunner, size, signal });
  if (sort.length === 0) return rows;
  const sorted: Feature[] = [];
  for await (const batch of sortFeatures(toBatches(rows), { attributes, keys: sort, first: rows.length })) {
    for (const row of batch) sorted.push(row);
  }
  return sorted;
}

/** The attributes of all types as conditions name them, each type with an id before. */
function listJoinAttributes({ members }: OpenedJoin): readonly Attribute[] {
  return members.flatMap(({ alias, opened }) => [
    createIdAttribute(''),
    ...opened.description.attributes.map((attribute) => ({ ...attribute, name: formatPath(alias, attribute.name) })),
  ]);
}

function createIdAttribute(name: string): Attribute {
  return { kind: 'value', type: 'string', name, nillable: false };
}

/** Data rules and the filter of the layer apply, because the type is read as in other queries. */
async function readMember(
  { alias, opened, filter }: OpenedMember,
  { crs }: OpenedJoin,
  size: JoinSize,
): Promise<JoinedFeatures> {
  const { description, batches } = await queryFeatures(
    opened,
    {
      limit: MAX_FEATURES_OF_TYPE + 1,
      ...(filter === undefined ? {} : { filter }),
      ...(crs.name === undefined ? {} : { crs: crs.reference }),
    },
    opened.signal,
  );
  const features: Feature[] = [];
  for await (const batch of opened.withTimeout(batches)) {
    for (const feature of batch) features.push(feature);
    size.addFeatures(batch);
    if (features.length > MAX_FEATURES_OF_TYPE) {
      throw problem('wfs-join-too-large', { what: 'features of a type', most: MAX_FEATURES_OF_TYPE, field: 'filter' });
    }
  }
  return { names: description.attributes.map(({ name }) => formatPath(alias, name)), features };
}

function createHitsReply(context: WfsContext, request: GetFeatureRequest, matched: number): ServiceReply {
  return {
    contentType: 'text/xml;charset=utf-8',
    body: writeHits({
      version: request.version,
      matched,
      timeStamp: context.now(),
      links: createPageLinks(context, { ...request, startIndex: 0 }, { count: 0, hasNext: matched > 0 }),
    }),
  };
}

interface JoinResult {
  readonly join: OpenedJoin;
  readonly rows: readonly Feature[];
  readonly format: WfsFormat;
}

async function createRowsReply(
  context: WfsContext,
  request: GetFeatureRequest,
  { join, rows, format }: JoinResult,
): Promise<ServiceReply> {
  const { startIndex = 0, count } = request;
  const limit = Math.min(count ?? Number.POSITIVE_INFINITY, context.settings.maxFeatures);
  const page = rows.slice(startIndex, startIndex + limit);
  const types = join.members.map(({ opened }) => opened.published);
  const hasNext = limit > 0 && startIndex + limit < rows.length;
  const collection = {
    sets: [createSet(join, page, rows.length)],
    timeStamp: context.now(),
    schemaLocations: await listSchemaLocations(context, request, join.members, format),
    options: createEncodingOptions(context, request, types),
    links: () => createPageLinks(context, request, { count: limit, hasNext }),
  };
  return {
    ...createReplyHead(request, join.members, format),
    body: encodeCollection(format.format, collection, context.services.encoding, context.signal),
  };
}

function createSet({ members, crs }: OpenedJoin, page: readonly Feature[], matched: number): FeatureSet {
  const tuple: TupleMember[] = [];
  const columns: Attribute[] = [];
  // The positions of the returned values in a row.
  const places: number[] = [];
  let start = 0;
  for (const { alias, opened, attributes: wanted } of members) {
    const { description, published } = opened;
    const { attributes } = description;
    const isWanted = ({ name }: Attribute): boolean => wanted?.includes(name) ?? true;
    const chosen = attributes.filter(isWanted);
    const typeName = { prefix: published.prefix, uri: published.namespace, local: published.name };
    tuple.push({ typeName, description: { name: description.name, attributes: chosen }, crs, start: places.length });
    const first = start + 1;
    places.push(start, ...attributes.flatMap((each, index) => (isWanted(each) ? [first + index] : [])));
    columns.push(createIdAttribute(formatColumn(alias, chooseIdName(chosen))));
    columns.push(...chosen.map((each) => ({ ...each, name: formatColumn(alias, each.name) })));
    start += 1 + attributes.length;
  }
  const [first] = members;
  if (first === undefined || tuple[0] === undefined) throw new Error('A join has no types');
  const { name, defaultGeometry: geometry } = first.opened.description;
  return {
    typeName: tuple[0].typeName,
    description: {
      name,
      attributes: columns,
      ...(geometry === undefined ? {} : { defaultGeometry: formatColumn(first.alias, geometry) }),
    },
    crs,
    tuple,
    numberMatched: matched,
    numberReturned: page.length,
    batches: toBatches(page.map(({ id, values }) => ({ id, values: places.map((place) => values[place] ?? null) }))),
  };
}

/** The name of an attribute in flat formats. */
function formatColumn(alias: string, name: string): string {
  return `${alias}.${name}`;
}

function chooseIdName(attributes: readonly Attribute[]): string {
  let name = 'FID';
  while (attributes.some((each) => each.name === name)) name += '_';
  return name;
}

const BATCH_ROWS = 1_000;

async function* toBatches(rows: readonly Feature[]): AsyncGenerator<readonly Feature[]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS);
}
