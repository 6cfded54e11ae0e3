/** KML 2.2 encoder: a folder per type and a placemark per feature, with values as schema data. */

import type { Geometry } from '../../geometry/geometry.ts';
import { escapeAttribute, escapeHtml, escapeText } from '../../lib/xml/escape.ts';
import { findLabelPoint } from '../../tiles/vector/label-point.ts';
import type { Attribute, Feature, ValueType } from '../../vector/port/port.ts';
import { toXmlName } from '../gml/xml-names.ts';
import { formatXmlValue, writeXmlText, writeXmlValue } from '../gml/xml-text.ts';
import { writePlacemarkStyle } from '../port/placemark-style.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet, KmlContent } from '../port/port.ts';
import { type TextDocument, writeDocument } from '../writing/text-document.ts';
import type { TextWriter } from '../writing/text-writer.ts';
import { countPositions, isEmptyGeometry, isGeometry, toWritableGeometry } from '../writing/writable-geometry.ts';

/** Features must be in longitude and latitude, the only CRS of KML. */
export const kml: FeatureEncoder = {
  encode: (collection, signal) => writeDocument(createDocument(collection), collection, signal),
};

/** KML field types; there are none for large integers, dates and bytes. */
const fieldTypes: Readonly<Record<ValueType, string>> = {
  string: 'string',
  boolean: 'bool',
  short: 'short',
  integer: 'int',
  long: 'string',
  float: 'float',
  double: 'double',
  decimal: 'double',
  date: 'string',
  time: 'string',
  timestamp: 'string',
  bytes: 'string',
  uuid: 'string',
};

const defaultContent: KmlContent = {
  head: '',
  overlays: [],
  hasDescriptions: false,
  hasExtendedData: true,
  hasPoints: false,
};

function createDocument({ sets, options: { kml: content = defaultContent } }: FeatureCollection): TextDocument {
  const { title, head, overlays, hasExtendedData } = content;
  return {
    begin: (out) => {
      const name = title === undefined ? '' : `<name>${escapeText(title)}</name>`;
      out.writeRaw('<?xml version="1.0" encoding="UTF-8"?>\n');
      out.writeRaw(`<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${name}${head}`);
      for (const [index, set] of sets.entries()) {
        if (hasExtendedData) out.writeRaw(writeSchema(set, createSchemaId(set, index)));
      }
      for (const overlay of overlays) out.writeRaw(overlay);
    },
    beginSet: (out, set) => {
      const note = set.note === undefined ? '' : `<description>${escapeText(set.note)}</description>`;
      out.writeRaw(`<Folder><name>${escapeText(set.typeName.local)}</name>${note}`);
      return createPlacemarkWriter(out, set, createSchemaId(set, sets.indexOf(set)), content);
    },
    endSet: (out) => out.writeRaw('</Folder>'),
    end: (out) => out.writeRaw('</Document></kml>'),
  };
}

/** Unique even if two queries have the same type. */
function createSchemaId({ typeName }: FeatureSet, index: number): string {
  return index === 0 ? toXmlName(typeName.local) : `${toXmlName(typeName.local)}.${index + 1}`;
}

function writeSchema({ typeName, description }: FeatureSet, id: string): string {
  const fields = description.attributes
    .filter(isValue)
    .map(({ name, type }) => `<SimpleField name="${escapeAttribute(name)}" type="${fieldTypes[type]}"/>`);
  return `<Schema name="${escapeAttribute(typeName.local)}" id="${id}">${fields.join('')}</Schema>`;
}

function isValue(attribute: Attribute): attribute is Extract<Attribute, { kind: 'value' }> {
  return attribute.kind === 'value';
}

function createPlacemarkWriter(
  out: TextWriter,
  { description, findStyle: lookOf }: FeatureSet,
  schema: string,
  { hasDescriptions, hasExtendedData, hasPoints }: KmlContent,
): (feature: Feature) => void {
  const { attributes, defaultGeometry } = description;
  const place = attributes.findIndex(({ name }) => name === defaultGeometry);
  const columns = attributes.map(createColumn);
  return (feature) => {
    const { id, values } = feature;
    const look = lookOf?.(feature);
    out.writeRaw(`<Placemark id="${toXmlName(id)}"><name>`);
    writeXmlText(out, look?.title ?? look?.label?.text ?? id);
    out.writeRaw('</name>');
    const text = look?.description ?? (hasDescriptions ? describeValues(columns, feature) : undefined);
    if (text !== undefined) {
      out.writeRaw('<description>');
      writeXmlText(out, text);
      out.writeRaw('</description>');
    }
    const geometry = toWritableGeometry(values[place]);
    const point = hasPoints && geometry !== null ? findPlacemarkPoint(geometry) : undefined;
    if (look !== undefined) out.writeRaw(writePlacemarkStyle(look, point !== undefined));
    if (hasExtendedData) writeExtendedData(out, columns, feature, schema);
    if (geometry !== null && !isEmptyGeometry(geometry)) {
      if (point !== undefined) {
        out.writeRaw('<MultiGeometry>');
        writeGeometry(out, point);
      }
      writeGeometry(out, geometry);
      if (point !== undefined) out.writeRaw('</MultiGeometry>');
    }
    out.writeRaw('</Placemark>');
  };
}

