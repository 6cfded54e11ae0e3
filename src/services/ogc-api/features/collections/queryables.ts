/** The queryables of a collection as JSON Schema (OGC API Features, part 3). */
import type { PublishedAttribute } from '../../../../catalog/kinds/published-attribute.ts';
import type { GeometryType } from '../../../../geometry/geometry.ts';
import type { ValueType } from '../../../../vector/port/port.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import type { FeaturesContext } from './features-context.ts';

const valueSchemas: Readonly<Record<ValueType, Readonly<Record<string, string>> | undefined>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  short: { type: 'integer' },
  integer: { type: 'integer' },
  long: { type: 'integer' },
  float: { type: 'number' },
  double: { type: 'number' },
  decimal: { type: 'number' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'time' },
  timestamp: { type: 'string', format: 'date-time' },
  // Binary values support null checks only.
  bytes: undefined,
  uuid: { type: 'string', format: 'uuid' },
};

const geometryFormats: Readonly<Record<GeometryType, string>> = {
  Geometry: 'geometry-any',
  Point: 'geometry-point',
  LineString: 'geometry-linestring',
  Polygon: 'geometry-polygon',
  MultiPoint: 'geometry-multipoint',
  MultiLineString: 'geometry-multilinestring',
  MultiPolygon: 'geometry-multipolygon',
  GeometryCollection: 'geometry-geometrycollection',
};

export function buildQueryablesDocument(visit: FeaturesContext, type: PublishedType) {
  const members = type.attributes.flatMap((attribute) => {
    const schema = buildAttributeSchema(attribute, type);
    return schema === undefined ? [] : [[attribute.name, schema] as const];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${visit.formatCollectionUrl(type)}/queryables`,
    type: 'object',
    title: type.title,
    ...(type.abstract === '' ? {} : { description: type.abstract }),
    properties: Object.fromEntries(members),
    additionalProperties: false,
  };
}

function buildAttributeSchema(attribute: PublishedAttribute, { geometry }: PublishedType): object | undefined {
  const said = {
    title: attribute.name,
    ...(attribute.description === undefined ? {} : { description: attribute.description }),
  };
  if (attribute.kind === 'geometry') {
    const role = attribute.name === geometry?.name ? { 'x-ogc-role': 'primary-geometry' } : {};
    return { ...said, ...role, format: geometryFormats[attribute.type] };
  }
  const schema = valueSchemas[attribute.type];
  if (schema === undefined) {
    return undefined;
  }
  const { range, options, maxLength } = attribute;
  const isNumber = schema['type'] === 'number' || schema['type'] === 'integer';
  return {
    ...said,
    ...schema,
    ...(maxLength !== undefined && attribute.type === 'string' ? { maxLength } : {}),
    ...(isNumber && range?.min !== undefined ? { minimum: Number(range.min) } : {}),
    ...(isNumber && range?.max !== undefined ? { maximum: Number(range.max) } : {}),
    ...(options === undefined ? {} : { enum: isNumber ? options.map(Number) : options }),
  };
}
