/** What OGC API Tiles says of itself: landing page, conformance, collections, their sets of tiles and the grids of these. */
import {
  cellSize,
  MAX_LEVEL,
  matrixSize,
  scaleDenominator,
  TILE_PIXELS,
  type TileMatrixSet,
  tileMatrixSets,
} from '../../../data/tiles/tile-matrix-set.ts';
import type { PublishedType } from '../../door/published-type.ts';
import type { Link } from '../common/link.ts';
import type { TilesVisit } from './visit.ts';

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
const JSON_TYPE = 'application/json';
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const relation = (name: string) => `http://www.opengis.net/def/rel/ogc/1.0/${name}`;

/** Only what is true: each of them is tested. */
const conformsTo: readonly string[] = [
  ...['core', 'landing-page', 'json', 'oas30'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/${name}`,
  ),
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections',
  ...['core', 'tileset', 'tilesets-list', 'geodata-tilesets', 'mvt', 'oas30'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/${name}`,
  ),
  'http://www.opengis.net/spec/tms/2.0/conf/tilematrixset',
  'http://www.opengis.net/spec/tms/2.0/conf/json-tilematrixset',
];

export function landingDocument({ root, door }: TilesVisit) {
  const inWorkspace = door.workspace === undefined ? '' : ` of ${door.workspace.name}`;
  const links: readonly Link[] = [
    { rel: 'self', type: JSON_TYPE, title: 'This document', href: root },
    {
      rel: 'service-desc',
      type: 'application/vnd.oai.openapi+json;version=3.0',
      title: 'The definition of the API',
      href: `${root}/api`,
    },
    { rel: 'conformance', type: JSON_TYPE, title: 'What it conforms to', href: `${root}/conformance` },
    { rel: 'data', type: JSON_TYPE, title: 'The collections', href: `${root}/collections` },
    { rel: relation('conformance'), type: JSON_TYPE, href: `${root}/conformance` },
    { rel: relation('data'), type: JSON_TYPE, href: `${root}/collections` },
    { rel: relation('tiling-schemes'), type: JSON_TYPE, title: 'The grids of tiles', href: `${root}/tileMatrixSets` },
  ];
  return { title: `Tiles${inWorkspace}`, description: 'Features as vector tiles.', links };
}

export function conformanceDocument({ root }: TilesVisit) {
  return { links: [{ rel: 'self', type: JSON_TYPE, href: `${root}/conformance` }], conformsTo };
}

export function collectionsDocument(visit: TilesVisit, types: readonly PublishedType[]) {
  return {
    links: [{ rel: 'self', type: JSON_TYPE, href: `${visit.root}/collections` }],
    collections: types.filter(({ geometry }) => geometry !== undefined).map((type) => collectionDocument(visit, type)),
  };
}

export function collectionDocument(visit: TilesVisit, type: PublishedType) {
  const address = visit.addressOf(type);
  const box = type.latLonBounds;
  return {
    id: visit.idOf(type),
    title: type.title,
    ...(type.abstract === '' ? {} : { description: type.abstract }),
    links: [
      { rel: 'self', type: JSON_TYPE, title: type.title, href: address },
      { rel: relation('tilesets-vector'), type: JSON_TYPE, title: 'Its vector tiles', href: `${address}/tiles` },
    ],
    ...(box === null ? {} : { extent: { spatial: { bbox: [[box.minX, box.minY, box.maxX, box.maxY]], crs: CRS84 } } }),
    itemType: 'feature',
    crs: [CRS84],
  };
}

export function tilesetsDocument(visit: TilesVisit, type: PublishedType) {
  const address = `${visit.addressOf(type)}/tiles`;
  const tilesets = tileMatrixSets.map((set) => ({
    title: `${type.title} in ${set.id}`,
    dataType: 'vector',
    crs: set.crsUri,
    tileMatrixSetURI: set.uri,
    links: tilesetLinks(visit, type, set),
  }));
  return { links: [{ rel: 'self', type: JSON_TYPE, href: address }], tilesets };
}

export function tilesetDocument(visit: TilesVisit, type: PublishedType, set: TileMatrixSet) {
  const box = type.latLonBounds;
  return {
    title: `${type.title} in ${set.id}`,
    dataType: 'vector',
    crs: set.crsUri,
    tileMatrixSetURI: set.uri,
    links: tilesetLinks(visit, type, set),
    layers: [
      {
        id: type.name,
        title: type.title,
        dataType: 'vector',
        propertiesSchema: { type: 'object', properties: propertiesOf(type) },
      },
    ],
    ...(box === null
      ? {}
      : { boundingBox: { lowerLeft: [box.minX, box.minY], upperRight: [box.maxX, box.maxY], crs: CRS84 } }),
  };
}

