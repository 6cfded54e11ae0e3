/** The flat form of a complex feature: one value per attribute of its type. */
import type { Geometry } from '../../../geometry/geometry.ts';
import { type ComplexFeature, type ComplexProperty, isGeometryValue } from '../../port/complex-feature.ts';
import type { Attribute, Feature, Value } from '../../port/port.ts';
import type { ElementNamer } from './describe-mapped-type.ts';

/** Converts a complex feature; `formatElementName` returns attribute names. */
export function toShortFeature(
  content: ComplexFeature,
  attributes: readonly Attribute[],
  formatElementName: ElementNamer,
): Feature {
  const byName = Map.groupBy(content.children, ({ name }) => formatElementName(name));
  const values = attributes.map((attribute) => toShortValue(byName.get(attribute.name) ?? [], attribute));
  return { id: content.id, values, content };
}

/** Returns the first of several values, except for texts, which are joined. */
function toShortValue(properties: readonly ComplexProperty[], attribute: Attribute): Value | Geometry {
  const [first] = properties;
  if (first === undefined) return null;
  if (attribute.kind === 'geometry') return findGeometry(first) ?? null;
  if (attribute.type === 'string') return properties.flatMap(collectTexts).join(', ');
  return first.value === undefined || isGeometryValue(first.value) ? null : first.value;
}

function findGeometry({ value, children }: ComplexProperty): Geometry | undefined {
  if (isGeometryValue(value)) return value.kind === 'geometry' ? value.geometry : undefined;
  return children.map(findGeometry).find((each) => each !== undefined);
}

function collectTexts({ value, children, attributes }: ComplexProperty): readonly string[] {
  if (value !== undefined) return isGeometryValue(value) ? [] : [String(value)];
  const inner = children.flatMap(collectTexts);
  return inner.length > 0 ? inner : attributes.filter(({ name }) => name.local === 'href').map((each) => each.value);
}
