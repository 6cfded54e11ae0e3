/** Reads the capabilities of WFS 2.0.0. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildren } from '../../../lib/xml/elements.ts';
import { readChildText } from '../http/read-xml-document.ts';
import { normalizeCrs } from './normalize-crs.ts';
import type { PublishedLayer, ServiceCapabilities } from './published-layer.ts';
import { checkRoot, listParameterValues, listTexts, normalizeFormat, readWgs84Box } from './read-ows.ts';

export function readWfs(root: XmlElement): ServiceCapabilities {
  checkRoot(root, ['WFS_Capabilities']);
  const formats = listParameterValues(root, 'GetFeature', 'outputFormat').map(
    (format) => `GetFeature ${normalizeFormat(format)}`,
  );
  const types = child(root, 'FeatureTypeList');
  const layers = new Map<string, PublishedLayer>();
  for (const type of types === undefined ? [] : listChildren(types, 'FeatureType')) {
    const name = readChildText(type, 'Name');
    if (name !== undefined && !layers.has(name)) layers.set(name, readFeatureType(type));
  }
  return { service: 'WFS', formats: new Set(formats), crs: new Set(), layers };
}

function readFeatureType(type: XmlElement): PublishedLayer {
  const standard = readChildText(type, 'DefaultCRS');
  const defaultCrs = standard === undefined ? undefined : normalizeCrs(standard);
  const others = listTexts(type, 'OtherCRS').map(normalizeCrs);
  const formats = child(type, 'OutputFormats');
  return {
    title: readChildText(type, 'Title') ?? '',
    styles: [],
    crs: new Set([...(defaultCrs === undefined ? [] : [defaultCrs]), ...others]),
    ...(defaultCrs === undefined ? {} : { defaultCrs }),
    box: readWgs84Box(type),
    formats: new Set(listTexts(formats, 'Format').map(normalizeFormat)),
  };
}
