/** The landing page, conformance declaration and collections of OGC API Features, as JSON trees. */
import { type FunctionDescription, functionTable } from '../../../../filter/evaluate/evaluate.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import type { OfferedFormat } from '../../common/formats.ts';
import type { Link } from '../../common/link.ts';
import { formatQuery } from '../../common/parameters.ts';
import type { FeaturesContext } from './features-context.ts';
import { itemsFormats } from './item-formats.ts';
import { CRS84, findStorageSystem, listSystems } from './systems.ts';
import type { TimeExtent } from './time-extent.ts';

export const pageFormats = [
  { name: 'json', mediaType: 'application/json', title: 'JSON' },
  { name: 'html', mediaType: 'text/html', title: 'HTML' },
] as const satisfies readonly OfferedFormat[];

export const queryablesFormats = [
  { name: 'json', mediaType: 'application/schema+json', title: 'JSON Schema' },
  { name: 'html', mediaType: 'text/html', title: 'HTML' },
] as const satisfies readonly OfferedFormat[];

export const functionsFormats = [
  { name: 'json', mediaType: 'application/json', title: 'JSON' },
] as const satisfies readonly OfferedFormat[];

export const apiFormats = [
  { name: 'json', mediaType: 'application/vnd.oai.openapi+json;version=3.0', title: 'OpenAPI 3.0' },
  { name: 'html', mediaType: 'text/html', title: 'HTML' },
] as const satisfies readonly OfferedFormat[];

