/** Reads the capabilities of a WMTS: its layers, and the systems of the sets of tiles that they come in. */
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Bounds } from '../crs/bounds.ts';
import type { Capabilities, RemoteLayer } from './capabilities.ts';
import { attributeOf, boundsFrom, childNamed, childrenNamed, childText, textOf, textsOf } from './xml-parts.ts';

export function readWmtsCapabilities(root: XmlElement, wanted: string | null): Capabilities {
  const contents = childNamed(root, 'Contents');
  const layers = contents === undefined ? [] : childrenNamed(contents, 'Layer');
  const found = wanted === null ? undefined : layers.find((layer) => childText(layer, 'Identifier') === wanted);
  return {
    names: layers.flatMap((layer) => childText(layer, 'Identifier') ?? []),
    layer: found === undefined ? null : layerOf(found, wanted ?? '', systemsOf(contents)),
  };
}

function systemsOf(contents: XmlElement | undefined): ReadonlyMap<string, string | null> {
  const sets = contents === undefined ? [] : childrenNamed(contents, 'TileMatrixSet');
  return new Map(sets.map((set) => [childText(set, 'Identifier') ?? '', childText(set, 'SupportedCRS')]));
}

function layerOf(element: XmlElement, name: string, systems: ReadonlyMap<string, string | null>): RemoteLayer {
  const links = childrenNamed(element, 'TileMatrixSetLink').flatMap((link) => textsOf(link, 'TileMatrixSet'));
  const styles = childrenNamed(element, 'Style').flatMap((style) => childText(style, 'Identifier') ?? []);
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
  };
}

function boxOf(element: XmlElement): Bounds | null {
  const corners = ['LowerCorner', 'UpperCorner'].map((corner) => (childText(element, corner) ?? '').split(/\s+/));
  return boundsFrom(corners.flat());
}
