/** Builds the condition that selects the features that may be in the boxes of a map, also across the antimeridian. */
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { FeatureTypeDescription } from '../../vector/port/port.ts';
import { createNearBoxFilter } from '../../vector/query/box-filter.ts';
import type { MapSystem } from '../shapes/map-area.ts';

export type World = NonNullable<MapSystem['world']>;

/** Returns undefined if all data is within the boxes, so that features need no test. */
export function buildBoxFilter(
  { defaultGeometry, bounds }: FeatureTypeDescription,
  boxes: readonly Bounds[],
  world: MapSystem['world'],
): ResolvedFilter | undefined {
  if (defaultGeometry === undefined) return undefined;
  if (bounds !== undefined && boxes.some((box) => isEnclosing(box, bounds))) return undefined;
  const conditions = boxes.map((box) => createNearBoxFilter(defaultGeometry, box));
  const beyond = world === undefined ? [] : buildConditionsBeyond(defaultGeometry, bounds, boxes, world);
  const [first, ...others] = [...conditions, ...beyond];
  return first === undefined || others.length === 0 ? first : joinResolvedFilters('or', [first, ...others]);
}

/**
 * Selects the shapes across the antimeridian that are visible in the boxes, although their own boxes are elsewhere. The
 * bounds are those of the data; undefined if they are unknown.
 */
export function buildConditionsBeyond(
  geometry: string,
  bounds: Bounds | undefined,
  boxes: readonly Bounds[],
  world: World,
): readonly ResolvedFilter[] {
  const turned = listTurnedBoxes(boxes, bounds, world).map((box) => createNearBoxFilter(geometry, box));
  return [...turned, ...buildJumpConditions(geometry, bounds, boxes, world)];
}

function isEnclosing(outer: Bounds, inner: Bounds): boolean {
  return outer.minX <= inner.minX && outer.minY <= inner.minY && outer.maxX >= inner.maxX && outer.maxY >= inner.maxY;
}

/** Returns the boxes a turn away, where data beyond the antimeridian continues. */
function listTurnedBoxes(
  boxes: readonly Bounds[],
  bounds: Bounds | undefined,
  { minX, width }: World,
): readonly Bounds[] {
  if (bounds === undefined) return [];
  const turns = [...(bounds.maxX > minX + width ? [width] : []), ...(bounds.minX < minX ? [-width] : [])];
  return turns
    .flatMap((turn) => boxes.map((box) => ({ ...box, minX: box.minX + turn, maxX: box.maxX + turn })))
    .filter((box) => intersectBounds(box, bounds) !== undefined);
}

/** Returns the x values that the box of every shape with a jump contains. */
export function getJumpedMeridians({ minX, width }: World): readonly [west: number, east: number] {
  return [minX + width / 4, minX + (width * 3) / 4];
}

/**
 * Selects the shapes that jump over the antimeridian. A jump is longer than three quarters of the Earth, so the box of
 * the shape contains the quarters on both sides of the middle, and every map between them finds it by its own box.
 */
function buildJumpConditions(
  geometry: string,
  bounds: Bounds | undefined,
  boxes: readonly Bounds[],
  { minX, width }: World,
): readonly ResolvedFilter[] {
  const [west, east] = getJumpedMeridians({ minX, width });
  if (bounds !== undefined && (bounds.minX > west || bounds.maxX < east)) return [];
  if (boxes.some((box) => box.minX <= east && box.maxX >= west)) return [];
  return boxes.map((box) =>
    joinResolvedFilters(
      'and',
      [west, east].map((x) => createNearBoxFilter(geometry, { ...box, minX: x, maxX: x })),
    ),
  );
}