interface Column {
  /** Escaped for HTML. */
  readonly title: string;
  readonly startTag: string;
  readonly type: ValueType;
}

/** Undefined for geometries. */
function createColumn(attribute: Attribute): Column | undefined {
  if (!isValue(attribute)) return undefined;
  const { name, type } = attribute;
  return { title: escapeHtml(name), startTag: `<SimpleData name="${escapeAttribute(name)}">`, type };
}

type Columns = readonly (Column | undefined)[];

function writeExtendedData(out: TextWriter, columns: Columns, { values }: Feature, schema: string): void {
  out.writeRaw(`<ExtendedData><SchemaData schemaUrl="#${schema}">`);
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index];
    const value = values[index] ?? null;
    if (column === undefined || value === null || isGeometry(value)) continue;
    out.writeRaw(column.startTag);
    // Readers that expect a number parse words as 0.
    writeXmlValue(out, typeof value === 'boolean' ? Number(value) : value, column.type);
    out.writeRaw('</SimpleData>');
  }
  out.writeRaw('</SchemaData></ExtendedData>');
}

/** The maximum length of a value in a balloon; the schema data has the whole value. */
const MAX_BALLOON_CHARACTERS = 1_000;

/** Returns the values of a feature as an HTML table, without bytes. */
function describeValues(columns: Columns, { values }: Feature): string {
  const rows = columns.flatMap((column, index) => {
    const value = values[index] ?? null;
    if (column === undefined || value === null || value instanceof Uint8Array || isGeometry(value)) return [];
    const text = formatXmlValue(value, column.type);
    const shown = text.length > MAX_BALLOON_CHARACTERS ? `${text.slice(0, MAX_BALLOON_CHARACTERS)}…` : text;
    return [`<tr><th>${column.title}</th><td>${escapeHtml(shown)}</td></tr>`];
  });
  return `<table>${rows.join('')}</table>`;
}

/** Finding a point of a larger geometry would take more than some milliseconds; it has none. */
const MAX_MARKED_POSITIONS = 100_000;

/** Returns undefined for points, which have a position of their own. */
function findPlacemarkPoint(geometry: Geometry): Geometry | undefined {
  const { type } = geometry;
  if (type === 'Point' || type === 'MultiPoint' || isEmptyGeometry(geometry)) return undefined;
  return countPositions(geometry) > MAX_MARKED_POSITIONS ? undefined : findLabelPoint(geometry);
}

/** All multi geometries become MultiGeometry. */
function writeGeometry(out: TextWriter, geometry: Geometry): void {
  const { type, dimension, ordinates, ends, parts, members = [] } = geometry;
  const count = ordinates.length / dimension.length;
  switch (type) {
    case 'Point':
      writeLine(out, 'Point', geometry, 0, count);
      return;
    case 'LineString':
      writeLine(out, 'LineString', geometry, 0, count);
      return;
    case 'Polygon':
      writePolygon(out, geometry, 0, ends.length);
      return;
    default:
      out.writeRaw('<MultiGeometry>');
      if (type === 'MultiPoint') out.writeEach(count, (at) => writeLine(out, 'Point', geometry, at, at + 1));
      if (type === 'MultiLineString')
        out.writeEach(ends.length, (line) =>
          writeLine(out, 'LineString', geometry, ends[line - 1] ?? 0, ends[line] ?? 0),
        );
      if (type === 'MultiPolygon')
        out.writeEach(parts.length, (part) => writePolygon(out, geometry, parts[part - 1] ?? 0, parts[part] ?? 0));
      out.writeEach(members.length, (index) => {
        const member = members[index];
        if (member !== undefined && !isEmptyGeometry(member)) writeGeometry(out, member);
      });
      out.writeRaw('</MultiGeometry>');
  }
}

function writePolygon(out: TextWriter, geometry: Geometry, from: number, to: number): void {
  out.writeRaw('<Polygon>');
  out.writeEach(to - from, (index) => {
    const ring = from + index;
    const border = index === 0 ? 'outerBoundaryIs' : 'innerBoundaryIs';
    out.writeRaw(`<${border}>`);
    writeLine(out, 'LinearRing', geometry, geometry.ends[ring - 1] ?? 0, geometry.ends[ring] ?? 0);
    out.writeRaw(`</${border}>`);
  });
  out.writeRaw('</Polygon>');
}

function writeLine(
  out: TextWriter,
  element: 'Point' | 'LineString' | 'LinearRing',
  { ordinates, dimension }: Geometry,
  start: number,
  end: number,
): void {
  const size = dimension.length;
  out.writeRaw(`<${element}><coordinates>`);
  out.writeEach(end - start, (index) => {
    const at = (start + index) * size;
    const z = dimension.includes('Z') ? (ordinates[at + 2] ?? Number.NaN) : Number.NaN;
    if (index > 0) out.writeRaw(' ');
    out.writeNumber(ordinates[at] ?? 0);
    out.writeRaw(',');
    out.writeNumber(ordinates[at + 1] ?? 0);
    if (!Number.isFinite(z)) return;
    out.writeRaw(',');
    out.writeNumber(z);
  });
  out.writeRaw(`</coordinates></${element}>`);
}
