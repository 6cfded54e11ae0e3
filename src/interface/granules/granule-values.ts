/** Converts values of granules to their wire format. */

import type { Geometry } from '../../geometry/geometry.ts';
import type { Granule, GranuleAttribute, GranuleValue } from '../../raster/granules/port/port.ts';

export type PlainAttribute = Exclude<GranuleAttribute, { role: 'footprint' }>;

export function getGranuleValue(granule: Granule, attribute: PlainAttribute): GranuleValue {
  switch (attribute.role) {
    case 'location':
      return granule.location;
    case 'imageindex':
      return granule.imageindex;
    case 'value':
      return granule.values[attribute.name] ?? null;
  }
}

/** The shortest number that is equal as a float: 0.1 and not 0.10000000149011612. */
export function shortenFloat(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** The positions of the rings of each polygon. */
export function readPolygons({ type, dimension, ordinates, ends, parts }: Geometry): readonly (readonly Ring[])[] {
  const size = dimension.length;
  const readRing = (at: number): Ring => {
    const positions: [number, number][] = [];
    for (let position = ends[at - 1] ?? 0; position < (ends[at] ?? 0); position += 1) {
      positions.push([ordinates[position * size] ?? 0, ordinates[position * size + 1] ?? 0]);
    }
    return positions;
  };
  const polygonEnds = type === 'MultiPolygon' ? parts : [ends.length];
  return polygonEnds.map((end, polygon) => {
    const start = type === 'MultiPolygon' ? (parts[polygon - 1] ?? 0) : 0;
    return Array.from({ length: end - start }, (_, index) => readRing(start + index));
  });
}

export type Ring = readonly (readonly [x: number, y: number])[];
