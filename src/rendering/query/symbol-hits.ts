/** Finds the positions at which the symbols of a feature are drawn, for queries by position. */

import { DEFAULT_MARK_PIXELS } from '../../styling/legend/symbols/well-known-marks.ts';
import { type Lengths, readDisplacement, readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleNumber } from '../../styling/legend/values/sample-value.ts';
import type { Graphic, Symbolizer } from '../../styling/model/model.ts';
import { type FeatureBatch, POINTS, SHAPE_FIELDS } from '../../vector/port/packed-features.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { FeatureCursor } from '../rules/feature-cursor.ts';
import { type CompiledRule, collectRules, compileGroup } from '../rules/rule-choice.ts';
import type { SpatialTests } from '../rules/spatial-conditions.ts';
import { computeReach, listPlanRules, type StylePlan } from '../rules/style-plan.ts';
import type { Frame } from '../shapes/frame.ts';
import { findGeometrySlot, type ResolvedGeometry, resolveGeometry } from '../shapes/geometry-functions.ts';
import type { PixelShape, Projection } from '../shapes/pixel-shape.ts';
import { forEachMiddle } from '../shapes/shape-middles.ts';
import { visitCopies, type Wrapping } from '../shapes/wrapping.ts';
import { memoizeByFeature } from '../symbols/symbolizer-painters.ts';
import { isWithin } from './shape-distance.ts';
import { MAX_RADIUS_PIXELS } from './symbol-radius.ts';

/** The extent of a symbol around its shape, and its distance from the shape, in pixels. */
interface SymbolExtent {
  readonly radius: number;
  readonly right: number;
  readonly down: number;
}

interface SymbolHit {
  readonly measure: (feature: FeatureCursor) => SymbolExtent;
  readonly geometry: ResolvedGeometry;
  readonly slot: number;
}

/** How the shapes of features are placed on the map. */
export interface ShapePlacement {
  readonly frame: Frame;
  readonly projection: Projection | undefined;
  readonly shifts: readonly number[];
  readonly wrapping: Wrapping | undefined;
}

/** The queried point. `radiusPixels` replaces the size of symbols, which has a minimum. */
export interface HitPoint {
  readonly x: number;
  readonly y: number;
  readonly radiusPixels: number | undefined;
  readonly minRadiusPixels: number;
}

/** Returns whether a symbol of a feature is at the point. `shapes` is the range of its shapes in the batch. */
export type HitTest = (batch: FeatureBatch, feature: number, shapes: { first: number; last: number }) => boolean;

export function createHitTest(
  plan: StylePlan,
  places: SpatialTests,
  { settings, placement, point }: { settings: MapSettings; placement: ShapePlacement; point: HitPoint },
  shape: PixelShape,
): HitTest {
  const groups = plan.groups.map((group) => compileGroup(group, places, (each) => compileHit(each, plan, settings)));
  const cursor = new FeatureCursor(plan);
  const rules: CompiledRule<SymbolHit>[] = [];
  const isHit = (hit: SymbolHit, batch: FeatureBatch, first: number, last: number): boolean => {
    const extent = hit.measure(cursor);
    for (let each = first; each < last; each += 1) {
      if (hit.geometry.compute === undefined && batch.shapes[each * SHAPE_FIELDS + 1] !== hit.slot) continue;
      if (isShapeHit(shape, { batch, each, hit, extent }, placement, point)) return true;
    }
    return false;
  };
  return (batch, feature, { first, last }) => {
    cursor.moveTo(batch, feature);
    for (const group of groups) {
      collectRules(group, cursor, rules);
      for (const { painters } of rules) {
        for (const hit of painters) {
          const computed = hit.geometry.compute?.(cursor.values());
          if (hit.geometry.compute === undefined ? isHit(hit, batch, first, last) : isComputedHit(hit, computed))
            return true;
        }
      }
    }
    return false;
  };

  function isComputedHit(hit: SymbolHit, computed: FeatureBatch | undefined): boolean {
    return computed !== undefined && isHit(hit, computed, 0, computed.shapes.length / SHAPE_FIELDS);
  }
}

