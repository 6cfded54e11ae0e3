/** Places the shapes of features as a map does, for queries by position. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findSeam } from '../layers/vector-layer.ts';
import type { MapSettings } from '../request/map-settings.ts';
import type { StylePlan } from '../rules/style-plan.ts';
import { computeVisibleBox } from '../shapes/frame.ts';
import { computeFeatureBoxes, resolveMapSystem } from '../shapes/map-area.ts';
import { createProjector } from '../shapes/projector.ts';
import { createWrapping } from '../shapes/wrapping.ts';
import type { ShapePlacement } from './drawn-symbols.ts';

/** `crs` is that of the data. */
export async function placeShapes(
  plan: StylePlan,
  { frame, system }: MapSettings,
  shifts: readonly number[],
  crs: CrsReference,
): Promise<ShapePlacement> {
  const project = await createProjector(crs, system.reference);
  const wrapping = system.world && createWrapping(system.world, shifts, frame);
  if (project === undefined) return { frame, projection: undefined, shifts, wrapping };
  const visible = await computeFeatureBoxes(system, computeVisibleBox(frame, plan.reachPixels), shifts, crs);
  const { world } = await resolveMapSystem(crs);
  return {
    frame,
    projection: {
      project,
      area: system.area === undefined ? undefined : visible[0],
      world: world?.width ?? Number.POSITIVE_INFINITY,
      seam: findSeam(system, world),
    },
    shifts,
    wrapping,
  };
}
