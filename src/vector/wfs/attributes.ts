/** Reads the attributes of a type from the schema of a remote WFS. */

import { findAttribute, findChild, findChildren } from '../../cascade/xml-elements.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { GeometryType } from '../../geometry/geometry.ts';
import { geometryTypesByGmlForm } from '../../geometry/gml/gml-forms.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Attribute, ValueType } from '../port/port.ts';

const valueTypesByName: Readonly<Record<string, ValueType>> = {
  string: 'string',
  boolean: 'boolean',
  byte: 'short',
  short: 'short',
  unsignedByte: 'short',
  int: 'integer',
  integer: 'long',
  unsignedShort: 'integer',
  long: 'long',
  unsignedInt: 'long',
  nonNegativeInteger: 'long',
  positiveInteger: 'long',
  float: 'float',
  double: 'double',
  decimal: 'decimal',
  date: 'date',
  time: 'time',
  dateTime: 'timestamp',
  base64Binary: 'bytes',
};

/** Returns undefined if the schema does not define the type. */
export function findTypeAttributes(
  schema: XmlElement,
  local: string,
  crs: CrsReference,
): readonly Attribute[] | undefined {
  const element = findChildren(schema, 'element').find((each) => findAttribute(each, 'name') === local);
  const typeName = element === undefined ? undefined : removePrefix(findAttribute(element, 'type') ?? '');
  const type =
    (element && findChild(element, 'complexType')) ??
    findChildren(schema, 'complexType').find((each) => findAttribute(each, 'name') === (typeName ?? `${local}Type`));
  if (type === undefined) return undefined;
  const content = findChild(findChild(type, 'complexContent'), 'extension') ?? type;
  const sequence = findChild(content, 'sequence');
  const members = sequence === undefined ? [] : findChildren(sequence, 'element');
  return members.flatMap((member) => readAttribute(member, crs) ?? []);
}

function readAttribute(element: XmlElement, crs: CrsReference): Attribute | undefined {
  const referred = findAttribute(element, 'ref');
  const name = findAttribute(element, 'name') ?? (referred === undefined ? undefined : removePrefix(referred));
  if (name === undefined) return undefined;
  const nillable = findAttribute(element, 'nillable') === 'true' || findAttribute(element, 'minOccurs') === '0';
  const geometry = parseGeometryType(findAttribute(element, 'type') ?? referred ?? '');
  if (geometry !== undefined) return { name, nillable, kind: 'geometry', type: geometry, dimension: 'XY', crs };
  const restriction = findChild(findChild(element, 'simpleType'), 'restriction');
  const typeName = removePrefix(
    findAttribute(element, 'type') ?? (restriction && findAttribute(restriction, 'base')) ?? 'string',
  );
  const maxLength = restriction && findChild(restriction, 'maxLength');
  const length = Number(maxLength === undefined ? Number.NaN : findAttribute(maxLength, 'value'));
  const type = Object.hasOwn(valueTypesByName, typeName) ? (valueTypesByName[typeName] ?? 'string') : 'string';
  return { name, nillable, kind: 'value', type, ...(Number.isInteger(length) ? { maxLength: length } : {}) };
}

/** Parses `gml:MultiSurfacePropertyType`, or a reference to `gml:pointProperty`. */
function parseGeometryType(name: string): GeometryType | undefined {
  const [, word] = /(?:^|:)(\w+?)(?:Property(?:Type)?|AssociationType)$/.exec(name) ?? [];
  const known = Object.keys(geometryTypesByGmlForm).find((each) => each.toLowerCase() === word?.toLowerCase());
  return known === undefined ? undefined : geometryTypesByGmlForm[known];
}

function removePrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
