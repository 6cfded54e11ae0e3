/** Creates a condition that compares an attribute with a geometry in its coordinates. */
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import type { SpatialOperator } from './filter.ts';
import type { ResolvedFilter, ResolvedRelation } from './resolved-filter.ts';

export function createRelationFilter(
  name: string,
  relation: SpatialOperator,
  geometry: Geometry,
): ResolvedRelation | Extract<ResolvedFilter, { readonly kind: 'constant' }> {
  const bounds = computeGeometryBounds(geometry);
  if (bounds === undefined) return { kind: 'constant', value: false };
  const { minX, minY, maxX, maxY } = bounds;
  // No message names the geometry, so that its box is sufficient.
  const corners = [[minX, minY] as const, [maxX, maxY] as const] as const;
  const literal = { kind: 'geometry', type: 'Envelope', coordinates: corners } as const;
  return {
    kind: 'relation',
    relation,
    left: { kind: 'attribute', type: 'geometry', name },
    right: { kind: 'geometry', geometry, literal, bounds, isBox: false },
  };
}
