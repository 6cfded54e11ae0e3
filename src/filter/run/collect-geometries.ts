/** Thread task that joins geometries to one. */
import type { Geometry } from '../../geometry/geometry.ts';
import { loadGeometryOperations } from '../../geometry/geometry-operations.ts';
import { fromSimpleParts, toSimpleParts } from '../../geometry/simple-parts.ts';
import type { Task } from '../../workers/task.ts';

export const collectingGeometries: Task<readonly Geometry[], Geometry> = {
  module: import.meta.url,
  name: 'collectGeometries',
  work: collectGeometries,
};

/** Polygons that overlap or share borders are united, because a multi-polygon of them is invalid. */
export async function collectGeometries(geometries: readonly Geometry[]): Promise<Geometry> {
  const parts = geometries.flatMap(toSimpleParts);
  const areas = parts.filter(({ dimension }) => dimension === 2);
  const others = parts.filter(({ dimension }) => dimension !== 2);
  if (areas.length < 2) return fromSimpleParts(parts);
  const { overlay } = await loadGeometryOperations();
  let level = areas.map((area) => fromSimpleParts([area]));
  // In pairs, so that most unions have few positions.
  while (level.length > 1) {
    const next: Geometry[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [one, other] = level.slice(at, at + 2);
      const union = one && other ? overlay('union', one, other) : one;
      // Invalid polygons have no union, and conditions with them report the reason.
      if (union === null) return fromSimpleParts(parts);
      if (union !== undefined) next.push(union);
    }
    level = next;
  }
  return fromSimpleParts([...others, ...level.flatMap(toSimpleParts)]);
}
