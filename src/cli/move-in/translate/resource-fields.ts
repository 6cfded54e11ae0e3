/** The fields of published resources and layers, and how their values are read. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import {
  createItemsReader,
  findText,
  type ReadValue,
  readFlag,
  readMetadata,
  readNumber,
  readText,
  readTextMap,
  readTree,
  readWords,
} from '../read/values.ts';
import type { Report, Subject } from '../report/report.ts';

/** How each field is read. */
export type FieldReaders = Readonly<Record<string, ReadValue>>;

/** Reads the fields that the document sets. An unreadable value becomes an entry of the report. */
export function readFields(
  root: XmlElement,
  readers: FieldReaders,
  report: Report,
  subject: Subject,
): Map<string, Json> {
  const fields = new Map<string, Json>();
  for (const [name, read] of Object.entries(readers)) {
    const element = child(root, name);
    if (element === undefined) continue;
    const value = read(element);
    if (value !== undefined) fields.set(name, value);
    else if ((read === readNumber || read === readFlag) && readElementText(element) !== '') {
      const text = readElementText(element).slice(0, 80);
      report.add('value-invalid', subject, `The value '${text}' of '${name}' is invalid and left out.`);
    }
  }
  return fields;
}

/** A reader of one of these words, in any case. */
export function createChoiceReader(choices: readonly string[]): ReadValue {
  return (element) => choices.find((each) => each.toLowerCase() === readElementText(element).toLowerCase());
}

/** A box; its CRS only if it is a code. */
const readBox: ReadValue = (element) => {
  const numbers = ['minx', 'maxx', 'miny', 'maxy'].map(
    (name) => [name, Number(findText(element, name) ?? Number.NaN)] as const,
  );
  if (!numbers.every(([, number]) => Number.isFinite(number))) return undefined;
  const crs = toCode(findText(element, 'crs') ?? '');
  return { ...Object.fromEntries(numbers), ...(crs === undefined ? {} : { crs }) };
};

/** `EPSG:4326` and `urn:ogc:def:crs:EPSG::4326`, or the last authority of a WKT. */
export function toCode(text: string): string | undefined {
  const [, plain] = /^(?:EPSG:|urn:(?:x-)?ogc:def:crs:EPSG:[^:]*:)(\d+)$/i.exec(text.trim()) ?? [];
  const [, last] = /AUTHORITY\s*\[\s*"EPSG"\s*,\s*"?(\d+)"?\s*\]\s*\]\s*$/i.exec(text) ?? [];
  const code = plain ?? last;
  return code === undefined ? undefined : `EPSG:${code}`;
}

/** The attributes, in the form of configuration documents. */
const readAttributes: ReadValue = (element) => {
  const attributes = listChildren(element, 'attribute').map((attribute) => {
    const fields = new Map<string, Json>();
    for (const [name, read] of Object.entries(attributeReaders)) {
      const found = child(attribute, name);
      const value = found && read(found);
      if (value !== undefined) fields.set(name, value);
    }
    return Object.fromEntries(fields);
  });
  return attributes.length === 0 ? undefined : { attribute: attributes };
};

const attributeReaders: FieldReaders = {
  name: readText,
  minOccurs: readNumber,
  maxOccurs: readNumber,
  nillable: readFlag,
  binding: readText,
  length: readNumber,
  range: readTree,
  options: readTree,
  source: readText,
  description: readText,
};

const links = ['type', 'metadataType', 'content', 'about'];

/** Texts by language: `<internationalTitle><en>Roads</en></internationalTitle>`. */
const readInternational: ReadValue = (element) => {
  const texts = listChildElements(element).map((each) => [each.name, readElementText(each)] as const);
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
};

const common: FieldReaders = {
  alias: readText,
  title: readText,
  description: readText,
  abstract: readText,
  keywords: readWords,
  metadataLinks: createItemsReader('metadataLink', links),
  dataLinks: createItemsReader('dataLink', links),
  nativeCRS: readText,
  srs: readText,
  nativeBoundingBox: readBox,
  latLonBoundingBox: readBox,
  projectionPolicy: createChoiceReader(['FORCE_DECLARED', 'REPROJECT_TO_DECLARED', 'NONE']),
  enabled: readFlag,
  advertised: readFlag,
  metadata: readMetadata,
  serviceConfiguration: readFlag,
  disabledServices: readWords,
  simpleConversionEnabled: readFlag,
  internationalTitle: readInternational,
  internationalAbstract: readInternational,
};

