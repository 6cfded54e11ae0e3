/** Reads the capabilities of a WMTS: its layers, and the systems of the sets of tiles that they come in. */
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Bounds } from '../crs/bounds.ts';
import type { Capabilities, RemoteLayer, RemoteTileMatrix, RemoteTiles } from './capabilities.ts';
import { attributeOf, boundsFrom, childNamed, childrenNamed, childText, textOf, textsOf } from './xml-parts.ts';

export function readWmtsCapabilities(root: XmlElement, wanted: string | null): Capabilities {
  const contents = childNamed(root, 'Contents');
  const layers = contents === undefined ? [] : childrenNamed(contents, 'Layer');
  const found = wanted === null ? undefined : layers.find((layer) => childText(layer, 'Identifier') === wanted);
  return {
    names: layers.flatMap((layer) => childText(layer, 'Identifier') ?? []),
    layer: found === undefined ? null : layerOf(found, wanted ?? '', contents),
  };
}

function systemsOf(contents: XmlElement | undefined): ReadonlyMap<string, string | null> {
  const sets = contents === undefined ? [] : childrenNamed(contents, 'TileMatrixSet');
  return new Map(sets.map((set) => [childText(set, 'Identifier') ?? '', childText(set, 'SupportedCRS')]));
}

function layerOf(element: XmlElement, name: string, contents: XmlElement | undefined): RemoteLayer {
  const systems = systemsOf(contents);
  const links = childrenNamed(element, 'TileMatrixSetLink').flatMap((link) => textsOf(link, 'TileMatrixSet'));
  // The first is the one that is meant where nobody asks for another.
  const styles = childrenNamed(element, 'Style')
    .toSorted((one, other) => Number(isDefault(other)) - Number(isDefault(one)))
    .flatMap((style) => childText(style, 'Identifier') ?? []);
  const tiles = tilesOf(element, contents, links);
  const boxes = childrenNamed(element, 'BoundingBox').flatMap((box) => {
    const bounds = boxOf(box);
    const system = attributeOf(box, 'crs');
    return bounds === null || system === undefined ? [] : [[system, bounds] as const];
  });
  const keywords = childrenNamed(element, 'Keywords').flatMap((list) => childrenNamed(list, 'Keyword'));
  const latLon = childNamed(element, 'WGS84BoundingBox');
  return {
    name,
    title: childText(element, 'Title'),
    abstract: childText(element, 'Abstract'),
    keywords: keywords.flatMap((keyword) => textOf(keyword) ?? []),
    systems: [...new Set(links.flatMap((link) => systems.get(link) ?? []))],
    latLonBounds: latLon === undefined ? null : boxOf(latLon),
    bounds: Object.fromEntries(boxes),
    styles,
    formats: textsOf(element, 'Format'),
    ...(tiles.sets.length === 0 ? {} : { tiles }),
  };
}

function isDefault(style: XmlElement): boolean {
  return attributeOf(style, 'isDefault') === 'true';
}

function tilesOf(element: XmlElement, contents: XmlElement | undefined, links: readonly string[]): RemoteTiles {
  const sets = contents === undefined ? [] : childrenNamed(contents, 'TileMatrixSet');
  const templates = childrenNamed(element, 'ResourceURL').flatMap((each) => {
    const [format, template] = [attributeOf(each, 'format'), attributeOf(each, 'template')];
    const isTile = attributeOf(each, 'resourceType') === 'tile' && format !== undefined && template !== undefined;
    return isTile ? [[format, template] as const] : [];
  });
  const dimensions = childrenNamed(element, 'Dimension').flatMap((each) => {
    const [name, value] = [childText(each, 'Identifier'), childText(each, 'Default')];
    return name === null || value === null ? [] : [[name, value] as const];
  });
  return {
    sets: sets.flatMap((set) => {
      const [name, system] = [childText(set, 'Identifier') ?? '', childText(set, 'SupportedCRS')];
      const matrices = childrenNamed(set, 'TileMatrix').flatMap((matrix) => matrixOf(matrix) ?? []);
      return links.includes(name) && system !== null && matrices.length > 0 ? [{ name, system, matrices }] : [];
    }),
    templates: Object.fromEntries(templates),
    dimensions: Object.fromEntries(dimensions),
  };
}

/** Sides of tiles in pixels, and numbers of them; nobody has more. */
const MAX_TILE_SIDE = 4_096;
const MAX_TILES_ACROSS = 2 ** 40;

/** Undefined where it says nothing that makes sense. */
function matrixOf(element: XmlElement): RemoteTileMatrix | undefined {
  const name = childText(element, 'Identifier');
  const number = (local: string): number => Number(childText(element, local) ?? Number.NaN);
  const [x = Number.NaN, y = Number.NaN] = (childText(element, 'TopLeftCorner') ?? '').split(/\s+/).map(Number);
  const matrix = {
    scaleDenominator: number('ScaleDenominator'),
    tileWidth: number('TileWidth'),
    tileHeight: number('TileHeight'),
    columns: number('MatrixWidth'),
    rows: number('MatrixHeight'),
  };
  const isSound =
    Object.values(matrix).every((value) => value > 0 && value < MAX_TILES_ACROSS) &&
    [matrix.tileWidth, matrix.tileHeight].every((side) => Number.isInteger(side) && side <= MAX_TILE_SIDE) &&
    Number.isFinite(x) &&
    Number.isFinite(y);
  return name === null || !isSound ? undefined : { name, corner: [x, y], ...matrix };
}

function boxOf(element: XmlElement): Bounds | null {
  const corners = ['LowerCorner', 'UpperCorner'].map((corner) => (childText(element, corner) ?? '').split(/\s+/));
  return boundsFrom(corners.flat());
}
