/** Granules as a GeoJSON collection. */
import type { Granule, GranuleSchema, GranuleValue } from '../../data/granules/port.ts';
import type { ListFrame } from '../../http/formats/list-frame.ts';
import { granuleValue, type PlainAttribute, polygonsOf, shortFloat } from './granule-values.ts';

export function geoJsonFrame(schema: GranuleSchema): ListFrame<Granule> {
  const attributes = schema.attributes.filter((each): each is PlainAttribute => each.role !== 'footprint');
  const [before, after] = ['{"type":"FeatureCollection","features":[', ']}'];
  return { before, item: (granule) => feature(granule, attributes), between: ',', after, empty: `${before}${after}` };
}

function feature(granule: Granule, attributes: readonly PlainAttribute[]): string {
  const properties = attributes.map(
    (attribute) => `${JSON.stringify(attribute.name)}:${json(granuleValue(granule, attribute), attribute)}`,
  );
  const id = JSON.stringify(granule.id);
  return `{"type":"Feature","properties":{${properties.join(',')}},"geometry":${geometry(granule)},"id":${id}}`;
}

function json(value: GranuleValue, attribute: PlainAttribute): string {
  // Exact, although many readers will round it.
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return JSON.stringify(value);
  return JSON.stringify(attribute.role === 'value' && attribute.type === 'float' ? shortFloat(value) : value);
}

function geometry({ footprint }: Granule): string {
  const polygons = polygonsOf(footprint);
  if (footprint.ordinates.length === 0) return 'null';
  const coordinates = footprint.type === 'MultiPolygon' ? polygons : polygons[0];
  return JSON.stringify({ type: footprint.type, coordinates });
}
