/** The granule schema for filters. */
import type { EcqlOutcome } from '../../../filter/ecql/ecql.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { AttributeType, Schema, SchemaAttribute } from '../../../filter/model/schema.ts';
import type { RowAccess } from '../../../filter/predicate/predicate.ts';
import { readEcqlFor } from '../../../filter/resolve/resolve.ts';
import type { Granule, GranuleAttribute, GranuleSchema, GranuleValueType } from './port.ts';

const types: Readonly<Record<GranuleValueType, AttributeType>> = {
  string: 'text',
  integer: 'number',
  long: 'number',
  float: 'number',
  double: 'number',
  date: 'instant',
  timestamp: 'instant',
};

export function toFilterSchema({ attributes }: GranuleSchema): Schema {
  return { attributes: attributes.map(toFilterAttribute) };
}

function toFilterAttribute(attribute: GranuleAttribute): SchemaAttribute {
  const { name } = attribute;
  switch (attribute.role) {
    case 'footprint':
      return { name, type: 'geometry', ...(attribute.crs.code === undefined ? {} : { crs: attribute.crs.code }) };
    case 'location':
      return { name, type: 'text' };
    case 'imageindex':
      return { name, type: 'number' };
    case 'value':
      return { name, type: types[attribute.type] };
  }
}

/** Parses ECQL on granule attributes; an error contains the position of the first problem. */
export function readGranuleFilter(text: string, schema: GranuleSchema): Promise<EcqlOutcome<ResolvedFilter>> {
  return readEcqlFor(text, toFilterSchema(schema));
}

/** Gives filter conditions access to granules in memory. */
export function createGranuleAccess({ attributes }: GranuleSchema): RowAccess<Granule> {
  const roles = new Map(attributes.map(({ name, role }) => [name, role]));
  return {
    value(granule, attribute) {
      switch (roles.get(attribute)) {
        case 'footprint':
          return granule.footprint;
        case 'location':
          return granule.location;
        case 'imageindex':
          return granule.imageindex;
        default:
          return granule.values[attribute];
      }
    },
    identifier: ({ id }) => id,
  };
}
