/** Parses WMTS capabilities: layers and their tile matrix sets. */

import type { Bounds } from '../crs/bounds.ts';
import type { XmlElement } from '../lib/xml/element.ts';
import type { Capabilities, RemoteLayer, RemoteTileInfo, RemoteTileMatrix, RemoteTiles } from './capabilities.ts';
import {
  findAttribute,
  findChild,
  findChildren,
  parseBounds,
  readChildText,
  readChildTexts,
  readText,
} from './xml-elements.ts';

export function readWmtsCapabilities(root: XmlElement, wanted: string | null): Capabilities {
  const contents = findChild(root, 'Contents');
  const layers = contents === undefined ? [] : findChildren(contents, 'Layer');
  const found = wanted === null ? undefined : layers.find((layer) => readChildText(layer, 'Identifier') === wanted);
  return {
    names: layers.flatMap((layer) => readChildText(layer, 'Identifier') ?? []),
    layer: found === undefined ? null : readLayer(found, wanted ?? '', root),
  };
}

function listSystems(contents: XmlElement | undefined): ReadonlyMap<string, string | null> {
  const sets = contents === undefined ? [] : findChildren(contents, 'TileMatrixSet');
  return new Map(sets.map((set) => [readChildText(set, 'Identifier') ?? '', readChildText(set, 'SupportedCRS')]));
}

function readLayer(element: XmlElement, name: string, root: XmlElement): RemoteLayer {
  const contents = findChild(root, 'Contents');
  const systems = listSystems(contents);
  const links = findChildren(element, 'TileMatrixSetLink').flatMap((link) => readChildTexts(link, 'TileMatrixSet'));
  // The first style is the default.
  const styles = findChildren(element, 'Style')
    .toSorted((one, other) => Number(isDefault(other)) - Number(isDefault(one)))
    .flatMap((style) => readChildText(style, 'Identifier') ?? []);
  const tiles = { ...readTiles(element, contents, links), info: readTileInfo(element, root) };
  const boxes = findChildren(element, 'BoundingBox').flatMap((box) => {
    const bounds = readBox(box);
    const system = findAttribute(box, 'crs');
    return bounds === null || system === undefined ? [] : [[system, bounds] as const];
  });
  const keywords = findChildren(element, 'Keywords').flatMap((list) => findChildren(list, 'Keyword'));
  const latLon = findChild(element, 'WGS84BoundingBox');
  return {
    name,
    title: readChildText(element, 'Title'),
    abstract: readChildText(element, 'Abstract'),
    keywords: keywords.flatMap((keyword) => readText(keyword) ?? []),
    systems: [...new Set(links.flatMap((link) => systems.get(link) ?? []))],
    latLonBounds: latLon === undefined ? null : readBox(latLon),
    bounds: Object.fromEntries(boxes),
    styles,
    formats: readChildTexts(element, 'Format'),
    ...(tiles.sets.length === 0 ? {} : { tiles }),
  };
}

function isDefault(style: XmlElement): boolean {
  return findAttribute(style, 'isDefault') === 'true';
}

function readTiles(
  element: XmlElement,
  contents: XmlElement | undefined,
  links: readonly string[],
): Omit<RemoteTiles, 'info'> {
  const sets = contents === undefined ? [] : findChildren(contents, 'TileMatrixSet');
  const dimensions = findChildren(element, 'Dimension').flatMap((each) => {
    const [name, value] = [readChildText(each, 'Identifier'), readChildText(each, 'Default')];
    return name === null || value === null ? [] : [[name, value] as const];
  });
  return {
    sets: sets.flatMap((set) => {
      const [name, system] = [readChildText(set, 'Identifier') ?? '', readChildText(set, 'SupportedCRS')];
      const matrices = findChildren(set, 'TileMatrix').flatMap((matrix) => readMatrix(matrix) ?? []);
      return links.includes(name) && system !== null && matrices.length > 0 ? [{ name, system, matrices }] : [];
    }),
    templates: readTemplates(element, 'tile'),
    dimensions: Object.fromEntries(dimensions),
  };
}

/** Returns the address templates by media type. */
function readTemplates(element: XmlElement, resourceType: 'tile' | 'FeatureInfo'): Readonly<Record<string, string>> {
  const templates = findChildren(element, 'ResourceURL').flatMap((each) => {
    const [format, template] = [findAttribute(each, 'format'), findAttribute(each, 'template')];
    const isWanted = findAttribute(each, 'resourceType') === resourceType && format !== undefined;
    return isWanted && template !== undefined ? [[format, template] as const] : [];
  });
  return Object.fromEntries(templates);
}

function readTileInfo(element: XmlElement, root: XmlElement): RemoteTileInfo {
  const metadata = findChild(root, 'OperationsMetadata');
  const operations = metadata === undefined ? [] : findChildren(metadata, 'Operation');
  const operation = operations.find((each) => findAttribute(each, 'name') === 'GetFeatureInfo');
  const http = findChild(findChild(operation, 'DCP'), 'HTTP');
  const get = (http === undefined ? [] : findChildren(http, 'Get')).find(acceptsPairs);
  return {
    templates: readTemplates(element, 'FeatureInfo'),
    formats: get === undefined ? [] : readChildTexts(element, 'InfoFormat'),
    address: (get && findAttribute(get, 'href')) || null,
  };
}

/** An address without encodings is one for key-value pairs. */
function acceptsPairs(get: XmlElement): boolean {
  const encodings = findChildren(get, 'Constraint')
    .filter((each) => findAttribute(each, 'name') === 'GetEncoding')
    .flatMap((each) => readChildTexts(findChild(each, 'AllowedValues'), 'Value'));
  return encodings.length === 0 || encodings.includes('KVP');
}

/** The maximum side of a tile in pixels, and the maximum number of tiles. */
const MAX_TILE_SIDE = 4_096;
const MAX_TILES_ACROSS = 2 ** 40;

/** Returns undefined for an invalid tile matrix. */
function readMatrix(element: XmlElement): RemoteTileMatrix | undefined {
  const name = readChildText(element, 'Identifier');
  const readNumber = (local: string): number => Number(readChildText(element, local) ?? Number.NaN);
  const [x = Number.NaN, y = Number.NaN] = (readChildText(element, 'TopLeftCorner') ?? '').split(/\s+/).map(Number);
  const matrix = {
    scaleDenominator: readNumber('ScaleDenominator'),
    tileWidth: readNumber('TileWidth'),
    tileHeight: readNumber('TileHeight'),
    columns: readNumber('MatrixWidth'),
    rows: readNumber('MatrixHeight'),
  };
  const isSound =
    Object.values(matrix).every((value) => value > 0 && value < MAX_TILES_ACROSS) &&
    [matrix.tileWidth, matrix.tileHeight].every((side) => Number.isInteger(side) && side <= MAX_TILE_SIDE) &&
    Number.isFinite(x) &&
    Number.isFinite(y);
  return name === null || !isSound ? undefined : { name, corner: [x, y], ...matrix };
}

function readBox(element: XmlElement): Bounds | null {
  const corners = ['LowerCorner', 'UpperCorner'].map((corner) => (readChildText(element, corner) ?? '').split(/\s+/));
  return parseBounds(corners.flat());
}
