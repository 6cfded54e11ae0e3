/** The short form of a complex feature: one value for each attribute of its type, as tables have them. */
import type { Geometry } from '../../vector/geometry.ts';
import type { Attribute, Feature, Value } from '../../vector/port.ts';
import { type ComplexFeature, type ComplexProperty, isGeometryValue } from '../read/complex-feature.ts';
import type { Names } from './described-type.ts';

/** `nameOf` is what attributes are called. */
export function shortFeature(content: ComplexFeature, attributes: readonly Attribute[], nameOf: Names): Feature {
  const byName = Map.groupBy(content.children, ({ name }) => nameOf(name));
  const values = attributes.map((attribute) => shortValue(byName.get(attribute.name) ?? [], attribute));
  return { id: content.id, values, content };
}

/** Of several the first, except for texts, which are all told. */
function shortValue(properties: readonly ComplexProperty[], attribute: Attribute): Value | Geometry {
  const [first] = properties;
  if (first === undefined) return null;
  if (attribute.kind === 'geometry') return geometryIn(first) ?? null;
  if (attribute.type === 'string') return properties.flatMap(textsIn).join(', ');
  return first.value === undefined || isGeometryValue(first.value) ? null : first.value;
}

function geometryIn({ value, children }: ComplexProperty): Geometry | undefined {
  if (isGeometryValue(value)) return value.kind === 'geometry' ? value.geometry : undefined;
  return children.map(geometryIn).find((each) => each !== undefined);
}

function textsIn({ value, children, attributes }: ComplexProperty): readonly string[] {
  if (value !== undefined) return isGeometryValue(value) ? [] : [String(value)];
  const inner = children.flatMap(textsIn);
  return inner.length > 0 ? inner : attributes.filter(({ name }) => name.local === 'href').map((each) => each.value);
}
