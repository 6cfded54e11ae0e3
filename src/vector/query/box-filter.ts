/** Creates spatial conditions on the default geometry of a type. */
import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { resolveGeometry } from '../../filter/resolve/geometry.ts';
import type { Geometry } from '../../geometry/geometry.ts';

/** A box across the antimeridian is split in two; this applies to degrees only. */
export function createBoxFilter(geometry: string, box: Bounds): ResolvedFilter {
  if (box.minX <= box.maxX) return createIntersectsFilter(geometry, box);
  return {
    kind: 'or',
    filters: [
      createIntersectsFilter(geometry, { ...box, maxX: 180 }),
      createIntersectsFilter(geometry, { ...box, minX: -180 }),
    ],
  };
}

/** Selects features whose bounding box intersects the box, for callers that test the geometry themselves. */
export function createNearBoxFilter(geometry: string, box: Bounds): ResolvedFilter {
  const filter = createIntersectsFilter(geometry, box);
  return filter.kind === 'relation' ? { ...filter, byBoxes: true } : filter;
}

/** Selects features that intersect a polygon. */
export function createAreaFilter(name: string, area: Geometry): ResolvedFilter {
  const positions = Array.from({ length: area.ordinates.length / 2 }, (_, index) => [
    area.ordinates[index * 2] ?? 0,
    area.ordinates[index * 2 + 1] ?? 0,
  ]);
  const right = resolveGeometry({ kind: 'geometry', type: 'Polygon', coordinates: [positions] }, undefined, {
    attributes: [],
  });
  return { kind: 'relation', relation: 'intersects', left: { kind: 'attribute', type: 'geometry', name }, right };
}

function createIntersectsFilter(name: string, { minX, minY, maxX, maxY }: Bounds): ResolvedFilter {
  const right = resolveGeometry(
    {
      kind: 'geometry',
      type: 'Envelope',
      coordinates: [
        [minX, minY],
        [maxX, maxY],
      ],
    },
    undefined,
    { attributes: [] },
  );
  return { kind: 'relation', relation: 'intersects', left: { kind: 'attribute', type: 'geometry', name }, right };
}
