/**
 * Prints complex features as nested records that resemble GML, for debugging and tests; services use their own
 * encoders.
 */
import { encodeWkt } from '../../src/geometry/wkt-encode.ts';
import {
  type ComplexProperty,
  formatQualifiedName,
  type GeometryValue,
  isGeometryValue,
  type PropertyValue,
} from '../../src/vector/port/complex-feature.ts';

export function printFeature(feature: ComplexProperty): string {
  return formatLines(feature, '').join('\n');
}

function formatLines(property: ComplexProperty, indent: string): readonly string[] {
  const { id, type, value, children } = property;
  const name = formatQualifiedName(property.name);
  const attributes = [
    ...(id === undefined ? [] : [['gml:id', id]]),
    ...(type === undefined ? [] : [['xsi:type', formatQualifiedName(type)]]),
    ...property.attributes.map((each) => [formatQualifiedName(each.name), each.value]),
    ...(isGeometryValue(value) ? listGeometryAttributes(value) : []),
  ].map(([key = '', text = '']) => ` ${key}="${escapeText(text).replaceAll('"', '&quot;')}"`);
  const start = `${indent}<${name}${attributes.join('')}`;
  const text = value === undefined ? '' : escapeText(formatValue(value));
  if (children.length === 0) return [text === '' ? `${start}/>` : `${start}>${text}</${name}>`];
  const inner = children.flatMap((child) => formatLines(child, `${indent}  `));
  return [`${start}>`, ...(text === '' ? [] : [`${indent}  ${text}`]), ...inner, `${indent}</${name}>`];
}

function listGeometryAttributes(value: GeometryValue): readonly (readonly string[])[] {
  return [
    ...(value.kind === 'geometry' && value.id !== undefined ? [['gml:id', value.id]] : []),
    ...(value.srsName === undefined ? [] : [['srsName', value.srsName]]),
  ];
}

function formatValue(value: PropertyValue): string {
  if (!isGeometryValue(value)) return String(value);
  if (value.kind === 'geometry') return encodeWkt(value.geometry);
  return `${value.kind.toUpperCase()} (${value.positions.map((position) => position.join(' ')).join(', ')})`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
