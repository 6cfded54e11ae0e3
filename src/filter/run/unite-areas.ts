/** Thread task that unites polygons. */
import type { Geometry } from '../../geometry/geometry.ts';
import { loadGeometryOperations } from '../../geometry/geometry-operations.ts';
import type { Task } from '../../workers/task.ts';

export const unitingAreas: Task<readonly Geometry[], Geometry | null> = {
  module: import.meta.url,
  name: 'uniteAreas',
  work: uniteAreas,
};

/** Returns null if there are no areas, or if one of them is invalid. */
export async function uniteAreas([first, ...others]: readonly Geometry[]): Promise<Geometry | null> {
  const { overlay } = await loadGeometryOperations();
  return others.reduce<Geometry | null>((sum, area) => sum && overlay('union', sum, area), first ?? null);
}
