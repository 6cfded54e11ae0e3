/** The types of parameters of stored queries, and the values that they allow. */
import type { XmlElement } from '../../lib/xml/element.ts';

/** The value of a parameter: text, or a geometry as an element of GML. */
export type StoredQueryValue = string | XmlElement;

interface TextType {
  readonly kind: 'text';
  readonly expected: string;
  /** A valid value, with which new queries are checked. */
  readonly sample: string;
  /** Whether any text is valid. */
  readonly isAny: boolean;
  readonly allows: (value: string) => boolean;
}

interface GeometryType {
  readonly kind: 'geometry';
  readonly expected: string;
  readonly allows: (element: XmlElement) => boolean;
  /** A valid value. */
  readonly sample: string;
}

export type ParameterType = TextType | GeometryType;

const anyText: TextType = { kind: 'text', expected: 'text', sample: 'a', isAny: true, allows: () => true };

function createTextType(expected: string, sample: string, allows: (value: string) => boolean): TextType {
  return { kind: 'text', expected, sample, isAny: false, allows };
}

function createIntegerType(min?: bigint, max?: bigint): TextType {
  const lower = min === undefined ? '' : ` from ${min}`;
  const upper = max === undefined ? '' : `${min === undefined ? ' up' : ''} to ${max}`;
  const sample = String(max !== undefined && max < 1n ? max : 1n);
  return createTextType(`a whole number${lower}${upper}`, sample, (value) => {
    if (!/^[+-]?\d{1,30}$/.test(value)) return false;
    const number = BigInt(value.replace('+', ''));
    return (min === undefined || number >= min) && (max === undefined || number <= max);
  });
}

const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const zone = '(?:Z|[+-]\\d{2}:\\d{2})?';
const day = '-?\\d{4,6}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?';
const dateType = createTextType('a date such as 2026-05-01', '2026-05-01', (value) =>
  new RegExp(`^${day}${zone}$`).test(value),
);
const timeType = createTextType('a time such as 12:30:00Z', '12:30:00Z', (value) =>
  new RegExp(`^${clock}${zone}$`).test(value),
);
const momentType = createTextType('a date and time such as 2026-05-01T12:30:00Z', '2026-05-01T12:30:00Z', (value) =>
  new RegExp(`^${day}T${clock}${zone}$`).test(value),
);
const numberType = createTextType(
  'a number',
  '1',
  (value) => numberPattern.test(value) && Number.isFinite(Number(value)),
);

const schemaTypes: Readonly<Record<string, TextType>> = {
  string: anyText,
  normalizedString: anyText,
  token: anyText,
  anyURI: anyText,
  QName: anyText,
  NCName: anyText,
  Name: anyText,
  language: anyText,
  anySimpleType: anyText,
  anyType: anyText,
  boolean: createTextType('true or false', 'true', (value) => /^(?:true|false|1|0)$/.test(value)),
  decimal: numberType,
  double: numberType,
  float: numberType,
  integer: createIntegerType(),
  long: createIntegerType(-(2n ** 63n), 2n ** 63n - 1n),
  int: createIntegerType(-(2n ** 31n), 2n ** 31n - 1n),
  short: createIntegerType(-32_768n, 32_767n),
  byte: createIntegerType(-128n, 127n),
  nonNegativeInteger: createIntegerType(0n),
  positiveInteger: createIntegerType(1n),
  nonPositiveInteger: createIntegerType(undefined, 0n),
  negativeInteger: createIntegerType(undefined, -1n),
  unsignedLong: createIntegerType(0n, 2n ** 64n - 1n),
  unsignedInt: createIntegerType(0n, 2n ** 32n - 1n),
  unsignedShort: createIntegerType(0n, 65_535n),
  unsignedByte: createIntegerType(0n, 255n),
  date: dateType,
  time: timeType,
  dateTime: momentType,
};

/** The elements that each geometry type allows besides the one of its own name; undefined for every geometry. */
const geometryElements: Readonly<Record<string, readonly string[] | undefined>> = {
  AbstractGeometry: undefined,
  Geometry: undefined,
  Point: [],
  LineString: [],
  Curve: ['LineString'],
  AbstractCurve: ['Curve', 'LineString'],
  Polygon: [],
  Surface: ['Polygon'],
  AbstractSurface: ['Surface', 'Polygon'],
  MultiPoint: [],
  MultiLineString: ['MultiCurve'],
  MultiCurve: ['MultiLineString'],
  MultiPolygon: ['MultiSurface'],
  MultiSurface: ['MultiPolygon'],
  MultiGeometry: [],
  Envelope: ['Box'],
  Box: ['Envelope'],
};

const GML = 'http://www.opengis.net/gml';

const sampleGeometries: Readonly<Record<string, string>> = {
  Envelope: '<gml:lowerCorner>0 0</gml:lowerCorner><gml:upperCorner>1 1</gml:upperCorner>',
  Polygon: '<gml:exterior><gml:LinearRing><gml:posList>0 0 0 1 1 1 0 0</gml:posList></gml:LinearRing></gml:exterior>',
  Point: '<gml:pos>0 0</gml:pos>',
};

function createGeometryType(name: string): GeometryType {
  const others = geometryElements[name];
  const sample = name === 'Box' ? 'Envelope' : sampleGeometries[name] === undefined ? 'Point' : name;
  const allowed = others === undefined ? undefined : [name, ...others].filter((each) => !each.startsWith('Abstract'));
  const names = allowed === undefined ? 'geometry' : allowed.join(' or ');
  return {
    kind: 'geometry',
    expected: `a ${names} element of GML`,
    sample: `<gml:${sample} xmlns:gml="${GML}/3.2">${sampleGeometries[sample]}</gml:${sample}>`,
    allows: ({ uri, local }) => uri.startsWith(GML) && (allowed === undefined || allowed.includes(local)),
  };
}

/** The canonical name of a type; undefined for unknown ones. Prefixes may be those of the client. */
export function readTypeName(written: string, scope: ReadonlyMap<string, string> = new Map()): string | undefined {
  const [, prefix = '', local = ''] = /^\s*(?:([^:]*):)?([^:]*?)\s*$/.exec(written) ?? [];
  const namespace = scope.get(prefix) ?? prefix;
  const geometry = local.replace(/(?:Property)?Type$/, '');
  if (Object.hasOwn(geometryElements, geometry) && (namespace === 'gml' || namespace.startsWith(GML))) {
    return `gml:${geometry}Type`;
  }
  const isSchema = ['', 'xs', 'xsd', 'http://www.w3.org/2001/XMLSchema'].includes(namespace);
  return isSchema && Object.hasOwn(schemaTypes, local) ? `xs:${local}` : undefined;
}

/** The names that an error lists. */
export const offeredTypes = 'xs:string, xs:int, xs:double, xs:boolean, xs:date, xs:dateTime, gml:PolygonType';

/** Returns the type of a canonical name. */
export function getParameterType(name: string): ParameterType {
  const local = name.slice(name.indexOf(':') + 1);
  return name.startsWith('gml:')
    ? createGeometryType(local.replace(/Type$/, ''))
    : ((Object.hasOwn(schemaTypes, local) ? schemaTypes[local] : undefined) ?? anyText);
}
