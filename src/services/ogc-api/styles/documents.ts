/** The documents of OGC API Styles: landing page, conformance, API definition, styles and their metadata. */
import { listStyledLayers, type PublishedMap } from '../../access/published-map.ts';
import type { OfferedFormat } from '../common/formats.ts';
import { encodePathPart, type Link } from '../common/link.ts';
import { describeParameter, formatParameters } from '../common/parameters.ts';
import type { MapsContext } from '../maps/maps-context.ts';
import { STYLESHEET_TYPE } from '../maps/stylesheet.ts';
import { stylesPaths } from './paths.ts';

const JSON_TYPE = 'application/json';

export interface StyleEncoding extends OfferedFormat {
  readonly specification: string;
  readonly version: string;
}

/** A MapLibre style is the default: browsers can use it without parameters. */
export const styleEncodings = [
  {
    name: 'mbs',
    aliases: ['mapbox', 'mbstyle'],
    mediaType: STYLESHEET_TYPE,
    title: 'MapLibre style',
    specification: 'https://maplibre.org/maplibre-style-spec/',
    version: '8',
  },
  {
    name: 'sld10',
    aliases: ['sld'],
    mediaType: 'application/vnd.ogc.sld+xml;version=1.0',
    title: 'SLD 1.0',
    specification: 'http://www.opengis.net/doc/IS/sld/1.0',
    version: '1.0.0',
  },
  {
    name: 'sld11',
    mediaType: 'application/vnd.ogc.sld+xml;version=1.1',
    title: 'SLD 1.1',
    specification: 'http://www.opengis.net/doc/IS/sld/1.1',
    version: '1.1.0',
  },
] as const satisfies readonly StyleEncoding[];

/** Each of these conformance classes is covered by a test. */
const conformsTo: readonly string[] = [
  ...['core', 'landing-page', 'json', 'oas30'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/${name}`,
  ),
  ...['core', 'mapbox-style', 'sld-10', 'sld-11'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-styles-1/0.0/conf/${name}`,
  ),
];

function formatTitle({ mapAccess: { workspace } }: MapsContext): string {
  return workspace === undefined ? 'Styles' : `Styles of ${workspace.name}`;
}

export function buildLandingDocument(visit: MapsContext) {
  const { root } = visit;
  const links: readonly Link[] = [
    { rel: 'self', type: JSON_TYPE, title: 'This document', href: root },
    {
      rel: 'service-desc',
      type: 'application/vnd.oai.openapi+json;version=3.0',
      title: 'The API definition',
      href: `${root}/api`,
    },
    { rel: 'conformance', type: JSON_TYPE, title: 'The conformance classes', href: `${root}/conformance` },
    { rel: 'http://www.opengis.net/def/rel/ogc/1.0/styles', type: JSON_TYPE, title: 'Styles', href: `${root}/styles` },
  ];
  return { title: formatTitle(visit), description: 'Styles of layers and groups.', links };
}

export function buildConformanceDocument({ root }: MapsContext) {
  return { links: [{ rel: 'self', type: JSON_TYPE, href: `${root}/conformance` }], conformsTo };
}

export function buildStylesDocument(visit: MapsContext, maps: readonly PublishedMap[]) {
  return {
    links: [{ rel: 'self', type: JSON_TYPE, href: `${visit.root}/styles` }],
    styles: maps.map((map) => ({
      id: visit.getCollectionId(map),
      title: map.title,
      links: [
        ...styleEncodings.map((encoding) => createStylesheetLink(visit, map, encoding)),
        {
          rel: 'describedby',
          type: JSON_TYPE,
          title: 'Description',
          href: `${formatStyleUrl(visit, map)}/metadata`,
        },
      ],
    })),
  };
}

export function buildMetadataDocument(visit: MapsContext, map: PublishedMap) {
  return {
    id: visit.getCollectionId(map),
    title: map.title,
    ...(map.abstract === '' ? {} : { description: map.abstract }),
    ...(map.keywords.length === 0 ? {} : { keywords: map.keywords }),
    scope: 'style',
    stylesheets: styleEncodings.map((encoding) => ({
      title: encoding.title,
      version: encoding.version,
      specification: encoding.specification,
      link: createStylesheetLink(visit, map, encoding),
    })),
    layers: listStyledLayers(map, null).map(({ layer }) => ({ id: layer.qualifiedName })),
    links: [{ rel: 'self', type: JSON_TYPE, href: `${formatStyleUrl(visit, map)}/metadata` }],
  };
}

function formatStyleUrl(visit: MapsContext, map: PublishedMap): string {
  return `${visit.root}/styles/${encodePathPart(visit.getCollectionId(map))}`;
}

function createStylesheetLink(visit: MapsContext, map: PublishedMap, { name, mediaType, title }: StyleEncoding): Link {
  return { rel: 'stylesheet', type: mediaType, title, href: `${formatStyleUrl(visit, map)}?f=${name}` };
}

export function buildApiDocument(visit: MapsContext) {
  return {
    openapi: '3.0.3',
    info: { title: formatTitle(visit), version: '1.0.0', description: 'Styles of layers and groups.' },
    servers: [{ url: visit.root }],
    paths: Object.fromEntries(
      stylesPaths.map(([path, summary, name]) => [
        path === '' ? '/' : path.replaceAll(/:(\w+)/g, '{$1}'),
        { get: buildOperation(path, summary, name) },
      ]),
    ),
  };
}

function buildOperation(path: string, summary: string, name: string) {
  const variable = {
    name: 'collection',
    in: 'path',
    required: true,
    description: 'The name of a layer or group.',
    schema: { type: 'string' },
  };
  const mediaTypes = name === 'style' ? styleEncodings.map(({ mediaType }) => mediaType) : [JSON_TYPE];
  const content = { schema: { type: 'object' } };
  return {
    operationId: name,
    summary,
    tags: ['Styles'],
    parameters: [
      ...(path.includes(':collection') ? [variable] : []),
      ...Object.values(formatParameters).map(describeParameter),
    ],
    responses: {
      200: { description: summary, content: Object.fromEntries(mediaTypes.map((type) => [type, content])) },
      default: {
        description: 'A problem document that describes the error.',
        content: { 'application/problem+json': content },
      },
    },
  };
}