interface LoadedHit {
  readonly batch: FeatureBatch;
  readonly each: number;
  readonly hit: SymbolHit;
  readonly extent: SymbolExtent;
}

function isShapeHit(
  shape: PixelShape,
  { batch, each, hit, extent }: LoadedHit,
  { frame, projection, shifts, wrapping }: ShapePlacement,
  { x, y, radiusPixels, minRadiusPixels }: HitPoint,
): boolean {
  const { radius, right, down } = extent;
  return visitCopies(
    shape,
    { shifts, wrapping },
    (shift) => shape.load(batch, each, projection, frame, shift),
    () => {
      hit.geometry.change?.(shape, frame);
      if ((right !== 0 || down !== 0) && shape.kind !== POINTS) replaceByMiddles(shape);
      return isWithin(shape, x - right, y - down, radiusPixels ?? Math.max(minRadiusPixels, radius));
    },
  );
}

/** A displaced mark of a line or polygon is drawn once, not along the shape. */
function replaceByMiddles(shape: PixelShape): void {
  const middles: number[] = [];
  forEachMiddle(shape, (x, y) => middles.push(x, y));
  shape.replace(POINTS, [Float64Array.from(middles)]);
}

/** Labels are placed far from shapes and do not count: a point beside a feature would find it by its label. */
function compileHit(symbolizer: Symbolizer, { geometries }: StylePlan, { getLengths }: MapSettings) {
  const geometry = resolveGeometry(symbolizer);
  if (geometry === undefined) return undefined;
  const slot = findGeometrySlot(geometries, geometry.attribute);
  if (symbolizer.kind === 'textSymbolizer') return { geometry, slot, measure: () => noExtent };
  const lengths = getLengths(symbolizer);
  // Naming a geometry does not make the size depend on the feature.
  const { geometry: _, ...sized } = symbolizer;
  return { geometry, slot, measure: memoizeByFeature(sized, (bound) => measureSymbol(bound, lengths)) };
}

const noExtent: SymbolExtent = { radius: 0, right: 0, down: 0 };

function measureSymbol(symbolizer: Symbolizer, lengths: Lengths): SymbolExtent {
  if (symbolizer.kind !== 'pointSymbolizer' || symbolizer.graphic === undefined)
    return { ...noExtent, radius: Math.min(computeReach(symbolizer, lengths) / 2, MAX_RADIUS_PIXELS) };
  const { displacement, anchorPoint, ...graphic } = symbolizer.graphic;
  const radius = Math.min(computeReach({ ...symbolizer, graphic }, lengths) / 2, MAX_RADIUS_PIXELS);
  return { radius, ...computeShift(symbolizer.graphic, lengths) };
}

function computeShift(graphic: Graphic, lengths: Lengths): Pick<SymbolExtent, 'right' | 'down'> {
  const [right, down] = readDisplacement(lengths, graphic.displacement);
  if (graphic.anchorPoint === undefined) return { right, down };
  const size = Math.max(0, readPixels(lengths, graphic.size, DEFAULT_MARK_PIXELS));
  const radians = (sampleNumber(graphic.rotation, 0) * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  const x = (0.5 - sampleNumber(graphic.anchorPoint.x, 0.5)) * size;
  const y = (sampleNumber(graphic.anchorPoint.y, 0.5) - 0.5) * size;
  return { right: right + x * cosine - y * sine, down: down + x * sine + y * cosine };
}

/** Returns whether symbols are drawn elsewhere than at the shapes of features. */
export function hasMovedSymbols(plan: StylePlan): boolean {
  return listPlanRules(plan).some(({ symbolizers }) =>
    symbolizers.some((each) => {
      const geometry = resolveGeometry(each);
      const isMoved = each.kind === 'pointSymbolizer' && each.graphic?.displacement !== undefined;
      return isMoved || geometry?.change !== undefined || geometry?.compute !== undefined;
    }),
  );
}
