/** Formats granules as a WFS collection in GML 2. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import type { ListFrame } from '../../http/serialization/list-frame.ts';
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import type { Granule, GranuleAttribute, GranuleSchema, GranuleValue } from '../../raster/granules/port/port.ts';
import { getGranuleValue, type PlainAttribute, type Ring, readPolygons, shortenFloat } from './granule-values.ts';

const namespaces = [
  ['xs', 'http://www.w3.org/2001/XMLSchema'],
  ['gf', 'http://www.geoserver.org/rest/granules'],
  ['wfs', 'http://www.opengis.net/wfs'],
  ['gml', 'http://www.opengis.net/gml'],
  ['ogc', 'http://www.opengis.net/ogc'],
]
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join('');

const ROOT = 'wfs:FeatureCollection';

/** `bounds` are those of the whole collection; each member has its own as well on request. */
export function createGmlFrame(
  schema: GranuleSchema,
  bounds: Bounds | undefined,
  members: 'with bounds' | 'without bounds',
): ListFrame<Granule> {
  const footprint = schema.attributes.find((each) => each.role === 'footprint');
  const system = formatSrsName(footprint?.crs ?? {});
  const element = `gf:${encodeElementName(schema.name)}`;
  const properties = schema.attributes.map((attribute) => ({
    attribute,
    name: `gf:${encodeElementName(attribute.name)}`,
  }));
  const before = `<?xml version="1.0" encoding="UTF-8"?>\n<${ROOT}${namespaces}>\n${formatBounds(bounds, system)}`;
  const after = `</${ROOT}>\n`;
  return {
    before,
    item: (granule) =>
      `  <gml:featureMember>\n    <${element} fid="${escapeAttribute(granule.id)}">\n${
        members === 'with bounds' ? formatGranuleBounds(granule, system) : ''
      }${properties.map((each) => formatProperty(granule, each, system)).join('')}    </${element}>\n  </gml:featureMember>\n`,
    between: '',
    after,
    empty: `${before}${after}`,
  };
}

/** The attribute that states the CRS of the coordinates; empty if it is unknown. */
function formatSrsName({ code }: CrsReference): string {
  const [authority, number] = code?.split(':') ?? [];
  return authority === 'EPSG' ? ` srsName="http://www.opengis.net/gml/srs/epsg.xml#${number}"` : '';
}

function formatBounds(bounds: Bounds | undefined, system: string): string {
  if (bounds === undefined) return '  <gml:boundedBy>\n    <gml:null>unknown</gml:null>\n  </gml:boundedBy>\n';
  const formatCorner = (x: number, y: number): string =>
    `      <gml:coord>\n        <gml:X>${x}</gml:X>\n        <gml:Y>${y}</gml:Y>\n      </gml:coord>\n`;
  const corners = `${formatCorner(bounds.minX, bounds.minY)}${formatCorner(bounds.maxX, bounds.maxY)}`;
  return `  <gml:boundedBy>\n    <gml:Box${system}>\n${corners}    </gml:Box>\n  </gml:boundedBy>\n`;
}

function formatGranuleBounds({ footprint }: Granule, system: string): string {
  const bounds = computeGeometryBounds(footprint);
  if (bounds === undefined) return '';
  const corners = formatCoordinates([
    [bounds.minX, bounds.minY],
    [bounds.maxX, bounds.maxY],
  ]);
  return `      <gml:boundedBy>\n        <gml:Box${system}>\n          ${corners}\n        </gml:Box>\n      </gml:boundedBy>\n`;
}

function formatCoordinates(ring: Ring): string {
  return `<gml:coordinates>${ring.map(([x, y]) => `${x},${y}`).join(' ')}</gml:coordinates>`;
}

interface Property {
  readonly attribute: GranuleAttribute;
  /** Name of the element. */
  readonly name: string;
}

/** Attributes without a value are omitted. */
function formatProperty(granule: Granule, { attribute, name }: Property, system: string): string {
  if (attribute.role === 'footprint') {
    if (granule.footprint.ordinates.length === 0) return '';
    return `      <${name}>\n${formatGeometry(granule.footprint, system)}      </${name}>\n`;
  }
  const value = getGranuleValue(granule, attribute);
  return value === null ? '' : `      <${name}>${escapeText(formatValue(value, attribute))}</${name}>\n`;
}

function formatGeometry(footprint: Geometry, system: string): string {
  const polygons = readPolygons(footprint);
  if (footprint.type !== 'MultiPolygon') return formatPolygon(polygons[0] ?? [], system, '        ');
  const members = polygons.map(
    (rings) =>
      `          <gml:polygonMember>\n${formatPolygon(rings, '', '            ')}          </gml:polygonMember>\n`,
  );
  return `        <gml:MultiPolygon${system}>\n${members.join('')}        </gml:MultiPolygon>\n`;
}

function formatPolygon(rings: readonly Ring[], system: string, indent: string): string {
  const boundaries = rings.map((ring, index) => {
    const name = index === 0 ? 'gml:outerBoundaryIs' : 'gml:innerBoundaryIs';
    const line = `${indent}    <gml:LinearRing>\n${indent}      ${formatCoordinates(ring)}\n${indent}    </gml:LinearRing>\n`;
    return `${indent}  <${name}>\n${line}${indent}  </${name}>\n`;
  });
  return `${indent}<gml:Polygon${system}>\n${boundaries.join('')}${indent}</gml:Polygon>\n`;
}

/** Floating-point numbers always have a decimal point, as readers of the reference format expect: `50.0`. */
function formatValue(value: Exclude<GranuleValue, null>, attribute: PlainAttribute): string {
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  const type = attribute.role === 'value' ? attribute.type : undefined;
  if (typeof value !== 'number' || (type !== 'double' && type !== 'float')) return String(value);
  const shown = String(type === 'float' ? shortenFloat(value) : value);
  return /^-?\d+$/.test(shown) ? `${shown}.0` : shown;
}

type Range = readonly [first: number, last: number];

/** Code points that XML allows at the start of names and after it; the colon is reserved. */
const nameStarts: readonly Range[] = [
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2ff],
  [0x370, 0x37d],
  [0x37f, 0x1fff],
  [0x200c, 0x200d],
  [0x2070, 0x218f],
  [0x2c00, 0x2fef],
  [0x3001, 0xd7ff],
  [0xf900, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0x10000, 0xeffff],
];
const nameParts: readonly Range[] = [
  ...nameStarts,
  [0x2d, 0x2e],
  [0x30, 0x39],
  [0xb7, 0xb7],
  [0x300, 0x36f],
  [0x203f, 0x2040],
];

/** Characters that an element name cannot contain are escaped: `_x0020_` for a space. */
function encodeElementName(name: string): string {
  let written = '';
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0;
    const isFitting = (written === '' ? nameStarts : nameParts).some(([first, last]) => first <= code && code <= last);
    written += isFitting ? character : `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
  }
  return written;
}
