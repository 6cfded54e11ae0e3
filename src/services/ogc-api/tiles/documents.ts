/** The documents of OGC API Tiles: landing page, conformance, collections, tilesets and tile matrix sets. */
import { escapeHtml } from '../../../lib/xml/escape.ts';
import { computeMatrixBounds, computeScaleDenominator, type TileMatrixSet } from '../../../tiles/tile-matrix-set.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import type { PublishedType } from '../../access/published-type.ts';
import type { TileStyle } from '../../maps/tile-style.ts';
import { MAX_TILE_BYTES } from '../../maps/vector-tile.ts';
import { findOfferedTiles, isWholeSet, type OfferedSet } from '../../tiles/tile-offer.ts';
import { encodePathPart, type Link } from '../common/link.ts';
import type { TiledCollection, TilesContext } from './tiles-context.ts';

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
const JSON_TYPE = 'application/json';
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const formatRelation = (name: string) => `http://www.opengis.net/def/rel/ogc/1.0/${name}`;

/** Each of these conformance classes is covered by a test. */
const conformsTo: readonly string[] = [
  ...['core', 'landing-page', 'json', 'oas30'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/${name}`,
  ),
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  ...['core', 'tileset', 'tilesets-list', 'geodata-tilesets', 'mvt', 'png', 'jpeg', 'oas30'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/${name}`,
  ),
  'http://www.opengis.net/spec/tms/2.0/conf/tilematrixset',
  'http://www.opengis.net/spec/tms/2.0/conf/json-tilematrixset',
];

export function buildLandingDocument({ root, workspace }: TilesContext) {
  const inWorkspace = workspace === undefined ? '' : ` of ${workspace}`;
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
    { rel: formatRelation('conformance'), type: JSON_TYPE, href: `${root}/conformance` },
    { rel: formatRelation('data'), type: JSON_TYPE, href: `${root}/collections` },
    {
      rel: formatRelation('tiling-schemes'),
      type: JSON_TYPE,
      title: 'The tile matrix sets',
      href: `${root}/tileMatrixSets`,
    },
  ];
  return { title: `Tiles${inWorkspace}`, description: 'Vector tiles of features, and map tiles.', links };
}

export function buildConformanceDocument({ root }: TilesContext) {
  return { links: [{ rel: 'self', type: JSON_TYPE, href: `${root}/conformance` }], conformsTo };
}

export function buildCollectionsDocument(visit: TilesContext, collections: readonly TiledCollection[]) {
  return {
    links: [{ rel: 'self', type: JSON_TYPE, href: `${visit.root}/collections` }],
    collections: collections.map((each) => buildCollectionDocument(visit, each)),
  };
}

export function buildCollectionDocument(visit: TilesContext, collection: TiledCollection) {
  const address = visit.formatCollectionUrl(collection);
  const { id, title, abstract, latLonBounds: box, type, map } = collection;
  const createTilesetsLink = (rel: string, about: string, path: string): Link => ({
    rel: formatRelation(rel),
    type: JSON_TYPE,
    title: about,
    href: `${address}/${path}`,
  });
  return {
    id,
    title,
    ...(abstract === '' ? {} : { description: abstract }),
    links: [
      { rel: 'self', type: JSON_TYPE, title, href: address },
      ...(type === undefined ? [] : [createTilesetsLink('tilesets-vector', 'Vector tiles', 'tiles')]),
      ...(map === undefined ? [] : [createTilesetsLink('tilesets-map', 'Map tiles', 'map/tiles')]),
    ],
    ...(box === null ? {} : { extent: { spatial: { bbox: [[box.minX, box.minY, box.maxX, box.maxY]], crs: CRS84 } } }),
    ...(type === undefined ? {} : { itemType: 'feature' }),
    crs: [CRS84],
  };
}

/** A collection with features. */
export type VectorCollection = TiledCollection & {
  readonly type: PublishedType;
  /** The requested attributes; undefined for all. */
  readonly properties?: readonly string[] | undefined;
  /** The options of the default style. */
  readonly tileStyle?: TileStyle | undefined;
};

