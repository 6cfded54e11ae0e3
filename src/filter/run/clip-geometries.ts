/** Thread task that clips geometries to a polygon. */
import { type ClipGeometry, createClip } from '../../geometry/clip-geometry.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { Task } from '../../workers/task.ts';

export interface ClipInput {
  readonly geometries: readonly Geometry[];
  readonly area: Geometry;
}

/** Null for each geometry that is outside of the area. */
export type ClipOutput = readonly (Geometry | null)[];

export const clippingGeometries: Task<ClipInput, ClipOutput> = {
  module: import.meta.url,
  name: 'clipGeometries',
  work: clipGeometries,
};

export async function clipGeometries({ geometries, area }: ClipInput): Promise<ClipOutput> {
  const clip: ClipGeometry = await createClip(area);
  return geometries.map(clip);
}