const cascaded: FieldReaders = {
  ...common,
  nativeName: readText,
  forcedRemoteStyle: readText,
  preferredFormat: readText,
  minScale: readNumber,
  maxScale: readNumber,
  metadataBBoxRespected: readFlag,
  vendorParameters: readTextMap,
};

/** `<parameters><entry><string>k</string><string>v</string></entry></parameters>` */
const readParameters: ReadValue = (element) => {
  const values = readTextMap(element);
  return typeof values === 'object' && values !== null && !Array.isArray(values)
    ? { entry: Object.entries(values).map(([key, value]) => ({ string: [key, value] })) }
    : undefined;
};

/** Bands without the values that the data decides. */
const readBands: ReadValue = (element) => {
  const bands = listChildren(element, 'coverageDimension').map((band) => {
    const tree = readTree(band);
    const isObject = typeof tree === 'object' && tree !== null && !Array.isArray(tree);
    const { nullValues, ...others } = isObject ? (tree as Readonly<Record<string, Json>>) : {};
    const nulls = child(band, 'nullValues');
    const numbers = nulls === undefined ? [] : listChildElements(nulls).map(readTree);
    return { ...others, ...(numbers.length === 0 ? {} : { nullValues: { double: numbers } }) };
  });
  return bands.length === 0 ? undefined : { coverageDimension: bands as Json };
};

export const resourceReaders = {
  featureType: {
    ...common,
    nativeName: readText,
    cqlFilter: readText,
    maxFeatures: readNumber,
    numDecimals: readNumber,
    padWithZeros: readFlag,
    forcedDecimal: readFlag,
    responseSRS: readWords,
    overridingServiceSRS: readFlag,
    skipNumberMatched: readFlag,
    circularArcPresent: readFlag,
    linearizationTolerance: readNumber,
    encodeMeasures: readFlag,
    attributes: readAttributes,
  },
  coverage: {
    ...common,
    supportedFormats: readWords,
    interpolationMethods: readWords,
    defaultInterpolationMethod: readText,
    dimensions: readBands,
    requestSRS: readWords,
    responseSRS: readWords,
    parameters: readParameters,
  },
  wmsLayer: cascaded,
  wmtsLayer: cascaded,
} as const satisfies Readonly<Record<string, FieldReaders>>;

const readAttribution: ReadValue = (element) => {
  const texts = ['title', 'href', 'logoURL', 'logoType'].flatMap((name) => {
    const text = findText(element, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const sizes = ['logoWidth', 'logoHeight'].map((name) => [name, Number(findText(element, name) ?? 0) || 0] as const);
  return Object.fromEntries([...texts, ...sizes]);
};

const readLegend: ReadValue = (element) => {
  const tree = readTree(element);
  return typeof tree === 'object' ? tree : undefined;
};

export const layerReaders: FieldReaders = {
  legend: readLegend,
  enabled: readFlag,
  advertised: readFlag,
  queryable: readFlag,
  opaque: readFlag,
  metadata: readMetadata,
  attribution: readAttribution,
  authorityURLs: createItemsReader('AuthorityURL', ['name', 'href']),
  identifiers: createItemsReader('Identifier', ['authority', 'identifier']),
  defaultWMSInterpolationMethod: createChoiceReader(['Nearest', 'Bilinear', 'Bicubic']),
};

export const groupReaders: FieldReaders = {
  mode: createChoiceReader(['SINGLE', 'OPAQUE_CONTAINER', 'NAMED', 'CONTAINER', 'EO']),
  queryDisabled: readFlag,
  title: readText,
  abstractTxt: readText,
  enabled: readFlag,
  advertised: readFlag,
  metadataLinks: createItemsReader('metadataLink', links),
  bounds: readBox,
  metadata: readMetadata,
  attribution: readAttribution,
  authorityURLs: createItemsReader('AuthorityURL', ['name', 'href']),
  identifiers: createItemsReader('Identifier', ['authority', 'identifier']),
  keywords: readWords,
  internationalTitle: readInternational,
  internationalAbstract: readInternational,
};