/** A collection with maps, in a given style or the default style. */
export type MapCollection = TiledCollection & {
  readonly map: PublishedMap;
  readonly style: string | undefined;
  /** The size of the tiles as a multiple of that of the tile matrix; undefined for 1. */
  readonly pixelRatio?: number | undefined;
};

function formatPixelRatio({ pixelRatio = 1 }: MapCollection): string {
  return pixelRatio === 1 ? '' : `@${pixelRatio}x`;
}

export function buildTilesetsDocument(visit: TilesContext, collection: VectorCollection, sets: readonly OfferedSet[]) {
  const address = `${visit.formatCollectionUrl(collection)}/tiles`;
  const tilesets = sets.map((offered) => ({
    title: `${collection.title} in ${offered.set.id}`,
    dataType: 'vector',
    ...describeSet(offered),
    links: createTilesetLinks(visit, collection, offered.set),
  }));
  return { links: [{ rel: 'self', type: JSON_TYPE, href: address }], tilesets };
}

export function buildTilesetDocument(visit: TilesContext, collection: VectorCollection, offered: OfferedSet) {
  const { set } = offered;
  const { type } = collection;
  const box = type.latLonBounds;
  return {
    title: `${type.title} in ${set.id}`,
    description: thinningNote,
    ...describeAttribution(collection),
    dataType: 'vector',
    ...describeSet(offered),
    links: createTilesetLinks(visit, collection, set),
    layers: [
      {
        id: type.name,
        title: type.title,
        dataType: 'vector',
        propertiesSchema: { type: 'object', properties: buildProperties(collection) },
      },
    ],
    ...(box === null
      ? {}
      : { boundingBox: { lowerLeft: [box.minX, box.minY], upperRight: [box.maxX, box.maxY], crs: CRS84 } }),
  };
}

/** Tilesets have text. */
function describeAttribution({ attribution }: TiledCollection) {
  const text = attribution?.title ?? attribution?.href;
  return text == null || text === '' ? {} : { attribution: text };
}

/** TileJSON has HTML, which map libraries insert into their pages. */
function describeAttributionAsHtml(collection: TiledCollection) {
  const { attribution: text } = describeAttribution(collection);
  if (text === undefined) return {};
  const href = collection.attribution?.href ?? '';
  const isWebAddress = /^https?:\/\//i.test(href);
  const html = escapeHtml(text);
  return { attribution: isWebAddress ? `<a href="${escapeHtml(href)}">${html}</a>` : html };
}

/** Only registered sets have a URI. Limits are those of the tile settings. */
function describeSet(offered: OfferedSet) {
  const { crsUri, uri } = offered.set;
  return {
    crs: crsUri,
    ...(uri === undefined ? {} : { tileMatrixSetURI: uri }),
    ...(isWholeSet(offered) ? {} : { tileMatrixSetLimits: listLimits(offered) }),
  };
}

function listLimits(offered: OfferedSet) {
  return offered.set.matrices.flatMap((matrix, level) => {
    const tiles = findOfferedTiles(offered, level, computeMatrixBounds(matrix));
    if (tiles === undefined) return [];
    const { minRow, maxRow, minColumn, maxColumn } = tiles;
    const limits = { minTileRow: minRow, maxTileRow: maxRow, minTileCol: minColumn, maxTileCol: maxColumn };
    return [{ tileMatrix: matrix.name, ...limits }];
  });
}

/** Each tile may be thinned, depending on its features; the guide explains the rules. */
const thinningNote = `A tile has at most ${MAX_TILE_BYTES} bytes, uncompressed. The features of larger tiles are simplified and thinned.`;

function buildProperties({ type: { attributes }, properties: requested, tileStyle }: TiledFeatures) {
  const properties = requested ?? tileStyle?.attributes;
  return Object.fromEntries(
    attributes.flatMap((attribute) =>
      attribute.kind === 'geometry' || properties?.includes(attribute.name) === false
        ? []
        : [[attribute.name, { type: toJsonType(attribute.type) }] as const],
    ),
  );
}

