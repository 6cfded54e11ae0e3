/** Writes nested features of application schemas as GML, each property in its namespace. */

import { readSpelledCrs } from '../../crs/model/crs-code.ts';
import { type GmlVersion, isGmlNamespace, XSI } from '../../geometry/gml/version.ts';
import { escapeAttribute } from '../../lib/xml/escape.ts';
import { type ComplexProperty, type GeometryValue, isGeometryValue, XLINK } from '../../vector/port/complex-feature.ts';
import type { QualifiedName } from '../../vector/port/mapping.ts';
import type { WrittenCrs } from '../port/port.ts';
import type { TextWriter } from '../writing/text-writer.ts';
import { toWritableGeometry } from '../writing/writable-geometry.ts';
import { createGmlForm, type GmlForm, isWritable, writeGeometryGml } from './geometry-gml.ts';
import { toXmlName, toXmlPrefix } from './xml-names.ts';
import { writeXmlText } from './xml-text.ts';

/** Also writes a single property of a feature; `id` is that of the feature and prefixes the ids of geometries. */
export type WriteComplexFeature = (feature: ComplexProperty, declarations: string, id: string) => void;

/** Namespaces with conventional prefixes; GML has several URIs. */
const defaultPrefixes: ReadonlyMap<string, string> = new Map([
  [XSI, 'xsi'],
  [XLINK, 'xlink'],
]);

/** The number of object ids that are remembered to avoid duplicates; later objects can be written twice. */
const MAX_REMEMBERED = 100_000;

export function createComplexFeatureWriter(out: TextWriter, crs: WrittenCrs, version: GmlVersion): WriteComplexFeature {
  const own = createGmlForm(version, crs);
  /** The ids of features and nested objects in this document. */
  const written = new Set<string>();

  /**
   * Coordinates in another CRS than that of the response are written x before y with a CRS name that implies this
   * order.
   */
  const getForm = ({ srsName }: GeometryValue): GmlForm => {
    const code = srsName === undefined ? undefined : readSpelledCrs(srsName)?.code;
    if (srsName === undefined || code === crs.reference.code) return own;
    return createGmlForm(version, { name: code ?? srsName, isNorthFirst: false });
  };

  return (feature, declarations, featureId) => {
    const prefixes = new Map<string, string>();
    collectPrefixes(feature, prefixes);
    const formatQualifiedName = ({ local, uri, prefix }: QualifiedName): string => {
      if (isGmlNamespace(uri)) return `gml:${toXmlName(local)}`;
      return uri === '' && prefix === '' ? toXmlName(local) : `${prefixes.get(uri)}:${toXmlName(local)}`;
    };
    const namespaces = [...prefixes]
      // Every document of ours has declared that one.
      .filter(([uri]) => uri !== XSI)
      .map(([uri, prefix]) => ` xmlns:${prefix}="${escapeAttribute(uri)}"`)
      .join('');
    const idName = version === '2.1.2' ? 'fid' : 'gml:id';
    let geometries = 0;

    /** An object that the document already contains is referenced, because ids must be unique. */
    const findRepeatedId = ({ children: [only, ...others], attributes }: ComplexProperty): string | undefined =>
      only?.id !== undefined && others.length === 0 && attributes.length === 0 && written.has(only.id)
        ? only.id
        : undefined;

    const write = (property: ComplexProperty, extra: string): void => {
      const { id, type, value, children, attributes } = property;
      const element = formatQualifiedName(property.name);
      const known = findRepeatedId(property);
      if (known !== undefined) {
        out.writeRaw(`<${element} xmlns:xlink="${XLINK}" xlink:href="#${toXmlName(known)}"/>`);
        return;
      }
      if (id !== undefined && written.size < MAX_REMEMBERED) written.add(id);
      out.writeRaw(`<${element}${extra}`);
      if (id !== undefined) out.writeRaw(` ${idName}="${toXmlName(id)}"`);
      if (type !== undefined) out.writeRaw(` xsi:type="${formatQualifiedName(type)}"`);
      for (const each of attributes)
        out.writeRaw(` ${formatQualifiedName(each.name)}="${escapeAttribute(each.value)}"`);
      if (value === undefined && children.length === 0) {
        out.writeRaw('/>');
        return;
      }
      out.writeRaw('>');
      if (isGeometryValue(value)) writeGeometry(value);
      else if (value !== undefined) writeXmlText(out, String(value));
      for (const child of children) write(child, '');
      out.writeRaw(`</${element}>`);
    };

    const writeGeometry = (value: GeometryValue): void => {
      geometries += 1;
      const id = `${toXmlName(featureId)}.geometry.${geometries}`;
      const form = getForm(value);
      if (value.kind === 'geometry') {
        const geometry = toWritableGeometry(value.geometry);
        if (geometry !== null && isWritable(geometry, version))
          writeGeometryGml(out, geometry, form, value.id === undefined ? id : toXmlName(value.id));
      } else {
        writePositions(out, value, form, id);
      }
    };

    write(feature, `${declarations}${namespaces}`);
  };
}

/** Each namespace has the prefix of the mapping, unless that prefix is taken. */
function collectPrefixes(property: ComplexProperty, prefixes: Map<string, string>): void {
  const add = ({ uri, prefix }: QualifiedName): void => {
    if (uri === '' || isGmlNamespace(uri) || prefixes.has(uri)) return;
    const preferred = defaultPrefixes.get(uri) ?? toXmlPrefix(prefix);
    const taken = new Set(prefixes.values());
    let free = preferred;
    for (let number = 1; taken.has(free); number += 1) free = `${preferred}${number}`;
    prefixes.set(uri, free);
  };
  add(property.name);
  if (property.type !== undefined) add(property.type);
  for (const { name } of property.attributes) add(name);
  for (const child of property.children) collectPrefixes(child, prefixes);
}

/** Writes positions from single numbers, which can be one-dimensional. */
function writePositions(
  out: TextWriter,
  { kind, positions }: Exclude<GeometryValue, { readonly kind: 'geometry' }>,
  { version, isNorthFirst, srsName }: GmlForm,
  id: string,
): void {
  const formatPosition = ([x, y, ...others]: readonly number[]): string =>
    (isNorthFirst && x !== undefined && y !== undefined ? [y, x, ...others] : [x, y, ...others])
      .filter((each) => each !== undefined)
      .join(' ');
  const attributes = `${srsName} srsDimension="${positions[0]?.length ?? 2}"`;
  const idText = version === '3.2.1' ? ` gml:id="${id}"` : '';
  const [first = [], second = []] = positions;
  switch (kind) {
    case 'position':
      out.writeRaw(`<gml:pos${attributes}>${formatPosition(first)}</gml:pos>`);
      return;
    case 'envelope':
      out.writeRaw(
        `<gml:Envelope${attributes}><gml:lowerCorner>${formatPosition(first)}</gml:lowerCorner><gml:upperCorner>${formatPosition(second)}</gml:upperCorner></gml:Envelope>`,
      );
      return;
    case 'line':
      out.writeRaw(
        `<gml:LineString${idText}${attributes}><gml:posList>${positions.map(formatPosition).join(' ')}</gml:posList></gml:LineString>`,
      );
  }
}
