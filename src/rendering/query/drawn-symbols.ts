/** Finds the positions at which the symbols of a feature are drawn, for queries by position. */

import { DEFAULT_MARK_PIXELS } from '../../styling/legend/symbols/well-known-marks.ts';
import { type Lengths, readDisplacement, readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleNumber } from '../../styling/legend/values/sample-value.ts';
import type { Graphic, Symbolizer } from '../../styling/model/model.ts';
import { type FeatureBatch, LINES, POINTS, SHAPE_FIELDS } from '../../vector/port/packed-features.ts';
import { createMapLengths, type MapScale, type MapSettings } from '../request/map-settings.ts';
import type { StyledLayer } from '../rules/chunked-style.ts';
import { FeatureCursor } from '../rules/feature-cursor.ts';
import { type CompiledRule, collectRules } from '../rules/rule-choice.ts';
import { computeReach, listPlanRules, type StylePlan } from '../rules/style-plan.ts';
import { findGeometrySlot, type ResolvedGeometry, resolveGeometry } from '../shapes/geometry-functions.ts';
import { offsetOutwards, offsetToSide, type SidewaysMove } from '../shapes/offset-line.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';
import { forEachMiddle } from '../shapes/shape-middles.ts';
import { visitCopies } from '../shapes/wrapping.ts';
import { memoizeByFeature } from '../symbols/symbolizer-painters.ts';
import { compileGroups, type ShapeRange } from './batch-search.ts';
import { type MapPlacement, placeShapes } from './place-shapes.ts';
import { MAX_RADIUS_PIXELS } from './symbol-radius.ts';

/** The extent of a symbol around its shape, and how the shape is moved, in pixels. */
interface SymbolExtent {
  readonly radius: number;
  readonly move: SidewaysMove | undefined;
  /** Whether a moved mark is drawn once for each part of a line or polygon, not along it. */
  readonly isMark: boolean;
}

interface DrawnSymbol {
  readonly measure: (feature: FeatureCursor) => SymbolExtent;
  readonly geometry: ResolvedGeometry;
  readonly slot: number;
}

/** A layer whose symbols are searched. It is sent to threads. */
export interface PlacedLayer extends StyledLayer {
  readonly plan: StylePlan;
  readonly placement: MapPlacement;
  readonly scale: MapScale;
}

/** Called with the extent of a symbol around the shape, which is in its place. Returns whether to stop. */
export type VisitSymbol = (radius: number) => boolean;

/** Visits the symbols of a feature; returns whether a visit stopped. */
export type SymbolVisitor = (batch: FeatureBatch, feature: number, shapes: ShapeRange, visit: VisitSymbol) => boolean;

/** Loads each symbol into `shape` before it is visited. */
export async function createSymbolVisitor(
  { plan, spatialConditions, placement, scale }: PlacedLayer,
  shape: PixelShape,
): Promise<SymbolVisitor> {
  const getLengths = createMapLengths(scale);
  const groups = await compileGroups(plan, spatialConditions, (each) => compileSymbol(each, plan, getLengths));
  const cursor = new FeatureCursor(plan);
  const { frame, projection, shifts, wrapping } = await placeShapes(placement, plan.reachPixels);
  const rules: CompiledRule<DrawnSymbol>[] = [];
  return (batch, feature, range, visit) => {
    cursor.moveTo(batch, feature);
    for (const group of groups) {
      collectRules(group, cursor, rules);
      for (const { painters } of rules) for (const symbol of painters) if (visitSymbol(symbol)) return true;
    }
    return false;

    function visitSymbol(symbol: DrawnSymbol): boolean {
      const { geometry, slot } = symbol;
      if (geometry.compute === undefined) return visitShapes(symbol, batch, range, slot);
      const computed = geometry.compute(cursor.values());
      if (computed === undefined) return false;
      return visitShapes(symbol, computed, { first: 0, last: computed.shapes.length / SHAPE_FIELDS }, undefined);
    }

    function visitShapes(
      { measure, geometry }: DrawnSymbol,
      loaded: FeatureBatch,
      { first, last }: ShapeRange,
      slot: number | undefined,
    ): boolean {
      const { radius, move, isMark } = measure(cursor);
      for (let each = first; each < last; each += 1) {
        if (slot !== undefined && loaded.shapes[each * SHAPE_FIELDS + 1] !== slot) continue;
        const load = (shift: number): boolean => shape.load(loaded, each, projection, frame, shift);
        const isStopped = visitCopies(shape, { shifts, wrapping }, load, () => {
          geometry.change?.(shape, frame);
          if (move !== undefined) moveShape(shape, move, isMark);
          return visit(radius);
        });
        if (isStopped) return true;
      }
      return false;
    }
  };
}

function moveShape(shape: PixelShape, move: SidewaysMove, isMark: boolean): void {
  if (isMark && shape.kind !== POINTS) replaceByMiddles(shape);
  if (shape.kind === POINTS || move.offset === 0) shape.move(move.shiftX, move.shiftY);
  else offsetShape(shape, move);
}

function replaceByMiddles(shape: PixelShape): void {
  const middles: number[] = [];
  forEachMiddle(shape, (x, y) => middles.push(x, y));
  shape.replace(POINTS, [Float64Array.from(middles)]);
}

