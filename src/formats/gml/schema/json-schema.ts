/** Writes the JSON description of feature types for WFS clients. */
import type { QualifiedName } from '../../../vector/port/mapping.ts';
import type { Attribute, ValueType } from '../../../vector/port/port.ts';
import { type DescribedType, getOccurrences } from './described-type.ts';

/** Coarser than XML Schema: one type for all integers and one for all other numbers. */
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

/** All types have the same namespace. */
export function writeJsonSchema(types: readonly DescribedType[]): string {
  return `${writeJsonSchemaStart(types[0]?.typeName)}${types.map(writeJsonTypeSchema).join(',')}${jsonSchemaEnd}`;
}

/** Writes the text before the types, which are separated by commas. */
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