function toJsonType(type: string): string {
  if (type === 'boolean') return 'boolean';
  return ['short', 'integer', 'long', 'float', 'double'].includes(type) ? 'number' : 'string';
}

/** Formats the address template of a tile. */
function formatTileTemplate(visit: TilesContext, collection: VectorCollection, { id }: TileMatrixSet): string {
  const { properties } = collection;
  const query = properties === undefined ? '' : `?properties=${encodeURIComponent(properties.join(','))}`;
  return `${visit.formatCollectionUrl(collection)}/tiles/${encodePathPart(id)}/{tileMatrix}/{tileRow}/{tileCol}${query}`;
}

function createTilesetLinks(visit: TilesContext, collection: VectorCollection, set: TileMatrixSet): readonly Link[] {
  const address = `${visit.formatCollectionUrl(collection)}/tiles/${encodePathPart(set.id)}`;
  return [
    { rel: 'self', type: JSON_TYPE, title: `${collection.title} in ${set.id}`, href: address },
    createTileJsonLink(address),
    createTilingSchemeLink(visit, set),
    {
      rel: 'item',
      type: TILE_TYPE,
      title: 'A tile',
      href: formatTileTemplate(visit, collection, set),
      templated: true,
    },
  ];
}

function createTileJsonLink(address: string): Link {
  return {
    rel: 'alternate',
    type: 'application/vnd.mapbox.tile+json',
    title: 'This tileset as TileJSON',
    href: `${address}?f=tilejson`,
  };
}

function createTilingSchemeLink({ root }: TilesContext, { id, title }: TileMatrixSet): Link {
  const href = `${root}/tileMatrixSets/${encodePathPart(id)}`;
  return { rel: formatRelation('tiling-scheme'), type: JSON_TYPE, title, href };
}

export function buildMapTilesetsDocument(visit: TilesContext, collection: MapCollection, sets: readonly OfferedSet[]) {
  const tilesets = sets.map((offered) => buildMapTilesetDocument(visit, collection, offered));
  return { links: [{ rel: 'self', type: JSON_TYPE, href: formatMapTilesUrl(visit, collection) }], tilesets };
}

export function buildMapTilesetDocument(visit: TilesContext, collection: MapCollection, offered: OfferedSet) {
  const { set } = offered;
  const { title, pictures, latLonBounds: box } = collection;
  const address = `${formatMapTilesUrl(visit, collection)}/${encodePathPart(set.id)}`;
  const items = pictures.map(({ name, mediaType }) => ({
    rel: 'item',
    type: mediaType,
    title: 'A tile',
    href: `${address}/{tileMatrix}/{tileRow}/{tileCol}${formatPixelRatio(collection)}?f=${name}`,
    templated: true,
  }));
  return {
    title: `${title} in ${set.id}`,
    ...describeAttribution(collection),
    dataType: 'map',
    ...describeSet(offered),
    links: [
      { rel: 'self', type: JSON_TYPE, title: `${title} in ${set.id}`, href: address },
      createTileJsonLink(address),
      createTilingSchemeLink(visit, set),
      ...items,
    ],
    ...(box === null
      ? {}
      : { boundingBox: { lowerLeft: [box.minX, box.minY], upperRight: [box.maxX, box.maxY], crs: CRS84 } }),
  };
}

function formatMapTilesUrl(visit: TilesContext, collection: MapCollection): string {
  const { style } = collection;
  const styled = style === undefined ? '' : `/styles/${encodePathPart(style)}`;
  return `${visit.formatCollectionUrl(collection)}${styled}/map/tiles`;
}

/** TileJSON for map tiles, which MapLibre draws beside vector tiles. */
export function buildMapTileJsonDocument(visit: TilesContext, collection: MapCollection, offered: OfferedSet) {
  const { set, minLevel, maxLevel } = offered;
  const { title, abstract, pictures, latLonBounds: box } = collection;
  return {
    tilejson: '3.0.0',
    name: title,
    ...(abstract === '' ? {} : { description: abstract }),
    ...describeAttributionAsHtml(collection),
    scheme: 'xyz',
    tiles: [
      `${formatMapTilesUrl(visit, collection)}/${encodePathPart(set.id)}/{z}/{y}/{x}${formatPixelRatio(collection)}?f=${pictures[0]?.name ?? 'png'}`,
    ],
    minzoom: minLevel,
    maxzoom: maxLevel,
    ...(box === null ? {} : { bounds: [box.minX, box.minY, box.maxX, box.maxY] }),
  };
}