/** Lines move to their left, rings away from the inside of their polygon. */
function offsetShape(shape: PixelShape, move: SidewaysMove): void {
  const { kind, places, ends, rings } = shape;
  const isOuter = shape.isOuter.slice(0, rings);
  const moved = Array.from({ length: rings }, (_, index) => {
    const ring = places.slice((ends[index - 1] ?? 0) * 2, (ends[index] ?? 0) * 2);
    return kind === LINES ? offsetToSide(ring, false, move) : offsetOutwards(ring, isOuter[index] === 1, move);
  });
  shape.replace(kind, moved, isOuter);
}

/** Labels are placed far from shapes and do not count: a point beside a feature would find it by its label. */
function compileSymbol(
  symbolizer: Symbolizer,
  { geometries }: StylePlan,
  getLengths: MapSettings['getLengths'],
): DrawnSymbol | undefined {
  const geometry = resolveGeometry(symbolizer);
  if (geometry === undefined) return undefined;
  const slot = findGeometrySlot(geometries, geometry.attribute);
  if (symbolizer.kind === 'textSymbolizer') return { geometry, slot, measure: () => noExtent };
  const lengths = getLengths(symbolizer);
  // Naming a geometry does not make the size depend on the feature.
  const { geometry: _, ...sized } = symbolizer;
  return { geometry, slot, measure: memoizeByFeature(sized, (bound) => measureSymbol(bound, lengths)) };
}

const noExtent: SymbolExtent = { radius: 0, move: undefined, isMark: false };

function measureSymbol(symbolizer: Symbolizer, lengths: Lengths): SymbolExtent {
  const radius = Math.min(computeReach(removeMove(symbolizer), lengths) / 2, MAX_RADIUS_PIXELS);
  const move = computeMove(symbolizer, lengths);
  const isMoved = move.offset !== 0 || move.shiftX !== 0 || move.shiftY !== 0;
  return { radius, move: isMoved ? move : undefined, isMark: symbolizer.kind === 'pointSymbolizer' };
}

/** Returns the symbolizer without its displacement, which does not enlarge its symbol. */
function removeMove(symbolizer: Symbolizer): Symbolizer {
  switch (symbolizer.kind) {
    case 'pointSymbolizer': {
      if (symbolizer.graphic === undefined) return symbolizer;
      const { displacement, anchorPoint, ...graphic } = symbolizer.graphic;
      return { ...symbolizer, graphic };
    }
    case 'lineSymbolizer':
      return { ...symbolizer, perpendicularOffset: undefined };
    case 'polygonSymbolizer':
      return { ...symbolizer, perpendicularOffset: undefined, displacement: undefined };
    default:
      return symbolizer;
  }
}

function computeMove(symbolizer: Symbolizer, lengths: Lengths): SidewaysMove {
  switch (symbolizer.kind) {
    case 'pointSymbolizer':
      return symbolizer.graphic === undefined ? noMove : computeMarkMove(symbolizer.graphic, lengths);
    case 'lineSymbolizer':
      return { ...noMove, offset: readPixels(lengths, symbolizer.perpendicularOffset, 0) };
    case 'polygonSymbolizer':
      return {
        offset: readPixels(lengths, symbolizer.perpendicularOffset, 0),
        shiftX: readPixels(lengths, symbolizer.displacement?.x, 0),
        shiftY: -readPixels(lengths, symbolizer.displacement?.y, 0),
      };
    default:
      return noMove;
  }
}

const noMove: SidewaysMove = { offset: 0, shiftX: 0, shiftY: 0 };

function computeMarkMove(graphic: Graphic, lengths: Lengths): SidewaysMove {
  const [right, down] = readDisplacement(lengths, graphic.displacement);
  if (graphic.anchorPoint === undefined) return { offset: 0, shiftX: right, shiftY: down };
  const size = Math.max(0, readPixels(lengths, graphic.size, DEFAULT_MARK_PIXELS));
  const radians = (sampleNumber(graphic.rotation, 0) * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  const x = (0.5 - sampleNumber(graphic.anchorPoint.x, 0.5)) * size;
  const y = (sampleNumber(graphic.anchorPoint.y, 0.5) - 0.5) * size;
  return { offset: 0, shiftX: right + x * cosine - y * sine, shiftY: down + x * sine + y * cosine };
}

/** Returns whether symbols are drawn elsewhere than at the shapes of features. */
export function hasMovedSymbols(plan: StylePlan): boolean {
  return listPlanRules(plan).some(({ symbolizers }) => symbolizers.some(isMovedSymbol));
}

function isMovedSymbol(symbolizer: Symbolizer): boolean {
  const geometry = resolveGeometry(symbolizer);
  if (geometry?.change !== undefined || geometry?.compute !== undefined) return true;
  switch (symbolizer.kind) {
    case 'pointSymbolizer':
      return symbolizer.graphic?.displacement !== undefined || symbolizer.graphic?.anchorPoint !== undefined;
    case 'lineSymbolizer':
      return symbolizer.perpendicularOffset !== undefined;
    case 'polygonSymbolizer':
      return symbolizer.displacement !== undefined || symbolizer.perpendicularOffset !== undefined;
    default:
      return false;
  }
}
