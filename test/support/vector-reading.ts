/** Helpers to read vector sources in tests. */
import type { Geometry } from '../../src/geometry/geometry.ts';
import type { Attribute, Feature, FeatureTypeDescription, VectorSource } from '../../src/vector/port/port.ts';

const never = new AbortController().signal;

/** The description of a type that must exist. */
export async function describeType(source: VectorSource, name: string): Promise<FeatureTypeDescription> {
  const description = await source.describe(name, never);
  if (description === undefined) throw new Error(`there is no type ${name}`);
  return description;
}

export async function readAllFeatures(source: VectorSource, name: string): Promise<readonly Feature[]> {
  const features: Feature[] = [];
  for await (const batch of source.read(name, {}, never)) features.push(...batch);
  return features;
}

export function findGeometryAttribute(description: FeatureTypeDescription): Attribute & { readonly kind: 'geometry' } {
  const found = description.attributes.find((attribute) => attribute.name === description.defaultGeometry);
  if (found?.kind !== 'geometry') throw new Error(`${description.name} has no geometry`);
  return found;
}

/** The value of a feature, which must be a geometry or null. */
export function readGeometry(feature: Feature, index = 0): Geometry | null {
  const value = feature.values[index];
  if (value === null) return null;
  if (typeof value === 'object' && 'ordinates' in value) return value;
  throw new Error(`${feature.id} has no geometry at ${index}`);
}

/** The coordinates, nested as in GeoJSON. */
export function listCoordinates(geometry: Geometry): unknown {
  const stride = geometry.dimension.length;
  const positions = Array.from({ length: geometry.ordinates.length / stride }, (_, index) =>
    Array.from(geometry.ordinates.subarray(index * stride, (index + 1) * stride)),
  );
  const lines = slices(positions, geometry.ends);
  switch (geometry.type) {
    case 'Point':
      return positions[0];
    case 'MultiPoint':
      return positions;
    case 'MultiLineString':
      return lines;
    case 'MultiPolygon':
      return slices(lines, geometry.parts);
    default:
      throw new Error(`${geometry.type} is not expected here`);
  }
}

function slices<T>(list: readonly T[], ends: readonly number[]): readonly (readonly T[])[] {
  return ends.map((end, index) => list.slice(ends[index - 1] ?? 0, end));
}
