/** Shows complex features as nested records that look like GML, for people and for tests; services have encoders of their own. */
import { encodeWkt } from '../../vector/wkt-encode.ts';
import {
  type ComplexProperty,
  type GeometryValue,
  isGeometryValue,
  nameText,
  type PropertyValue,
} from './complex-feature.ts';

export function printFeature(feature: ComplexProperty): string {
  return linesOf(feature, '').join('\n');
}

function linesOf(property: ComplexProperty, indent: string): readonly string[] {
  const { id, type, value, children } = property;
  const name = nameText(property.name);
  const attributes = [
    ...(id === undefined ? [] : [['gml:id', id]]),
    ...(type === undefined ? [] : [['xsi:type', nameText(type)]]),
    ...property.attributes.map((each) => [nameText(each.name), each.value]),
    ...(isGeometryValue(value) ? geometryAttributes(value) : []),
  ].map(([key = '', text = '']) => ` ${key}="${escaped(text).replaceAll('"', '&quot;')}"`);
  const start = `${indent}<${name}${attributes.join('')}`;
  const text = value === undefined ? '' : escaped(textOf(value));
  if (children.length === 0) return [text === '' ? `${start}/>` : `${start}>${text}</${name}>`];
  const inner = children.flatMap((child) => linesOf(child, `${indent}  `));
  return [`${start}>`, ...(text === '' ? [] : [`${indent}  ${text}`]), ...inner, `${indent}</${name}>`];
}

function geometryAttributes(value: GeometryValue): readonly (readonly string[])[] {
  return [
    ...(value.kind === 'geometry' && value.id !== undefined ? [['gml:id', value.id]] : []),
    ...(value.srsName === undefined ? [] : [['srsName', value.srsName]]),
  ];
}

function textOf(value: PropertyValue): string {
  if (!isGeometryValue(value)) return String(value);
  if (value.kind === 'geometry') return encodeWkt(value.geometry);
  return `${value.kind.toUpperCase()} (${value.positions.map((position) => position.join(' ')).join(', ')})`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
