/** Reads the capabilities of WMTS 1.0.0. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildren } from '../../../lib/xml/elements.ts';
import { readChildText } from '../http/read-xml-document.ts';
import type { PublishedLayer, ServiceCapabilities } from './published-layer.ts';
import { checkRoot, listTexts, normalizeFormat, readWgs84Box } from './read-ows.ts';

export function readWmts(root: XmlElement): ServiceCapabilities {
  checkRoot(root, ['Capabilities']);
  const contents = child(root, 'Contents');
  const layers = new Map<string, PublishedLayer>();
  for (const layer of contents === undefined ? [] : listChildren(contents, 'Layer')) {
    const name = readChildText(layer, 'Identifier');
    if (name !== undefined && !layers.has(name)) layers.set(name, readLayer(layer));
  }
  return { service: 'WMTS', formats: new Set(), crs: new Set(), layers };
}

function readLayer(layer: XmlElement): PublishedLayer {
  const links = listChildren(layer, 'TileMatrixSetLink');
  return {
    title: readChildText(layer, 'Title') ?? '',
    styles: listStyles(layer),
    crs: new Set(links.flatMap((link) => readChildText(link, 'TileMatrixSet') ?? [])),
    box: readWgs84Box(layer),
    formats: new Set(listTexts(layer, 'Format').map(normalizeFormat)),
  };
}

/** The default style first. A server without names of styles leaves the identifier empty. */
function listStyles(layer: XmlElement): readonly string[] {
  const styles = listChildren(layer, 'Style').map((style) => ({
    name: readChildText(style, 'Identifier') ?? '',
    isDefault: attribute(style, 'isDefault') === 'true',
  }));
  return [...styles.filter(({ isDefault }) => isDefault), ...styles.filter(({ isDefault }) => !isDefault)].map(
    ({ name }) => name,
  );
}
