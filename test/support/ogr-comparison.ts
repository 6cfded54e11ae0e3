/** Normalizes our descriptions and those of GDAL, so that they can be compared. */
import type { Attribute, Feature, FeatureTypeDescription } from '../../src/vector/port/port.ts';
import type { OgrField } from './gdal.ts';
import { findGeometryAttribute, listCoordinates, readGeometry } from './vector-reading.ts';

/** The largest difference of the bounds; ogrinfo prints six decimals. */
export function farthestApart(ours: FeatureTypeDescription['bounds'], theirs: readonly number[] | undefined): number {
  if (ours === undefined || theirs === undefined) return ours === theirs ? 0 : Number.POSITIVE_INFINITY;
  const values = [ours.minX, ours.minY, ours.maxX, ours.maxY];
  return Math.max(...values.map((value, index) => Math.abs(value - (theirs[index] ?? Number.NaN))));
}

/** The GDAL name of a geometry type: its lines and polygons include multi geometries. */
export function ogrGeometryName(description: FeatureTypeDescription): string {
  const { type, dimension } = findGeometryAttribute(description);
  const names: Readonly<Record<string, string>> = {
    Point: 'Point',
    MultiPoint: 'Multi Point',
    MultiLineString: 'Line String',
    MultiPolygon: 'Polygon',
  };
  const prefix = `${dimension.includes('Z') ? '3D ' : ''}${dimension.includes('M') ? 'Measured ' : ''}`;
  return `${prefix}${names[type]}`;
}

export function ogrField(attribute: Attribute): OgrField {
  const types: Readonly<Record<string, string>> = {
    string: 'String',
    integer: 'Integer',
    long: 'Integer64',
    double: 'Real',
    date: 'Date',
  };
  return { name: attribute.name, type: types[attribute.type] ?? attribute.type };
}

export function ogrProperties({ values }: Feature, names: readonly string[]): Readonly<Record<string, unknown>> {
  const plain = values.map((value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value));
  return Object.fromEntries(names.slice(1).map((name, index) => [name, plain[index + 1]]));
}

export function comparableShape(each: Feature): unknown {
  const geometry = readGeometry(each);
  if (geometry === null) return null;
  const coordinates = withoutMeasures(listCoordinates(geometry), geometry.dimension);
  return comparable({ type: geometry.type, coordinates });
}

/** Measures are the last ordinate; GeoJSON has none. */
function withoutMeasures(coordinates: unknown, dimension: string): unknown {
  if (!dimension.includes('M') || !Array.isArray(coordinates)) return coordinates;
  if (typeof coordinates[0] === 'number') return coordinates.slice(0, -1);
  return coordinates.map((each) => withoutMeasures(each, dimension));
}

interface Coordinates {
  readonly type: string;
  readonly coordinates: unknown;
}

/** Normalizes single and multi geometries, the order of polygons and holes, and the precision to that of GDAL. */
export function comparable(geometry: Coordinates | null): unknown {
  if (geometry === null) return null;
  const { type, coordinates } = geometry;
  if (type === 'LineString') return { type: 'MultiLineString', coordinates: [coordinates] };
  if (type !== 'Polygon' && type !== 'MultiPolygon') return geometry;
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as readonly (readonly unknown[])[];
  const texts = polygons.map(([outline, ...holes]) => [ringText(outline), ...holes.map(ringText).sort()]);
  return { type: 'MultiPolygon', coordinates: texts.sort() };
}

function ringText(ring: unknown): string {
  const positions = ring as readonly (readonly number[])[];
  return positions.map((position) => position.map((value) => value.toFixed(9)).join(' ')).join(', ');
}

/** All rings of a comparable geometry, regardless of their polygon. */
export function listRings(shape: unknown): readonly string[] {
  return (shape as { readonly coordinates: readonly (readonly string[])[] }).coordinates.flat().sort();
}
