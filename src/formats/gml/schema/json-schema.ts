/** Feature types as the clients of WFS know them in JSON. */
import type { QualifiedName } from '../../../vector/port/mapping.ts';
import type { Attribute, ValueType } from '../../../vector/port/port.ts';
import { type DescribedType, getOccurrences } from './described-type.ts';

/** Fewer than XML Schema has: all whole numbers are one, and all others another. */
const jsonTypes: Readonly<Record<ValueType, string>> = {
  string: 'string',
  boolean: 'boolean',
  short: 'int',
  integer: 'int',
  long: 'int',
  float: 'number',
  double: 'number',
  decimal: 'number',
  date: 'date',
  time: 'time',
  timestamp: 'date-time',
  bytes: 'base64Binary',
  uuid: 'string',
};

/** Types of one namespace. */
export function writeJsonSchema(types: readonly DescribedType[]): string {
  return `${writeJsonSchemaStart(types[0]?.typeName)}${types.map(writeJsonTypeSchema).join(',')}${jsonSchemaEnd}`;
}

/** What stands before the types, which have commas between them. */
export function writeJsonSchemaStart(first: Pick<QualifiedName, 'prefix' | 'uri'> | undefined): string {
  const { prefix = '', uri = '' } = first ?? {};
  const names = JSON.stringify({ elementFormDefault: 'qualified', targetNamespace: uri, targetPrefix: prefix });
  return `${names.slice(0, -1)},"featureTypes":[`;
}

export const jsonSchemaEnd = ']}';

export function writeJsonTypeSchema({ typeName, description }: DescribedType): string {
  return JSON.stringify({ typeName: typeName.local, properties: description.attributes.map(toJsonProperty) });
}

function toJsonProperty(attribute: Attribute) {
  const { min, max } = getOccurrences(attribute);
  const isGeometry = attribute.kind === 'geometry';
  const localType = isGeometry ? attribute.type : jsonTypes[attribute.type];
  return {
    name: attribute.name,
    maxOccurs: max,
    minOccurs: min,
    nillable: attribute.nillable,
    type: `${isGeometry ? 'gml' : 'xsd'}:${localType}`,
    localType,
  };
}