/** TileJSON for MapLibre and QGIS, which support the Web Mercator grid only. */
export function buildTileJsonDocument(visit: TilesContext, collection: VectorCollection, offered: OfferedSet) {
  const { set, minLevel, maxLevel } = offered;
  const { type } = collection;
  const box = type.latLonBounds;
  return {
    tilejson: '3.0.0',
    name: type.title,
    ...(type.abstract === '' ? {} : { description: type.abstract }),
    ...describeAttributionAsHtml(collection),
    scheme: 'xyz',
    tiles: [
      formatTileTemplate(visit, collection, set)
        .replace('{tileMatrix}', '{z}')
        .replace('{tileRow}', '{y}')
        .replace('{tileCol}', '{x}'),
    ],
    minzoom: minLevel,
    maxzoom: maxLevel,
    ...(box === null ? {} : { bounds: [box.minX, box.minY, box.maxX, box.maxY] }),
    maxTileBytes: MAX_TILE_BYTES,
    vector_layers: describeVectorLayers(collection),
  };
}

/** What the description of the layers of a vector tile needs. */
type TiledFeatures = Pick<VectorCollection, 'type' | 'properties' | 'tileStyle'>;

/** The layers that the features of one layer have in vector tiles, as in TileJSON. */
export function describeVectorLayers(features: TiledFeatures) {
  const { type } = features;
  return [{ id: type.name, description: type.title, fields: buildFields(features) }, ...listLabelLayers(features)];
}

function buildFields(collection: TiledFeatures) {
  return Object.fromEntries(
    Object.entries(buildProperties(collection)).map(([name, { type: kind }]) => [name, capitalize(kind)]),
  );
}

/** The layer of label points, if the style has one. */
function listLabelLayers(collection: TiledFeatures) {
  const { type, tileStyle, properties } = collection;
  if (!tileStyle?.hasLabels) return [];
  const fields = buildFields({ ...collection, properties: tileStyle.labelAttributes ?? properties });
  return [{ id: `${type.name}-labels`, description: `Labels of ${type.title}`, fields }];
}

function capitalize(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

export function buildTileMatrixSetsDocument({ root }: TilesContext, sets: readonly TileMatrixSet[]) {
  return {
    links: [{ rel: 'self', type: JSON_TYPE, href: `${root}/tileMatrixSets` }],
    tileMatrixSets: sets.map(({ id, title, uri, crsUri }) => ({
      id,
      title,
      ...(uri === undefined ? {} : { uri }),
      crs: crsUri,
      links: [{ rel: 'self', type: JSON_TYPE, title, href: `${root}/tileMatrixSets/${encodePathPart(id)}` }],
    })),
  };
}

export function buildTileMatrixSetDocument(set: TileMatrixSet) {
  const { id, title, uri, crsUri, orderedAxes, isNorthFirst, matrices } = set;
  const scales = uri?.replace('/tilematrixset/OGC/1.0/WebMercatorQuad', '/wkss/OGC/1.0/GoogleMapsCompatible');
  return {
    id,
    title,
    ...(uri === undefined ? {} : { uri }),
    crs: crsUri,
    orderedAxes,
    ...(scales === undefined ? {} : { wellKnownScaleSet: scales }),
    tileMatrices: matrices.map((matrix) => ({
      id: matrix.name,
      scaleDenominator: computeScaleDenominator(set, matrix),
      cellSize: matrix.cellSize,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: isNorthFirst ? matrix.origin.toReversed() : matrix.origin,
      tileWidth: matrix.tileWidth,
      tileHeight: matrix.tileHeight,
      matrixWidth: matrix.columns,
      matrixHeight: matrix.rows,
    })),
  };
}
