/** Converts the attributes of a type to a filter schema. */
import type { AttributeType, Schema } from '../../filter/model/schema.ts';
import type { Attribute, FeatureTypeDescription, ValueType } from './port.ts';

const types: Readonly<Record<ValueType, AttributeType>> = {
  string: 'text',
  boolean: 'boolean',
  short: 'number',
  integer: 'number',
  long: 'number',
  float: 'number',
  double: 'number',
  decimal: 'decimal',
  date: 'date',
  time: 'text',
  timestamp: 'instant',
  bytes: 'bytes',
  uuid: 'text',
};

/** Includes the nested paths of complex features. */
export function createDescribedSchema({
  attributes,
  complex,
  defaultGeometry,
}: Pick<FeatureTypeDescription, 'attributes' | 'complex' | 'defaultGeometry'>): Schema {
  return createFilterSchema([...attributes, ...(complex?.paths ?? [])], defaultGeometry);
}

export function createFilterSchema(attributes: readonly Attribute[], defaultGeometry?: string): Schema {
  return {
    ...(defaultGeometry === undefined ? {} : { defaultGeometry }),
    attributes: attributes.map((attribute) => {
      if (attribute.kind === 'value') return { name: attribute.name, type: types[attribute.type] };
      const { code } = attribute.crs;
      return { name: attribute.name, type: 'geometry', ...(code === undefined ? {} : { crs: code }) };
    }),
  };
}