/** Each of these conformance classes is covered by a test. */
export const conformsTo: readonly string[] = [
  ...['core', 'oas30', 'html', 'geojson'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`,
  ),
  'http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs',
  ...['queryables', 'queryables-query-parameters', 'filter', 'features-filter'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/${name}`,
  ),
  ...['create-replace-delete', 'update', 'features', 'optimistic-locking-etags'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/${name}`,
  ),
  ...[
    'cql2-text',
    'cql2-json',
    'basic-cql2',
    'advanced-comparison-operators',
    'case-insensitive-comparison',
    'accent-insensitive-comparison',
    'basic-spatial-functions',
    'basic-spatial-functions-plus',
    'spatial-functions',
    'temporal-functions',
    'property-property',
    'arithmetic',
    'functions',
  ].map((name) => `http://www.opengis.net/spec/cql2/1.0/conf/${name}`),
];

/** Links to this resource and to its other formats. */
export function createSelfLinks(
  address: string,
  { parameters }: Pick<FeaturesContext, 'parameters'>,
  formats: readonly OfferedFormat[],
  chosen: OfferedFormat,
): readonly Link[] {
  return formats.map((format) => {
    const isSelf = format.name === chosen.name;
    return {
      rel: isSelf ? 'self' : 'alternate',
      type: format.mediaType,
      title: isSelf ? 'This document' : `This document as ${format.title}`,
      href: `${address}${formatQuery(parameters, { f: format.name })}`,
    };
  });
}

export interface ServiceTitle {
  readonly title: string;
  readonly description: string;
}

/** Reads the title and description from the WFS settings. */
export function readServiceTitle({ featureAccess }: FeaturesContext): ServiceTitle {
  const { title, abstrct } = featureAccess.settings;
  const inWorkspace = featureAccess.workspace === undefined ? '' : ` of ${featureAccess.workspace.name}`;
  return {
    title: typeof title === 'string' && title !== '' ? title : `Features${inWorkspace}`,
    description: typeof abstrct === 'string' ? abstrct : '',
  };
}

export function buildLandingDocument(visit: FeaturesContext, chosen: OfferedFormat) {
  const { root } = visit;
  const [apiJson, apiHtml] = apiFormats;
  const links: readonly Link[] = [
    ...createSelfLinks(root, visit, pageFormats, chosen),
    { rel: 'service-desc', type: apiJson.mediaType, title: 'The API definition', href: `${root}/api?f=json` },
    { rel: 'service-doc', type: apiHtml.mediaType, title: 'The API definition as a page', href: `${root}/api?f=html` },
    { rel: 'conformance', type: 'application/json', title: 'The conformance classes', href: `${root}/conformance` },
    {
      rel: 'http://www.opengis.net/def/rel/ogc/1.0/functions',
      type: 'application/json',
      title: 'The functions of filters',
      href: `${root}/functions`,
    },
    { rel: 'data', type: 'application/json', title: 'The collections', href: `${root}/collections` },
    {
      rel: 'http://www.opengis.net/def/rel/ogc/1.0/conformance',
      type: 'application/json',
      href: `${root}/conformance`,
    },
    { rel: 'http://www.opengis.net/def/rel/ogc/1.0/data', type: 'application/json', href: `${root}/collections` },
  ];
  return { ...readServiceTitle(visit), links };
}

export function buildConformanceDocument(visit: FeaturesContext, chosen: OfferedFormat) {
  return { links: createSelfLinks(`${visit.root}/conformance`, visit, pageFormats, chosen), conformsTo };
}

const functionTypes: Readonly<Record<FunctionDescription['result'], readonly string[]>> = {
  any: ['string', 'number', 'boolean'],
  text: ['string'],
  number: ['number'],
  boolean: ['boolean'],
  time: ['datetime'],
  geometry: ['geometry'],
};

/** The functions resource of OGC API Features, part 3. */
export function buildFunctionsDocument(visit: FeaturesContext, chosen: OfferedFormat) {
  return {
    links: createSelfLinks(`${visit.root}/functions`, visit, functionsFormats, chosen),
    functions: functionTable.map(({ name, description, arguments: given, result }) => ({
      name,
      description,
      arguments: given.map((each) => ({ title: each.name, type: functionTypes[each.type] })),
      returns: functionTypes[result],
    })),
  };
}

const GREGORIAN = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian';

/** Contains only the collections whose time extent is known. */
type TimeExtents = ReadonlyMap<PublishedType, TimeExtent>;

/** Builds a collection without links to its own document. */
export function buildCollectionDocument(visit: FeaturesContext, type: PublishedType, times: TimeExtents) {
  const address = visit.formatCollectionUrl(type);
  const box = type.latLonBounds;
  const storage = findStorageSystem(type);
  const time = times.get(type);
  const links: readonly Link[] = [
    ...itemsFormats.map((format) => ({
      rel: 'items',
      type: format.mediaType,
      title: `The features of ${type.title} as ${format.title}`,
      href: `${address}/items?f=${format.name}`,
    })),
    ...queryablesFormats.map((format) => ({
      rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables',
      type: format.mediaType,
      title: `The queryables of ${type.title} as ${format.title}`,
      href: `${address}/queryables?f=${format.name}`,
    })),
    ...type.links.flatMap(({ content, type: mediaType, about }) =>
      content === null || !/^https?:/.test(content)
        ? []
        : [
            {
              rel: 'describedby',
              href: content,
              ...(mediaType === null ? {} : { type: mediaType }),
              title: about ?? 'Metadata',
            },
          ],
    ),
  ];
  return {
    id: visit.getCollectionId(type),
    title: type.title,
    ...(type.abstract === '' ? {} : { description: type.abstract }),
    ...(type.keywords.length === 0 ? {} : { keywords: type.keywords }),
    links,
    extent: {
      ...(box === null ? {} : { spatial: { bbox: [[box.minX, box.minY, box.maxX, box.maxY]], crs: CRS84 } }),
      ...(time === undefined ? {} : { temporal: { interval: [time], trs: GREGORIAN } }),
    },
    itemType: 'feature',
    crs: listSystems(type, visit.featureAccess.settings),
    ...(storage === undefined ? {} : { storageCrs: storage }),
  };
}

export function buildSingleCollectionDocument(
  visit: FeaturesContext,
  type: PublishedType,
  times: TimeExtents,
  chosen: OfferedFormat,
) {
  const { links, ...rest } = buildCollectionDocument(visit, type, times);
  return {
    ...rest,
    links: [...createSelfLinks(visit.formatCollectionUrl(type), visit, pageFormats, chosen), ...links],
  };
}

/** Builds the list of collections without the collections themselves. */
export function buildCollectionsFrame(visit: FeaturesContext, chosen: OfferedFormat) {
  return { links: createSelfLinks(`${visit.root}/collections`, visit, pageFormats, chosen), crs: [CRS84] };
}

/** Builds an entry of the list of collections. */
export function buildListedCollection(visit: FeaturesContext, type: PublishedType, times: TimeExtents) {
  const { links, ...rest } = buildCollectionDocument(visit, type, times);
  const self = { rel: 'self', type: 'application/json', title: type.title, href: visit.formatCollectionUrl(type) };
  return { ...rest, links: [self, ...links] };
}
