/** The documents of OGC API Maps: landing page, conformance, API definition, collections and styles. */
import { formatStyleName, type MapStyle } from '../../access/map-styles.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import type { OfferedFormat } from '../common/formats.ts';
import { encodePathPart, type Link } from '../common/link.ts';
import { describeParameter, formatParameters, formatQuery } from '../common/parameters.ts';
import { type CollectionPage, collectionsParameters } from './collection-page.ts';
import { mapParameters } from './map-parameters.ts';
import type { MapsContext } from './maps-context.ts';
import { mapsPaths } from './paths.ts';
import { STYLESHEET_TYPE } from './stylesheet.ts';

const JSON_TYPE = 'application/json';
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const formatRelation = (name: string) => `http://www.opengis.net/def/rel/ogc/1.0/${name}`;

export const mapFormats = [
  { name: 'png', mediaType: 'image/png', title: 'PNG' },
  { name: 'jpeg', aliases: ['jpg'], mediaType: 'image/jpeg', title: 'JPEG' },
  { name: 'webp', mediaType: 'image/webp', title: 'WebP' },
] as const satisfies readonly OfferedFormat[];

/** Each of these conformance classes is covered by a test. */
const conformsTo: readonly string[] = [
  ...['core', 'landing-page', 'json', 'oas30'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/${name}`,
  ),
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  ...['core', 'collection-map', 'styled-map', 'background', 'scaling', 'spatial-subsetting', 'crs', 'png', 'jpeg'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/${name}`,
  ),
];

export function buildLandingDocument({ root, mapAccess }: MapsContext) {
  const inWorkspace = mapAccess.workspace === undefined ? '' : ` of ${mapAccess.workspace.name}`;
  const links: readonly Link[] = [
    { rel: 'self', type: JSON_TYPE, title: 'This document', href: root },
    {
      rel: 'service-desc',
      type: 'application/vnd.oai.openapi+json;version=3.0',
      title: 'The API definition',
      href: `${root}/api`,
    },
    { rel: 'conformance', type: JSON_TYPE, title: 'The conformance classes', href: `${root}/conformance` },
    { rel: 'data', type: JSON_TYPE, title: 'The collections', href: `${root}/collections` },
  ];
  return { title: `Maps${inWorkspace}`, description: 'Maps of collections.', links };
}

export function buildConformanceDocument({ root }: MapsContext) {
  return { links: [{ rel: 'self', type: JSON_TYPE, href: `${root}/conformance` }], conformsTo };
}

export function buildCollectionsDocument(visit: MapsContext, { maps, next }: CollectionPage) {
  const address = `${visit.root}/collections`;
  const formatPage = (after: string) => `${address}${formatQuery(visit.parameters, { after })}`;
  return {
    links: [
      { rel: 'self', type: JSON_TYPE, href: `${address}${formatQuery(visit.parameters, { f: undefined })}` },
      ...(next === undefined ? [] : [{ rel: 'next', type: JSON_TYPE, title: 'Next page', href: formatPage(next) }]),
    ],
    collections: maps.map((each) => buildCollectionDocument(visit, each)),
  };
}

export function buildCollectionDocument(visit: MapsContext, map: PublishedMap) {
  const address = visit.formatCollectionUrl(map);
  const { title, abstract, latLonBounds: box } = map;
  return {
    id: visit.getCollectionId(map),
    title,
    ...(abstract === '' ? {} : { description: abstract }),
    links: [
      { rel: 'self', type: JSON_TYPE, title, href: address },
      ...createMapLinks(`${address}/map`),
      { rel: formatRelation('styles'), type: JSON_TYPE, title: 'The styles', href: `${address}/styles` },
    ],
    ...(box === null ? {} : { extent: { spatial: { bbox: [[box.minX, box.minY, box.maxX, box.maxY]], crs: CRS84 } } }),
    crs: [CRS84, 'http://www.opengis.net/def/crs/EPSG/0/3857', 'http://www.opengis.net/def/crs/EPSG/0/4326'],
  };
}

function createMapLinks(address: string): readonly Link[] {
  return mapFormats.map(({ name, mediaType, title }) => ({
    rel: formatRelation('map'),
    type: mediaType,
    title: `A map as ${title}`,
    href: `${address}?f=${name}`,
  }));
}

/** Lists the default style first. */
export function buildStylesDocument(
  visit: MapsContext,
  map: PublishedMap,
  styles: readonly { readonly id: string; readonly title: string }[],
) {
  const address = `${visit.formatCollectionUrl(map)}/styles`;
  return {
    links: [{ rel: 'self', type: JSON_TYPE, href: address }],
    ...(styles[0] === undefined ? {} : { default: styles[0].id }),
    styles: styles.map(({ id, title }) => ({
      id,
      title,
      links: [
        { rel: 'stylesheet', type: STYLESHEET_TYPE, title: 'MapLibre style', href: `${address}/${encodePathPart(id)}` },
        ...createMapLinks(`${address}/${encodePathPart(id)}/map`),
      ],
    })),
  };
}

export function toListedStyle(style: MapStyle) {
  return { id: formatStyleName(style), title: style.style.name };
}

const variables = {
  collection: 'The name of a collection.',
  style: 'The name of a style of the collection.',
} as const;

export function buildApiDocument({ root, mapAccess }: MapsContext) {
  const inWorkspace = mapAccess.workspace === undefined ? '' : ` of ${mapAccess.workspace.name}`;
  return {
    openapi: '3.0.3',
    info: { title: `Maps${inWorkspace}`, version: '1.0.0', description: 'Maps of collections.' },
    servers: [{ url: root }],
    paths: Object.fromEntries(
      mapsPaths.map(([path, summary, name]) => [
        path === '' ? '/' : path.replaceAll(/:(\w+)/g, '{$1}'),
        { get: buildOperation(path, summary, name) },
      ]),
    ),
    components: {
      schemas: {
        Problem: {
          type: 'object',
          properties: { type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' } },
        },
      },
    },
  };
}

function buildOperation(path: string, summary: string, name: string) {
  const isMap = name === 'map' || name === 'styledMap';
  const text = { type: 'string' };
  const names = [...path.matchAll(/:(\w+)/g)].map(([, each = '']) => each);
  const binary = { schema: { type: 'string', format: 'binary' } };
  return {
    operationId: name,
    summary,
    tags: ['Maps'],
    parameters: [
      ...names.map((each) => ({
        name: each,
        in: 'path',
        required: true,
        description: variables[each as keyof typeof variables],
        schema: text,
      })),
      ...Object.values(isMap ? mapParameters : name === 'collections' ? collectionsParameters : formatParameters).map(
        describeParameter,
      ),
    ],
    responses: {
      200: {
        description: summary,
        content: isMap
          ? Object.fromEntries(mapFormats.map(({ mediaType }) => [mediaType, binary]))
          : { [JSON_TYPE]: { schema: { type: 'object' } } },
      },
      default: {
        description: 'A problem document that describes the error.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}