function propertiesOf({ attributes }: PublishedType) {
  return Object.fromEntries(
    attributes.flatMap((attribute) =>
      attribute.kind === 'geometry' ? [] : [[attribute.name, { type: jsonType(attribute.type) }] as const],
    ),
  );
}

function jsonType(type: string): string {
  if (type === 'boolean') return 'boolean';
  return ['short', 'integer', 'long', 'float', 'double'].includes(type) ? 'number' : 'string';
}

/** The address of a tile, with the names that clients fill in. */
function tileTemplate(visit: TilesVisit, type: PublishedType, { id }: TileMatrixSet): string {
  return `${visit.addressOf(type)}/tiles/${id}/{tileMatrix}/{tileRow}/{tileCol}`;
}

function tilesetLinks(visit: TilesVisit, type: PublishedType, set: TileMatrixSet): readonly Link[] {
  const address = `${visit.addressOf(type)}/tiles/${set.id}`;
  return [
    { rel: 'self', type: JSON_TYPE, title: `${type.title} in ${set.id}`, href: address },
    {
      rel: 'alternate',
      type: 'application/vnd.mapbox.tile+json',
      title: 'The same as TileJSON',
      href: `${address}?f=tilejson`,
    },
    {
      rel: relation('tiling-scheme'),
      type: JSON_TYPE,
      title: set.title,
      href: `${visit.root}/tileMatrixSets/${set.id}`,
    },
    {
      rel: 'item',
      type: TILE_TYPE,
      title: 'A tile',
      href: tileTemplate(visit, type, set),
      templated: true,
    },
  ];
}

/** What MapLibre and QGIS read. They know the one grid that all have. */
export function tileJsonDocument(visit: TilesVisit, type: PublishedType, set: TileMatrixSet) {
  const box = type.latLonBounds;
  return {
    tilejson: '3.0.0',
    name: type.title,
    ...(type.abstract === '' ? {} : { description: type.abstract }),
    scheme: 'xyz',
    tiles: [
      tileTemplate(visit, type, set)
        .replace('{tileMatrix}', '{z}')
        .replace('{tileRow}', '{y}')
        .replace('{tileCol}', '{x}'),
    ],
    minzoom: 0,
    maxzoom: MAX_LEVEL,
    ...(box === null ? {} : { bounds: [box.minX, box.minY, box.maxX, box.maxY] }),
    vector_layers: [
      {
        id: type.name,
        description: type.title,
        fields: Object.fromEntries(
          Object.entries(propertiesOf(type)).map(([name, { type: kind }]) => [name, capitalised(kind)]),
        ),
      },
    ],
  };
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

export function tileMatrixSetsDocument({ root }: TilesVisit) {
  return {
    links: [{ rel: 'self', type: JSON_TYPE, href: `${root}/tileMatrixSets` }],
    tileMatrixSets: tileMatrixSets.map(({ id, title, uri, crsUri }) => ({
      id,
      title,
      uri,
      crs: crsUri,
      links: [{ rel: 'self', type: JSON_TYPE, title, href: `${root}/tileMatrixSets/${id}` }],
    })),
  };
}

export function tileMatrixSetDocument(set: TileMatrixSet) {
  const { id, title, uri, crsUri, orderedAxes, origin } = set;
  return {
    id,
    title,
    uri,
    crs: crsUri,
    orderedAxes,
    wellKnownScaleSet: uri.replace('/tilematrixset/OGC/1.0/WebMercatorQuad', '/wkss/OGC/1.0/GoogleMapsCompatible'),
    tileMatrices: Array.from({ length: MAX_LEVEL + 1 }, (_, level) => {
      const { columns, rows } = matrixSize(set, level);
      return {
        id: String(level),
        scaleDenominator: scaleDenominator(set, level),
        cellSize: cellSize(set, level),
        cornerOfOrigin: 'topLeft',
        pointOfOrigin: origin,
        tileWidth: TILE_PIXELS,
        tileHeight: TILE_PIXELS,
        matrixWidth: columns,
        matrixHeight: rows,
      };
    }),
  };
}
