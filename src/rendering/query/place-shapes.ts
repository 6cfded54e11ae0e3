/** Places the shapes of features as a map does, for queries by position. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findSeam } from '../layers/vector-layer.ts';
import { computeVisibleBox, type Frame } from '../shapes/frame.ts';
import { computeFeatureBoxes, type MapSystem, resolveMapSystem } from '../shapes/map-area.ts';
import type { Projection } from '../shapes/pixel-shape.ts';
import { createProjector } from '../shapes/projector.ts';
import { createWrapping, type Wrapping } from '../shapes/wrapping.ts';

/** Where features are on a map. */
export interface MapPlacement {
  readonly frame: Frame;
  readonly system: MapSystem;
  /** The offsets of features to the right, in units of the map: one for each visible copy of the Earth. */
  readonly shifts: readonly number[];
  /** The CRS of the data. */
  readonly crs: CrsReference;
}

/** How the shapes of features are placed on the map. */
export interface ShapePlacement {
  readonly frame: Frame;
  readonly projection: Projection | undefined;
  readonly shifts: readonly number[];
  readonly wrapping: Wrapping | undefined;
}

export async function placeShapes(
  { frame, system, shifts, crs }: MapPlacement,
  reachPixels: number,
): Promise<ShapePlacement> {
  const project = await createProjector(crs, system.reference);
  const wrapping = system.world && createWrapping(system.world, shifts, frame);
  if (project === undefined) return { frame, projection: undefined, shifts, wrapping };
  const visible = await computeFeatureBoxes(system, computeVisibleBox(frame, reachPixels), shifts, crs);
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
