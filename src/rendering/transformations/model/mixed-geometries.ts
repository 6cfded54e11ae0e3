/** Describes features whose geometries can become others. */
import type { FeatureTypeDescription } from '../../../vector/port/port.ts';

export function describeMixedGeometries(
  description: FeatureTypeDescription = { name: '', attributes: [] },
): FeatureTypeDescription {
  const attributes = description.attributes.map((each) =>
    each.kind === 'geometry' ? { ...each, type: 'Geometry' as const } : each,
  );
  return { ...description, attributes };
}
