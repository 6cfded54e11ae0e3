/** Converts WMS XML requests to equivalent key-value pairs; elements are found by local name. */
import {
  findAttribute,
  findChild,
  findChildren,
  readChildText,
  readChildTexts,
} from '../../../cascade/xml-elements.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { listChildElements } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import { writeElement } from '../../../lib/xml/write-element.ts';
import { extendScope, type Message, type NamespaceScope } from '../../ows/message.ts';
import { type Parameters, readParameters } from '../../ows/parameters.ts';

type SentDocument = Extract<Message, { kind: 'document' }>;

/** A style alone is combined with the query; a complete request ignores it. */
export function readDocumentPairs({ root, scope, rawQuery }: SentDocument): Parameters {
  switch (root.local) {
    case 'StyledLayerDescriptor':
      return new Map([['request', 'GetMap'], ...readParameters(rawQuery), ['sld_body', writeElement(root, scope)]]);
    case 'GetMap':
      return toParameters({ ...readMapPairs(root, scope), request: 'GetMap' });
    case 'GetFeatureInfo':
      return toParameters({ ...readInfoPairs(root, scope), request: 'GetFeatureInfo' });
    case 'GetCapabilities':
      return toParameters({
        request: 'GetCapabilities',
        version: findAttribute(root, 'version'),
        acceptversions: readChildTexts(findChild(root, 'AcceptVersions'), 'Version').join(','),
        updatesequence: findAttribute(root, 'updateSequence'),
      });
    default:
      throw problem('ows-request-unreadable', {
        reason: `expected 'GetMap', 'GetFeatureInfo', 'GetCapabilities' or 'StyledLayerDescriptor' as the root, but found '${root.local}'`,
      });
  }
}

type SentPairs = Readonly<Record<string, string | null | undefined>>;

function toParameters(pairs: SentPairs): Parameters {
  return new Map(Object.entries(pairs).flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
}

/** The schemas of such documents were drafts of 1.1 and 1.2, with x before y. */
function readVersion(root: XmlElement): string {
  const version = findAttribute(root, 'version');
  return version === undefined || version === '' || version === '1.2.0' ? '1.1.1' : version;
}

function readMapPairs(root: XmlElement, scope: NamespaceScope): SentPairs {
  const style = findChild(root, 'StyledLayerDescriptor');
  const output = findChild(root, 'Output');
  const size = findChild(output, 'Size');
  const box = findChild(root, 'BoundingBox');
  const system = readChildText(root, 'CRS') ?? (box && (findAttribute(box, 'srsName') ?? findAttribute(box, 'crs')));
  const elevation = findChild(root, 'Elevation');
  return {
    ...readVendorPairs(root),
    version: readVersion(root),
    layers: readNames(root, 'Layers'),
    styles: readNames(root, 'Styles'),
    sld_body: style && writeElement(style, extendScope(scope, style)),
    srs: system,
    bbox: box && readCorners(box).join(','),
    width: readChildText(size, 'Width'),
    height: readChildText(size, 'Height'),
    format: readChildText(output, 'Format'),
    transparent: readChildText(output, 'Transparent'),
    bgcolor: readChildText(output, 'BGcolor') ?? readChildText(output, 'BGColor'),
    time: readChildText(root, 'Time'),
    elevation: elevation && (readChildText(elevation, 'Value') ?? readElementText(elevation)),
    exceptions: readChildText(root, 'Exceptions') ?? readChildText(output, 'Exceptions'),
  };
}

/**
 * The map is a nested request, as in the draft, or its elements are among the others. The output formats differ from
 * those of maps.
 */
function readInfoPairs(root: XmlElement, scope: NamespaceScope): SentPairs {
  const map = findChild(root, 'GetMap');
  const output = findChild(root, 'Output');
  const readFirst = (...locals: readonly string[]): string | null | undefined =>
    locals.map((local) => readChildText(root, local) ?? readChildText(output, local)).find((text) => text);
  const { format, exceptions, ...drawn } = map ? readMapPairs(map, extendScope(scope, map)) : readMapPairs(root, scope);
  return {
    ...drawn,
    ...readVendorPairs(root),
    version: readVersion(map !== undefined && !findAttribute(root, 'version') ? map : root),
    query_layers: [readNames(root, 'QueryLayer'), readNames(root, 'QueryLayers')]
      .filter((each) => each !== '')
      .join(','),
    x: readFirst('I', 'X'),
    y: readFirst('J', 'Y'),
    info_format: readFirst('InfoFormat') ?? (map === undefined ? undefined : readChildText(output, 'Format')),
    feature_count: readFirst('FeatureCount'),
    format: map === undefined ? format : undefined,
    exceptions: readFirst('Exceptions') ?? exceptions,
  };
}

/** Reads `<Layers>a,b</Layers>`, or one element for each layer. */
function readNames(root: XmlElement, local: string): string {
  return readChildTexts(root, local).join(',');
}

/** Reads `<Vendor><env>a:b</env></Vendor>`: vendor parameters. */
function readVendorPairs(root: XmlElement): SentPairs {
  const elements = findChildren(root, 'Vendor').flatMap(listChildElements);
  return Object.fromEntries(elements.map((each) => [each.local.toLowerCase(), readElementText(each)]));
}

/** Reads boxes of GML 2, GML 3 and OWS Common, and of capabilities. */
function readCorners(box: XmlElement): readonly string[] {
  const coordinates = findChildren(box, 'coord').flatMap((each) => [
    readChildText(each, 'X'),
    readChildText(each, 'Y'),
  ]);
  const texts = [
    ...['lowerCorner', 'LowerCorner', 'upperCorner', 'UpperCorner'].map((local) => readChildText(box, local)),
    readChildText(box, 'coordinates'),
    ...readChildTexts(box, 'pos'),
    ...coordinates,
    ...['minx', 'miny', 'maxx', 'maxy'].map((name) => findAttribute(box, name)),
  ];
  return texts.flatMap((text) => (text ? text.trim().split(/[\s,]+/) : []));
}
