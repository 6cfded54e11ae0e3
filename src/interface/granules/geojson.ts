/** Formats granules as a GeoJSON collection. */

import type { ListFrame } from '../../http/serialization/list-frame.ts';
import type { Granule, GranuleSchema, GranuleValue } from '../../raster/granules/port/port.ts';
import { getGranuleValue, type PlainAttribute, readPolygons, shortenFloat } from './granule-values.ts';

export function createGeoJsonFrame(schema: GranuleSchema): ListFrame<Granule> {
  const attributes = schema.attributes.filter((each): each is PlainAttribute => each.role !== 'footprint');
  const [before, after] = ['{"type":"FeatureCollection","features":[', ']}'];
  return {
    before,
    item: (granule) => formatFeature(granule, attributes),
    between: ',',
    after,
    empty: `${before}${after}`,
  };
}

function formatFeature(granule: Granule, attributes: readonly PlainAttribute[]): string {
  const properties = attributes.map(
    (attribute) =>
      `${JSON.stringify(attribute.name)}:${formatJsonValue(getGranuleValue(granule, attribute), attribute)}`,
  );
  const id = JSON.stringify(granule.id);
  return `{"type":"Feature","properties":{${properties.join(',')}},"geometry":${formatGeometry(granule)},"id":${id}}`;
}

function formatJsonValue(value: GranuleValue, attribute: PlainAttribute): string {
  // Exact, although many parsers round it.
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return JSON.stringify(value);
  return JSON.stringify(attribute.role === 'value' && attribute.type === 'float' ? shortenFloat(value) : value);
}

function formatGeometry({ footprint }: Granule): string {
  const polygons = readPolygons(footprint);
  if (footprint.ordinates.length === 0) return 'null';
  const coordinates = footprint.type === 'MultiPolygon' ? polygons : polygons[0];
  return JSON.stringify({ type: footprint.type, coordinates });
}
