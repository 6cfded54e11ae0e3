/** Reads the capabilities of WMS 1.3.0. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { readChildText } from '../http/read-xml-document.ts';
import { normalizeCrs } from './normalize-crs.ts';
import type { GeographicBox, PublishedLayer, ServiceCapabilities } from './published-layer.ts';
import { checkRoot, createBox, listTexts, normalizeFormat } from './read-ows.ts';

/** What a layer inherits from the layers around it (WMS 1.3.0, 7.2.4.8). */
interface Inherited {
  readonly styles: readonly string[];
  readonly crs: ReadonlySet<string>;
  readonly box: GeographicBox | undefined;
}

export function readWms(root: XmlElement): ServiceCapabilities {
  checkRoot(root, ['WMS_Capabilities']);
  const capability = child(root, 'Capability');
  const request = capability && child(capability, 'Request');
  const formats = (request === undefined ? [] : listChildElements(request)).flatMap((operation) =>
    listTexts(operation, 'Format').map((format) => `${operation.local} ${normalizeFormat(format)}`),
  );
  const layers = new Map<string, PublishedLayer>();
  const roots = capability === undefined ? [] : listChildren(capability, 'Layer');
  for (const layer of roots) addLayers(layer, { styles: [], crs: new Set(), box: undefined }, layers);
  // The CRSs of the root layer are those of all layers.
  return { service: 'WMS', formats: new Set(formats), crs: new Set(), layers };
}

function addLayers(element: XmlElement, inherited: Inherited, layers: Map<string, PublishedLayer>): void {
  const own = listTexts(element, 'CRS').map(normalizeCrs);
  const added = own.filter((each) => !inherited.crs.has(each));
  const styles = listChildren(element, 'Style').flatMap((style) => readChildText(style, 'Name') ?? []);
  const scope: Inherited = {
    styles: [...new Set([...styles, ...inherited.styles])],
    // Layers without CRSs of their own share the set, which can have thousands of members.
    crs: added.length === 0 ? inherited.crs : new Set([...inherited.crs, ...added]),
    box: readBox(element) ?? inherited.box,
  };
  const name = readChildText(element, 'Name');
  if (name !== undefined && !layers.has(name)) {
    layers.set(name, { title: readChildText(element, 'Title') ?? '', formats: new Set(), ...scope });
  }
  for (const layer of listChildren(element, 'Layer')) addLayers(layer, scope, layers);
}

function readBox(element: XmlElement): GeographicBox | undefined {
  const box = child(element, 'EX_GeographicBoundingBox');
  if (box === undefined) return undefined;
  const readSide = (local: string) => {
    const text = readChildText(box, local);
    return text === undefined ? undefined : Number(text);
  };
  return createBox({
    west: readSide('westBoundLongitude'),
    south: readSide('southBoundLatitude'),
    east: readSide('eastBoundLongitude'),
    north: readSide('northBoundLatitude'),
  });
}
