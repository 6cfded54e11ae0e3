/** A layer that is being painted: applies the matching rules to each feature, on any surface. */
import { type CanvasLibrary, loadCanvas } from '../../styling/legend/canvas/canvas.ts';
import type { Pictures } from '../../styling/legend/canvas/drawing.ts';
import { loadPictures } from '../../styling/legend/images/pictures.ts';
import { createLengths, type Lengths } from '../../styling/legend/values/lengths.ts';
import type { Symbolizer } from '../../styling/model/model.ts';
import { type FeatureBatch, SHAPE_FIELDS } from '../../vector/port/packed-features.ts';
import type { LabelContext } from '../labels/label.ts';
import type { LabelLayer } from '../labels/label-layer.ts';
import { loadStyleFunctions } from '../rules/bind-style.ts';
import { FeatureCursor, findFirstShape } from '../rules/feature-cursor.ts';
import { type CompiledGroup, type CompiledRule, collectRules, compileGroup } from '../rules/rule-choice.ts';
import { compileSpatialTests } from '../rules/spatial-conditions.ts';
import { computeReach, findOptionText, type PaintedGroup, type StylePlan } from '../rules/style-plan.ts';
import type { Frame } from '../shapes/frame.ts';
import { findGeometrySlot, type ResolvedGeometry, resolveGeometry } from '../shapes/geometry-functions.ts';
import type { PixelShape, Projection } from '../shapes/pixel-shape.ts';
import { createProjector } from '../shapes/projector.ts';
import { createWrapping, visitCopies, type Wrapping } from '../shapes/wrapping.ts';
import type { GroupPainter } from '../symbols/group-painter.ts';
import { createObstaclePainter, isObstacle } from '../symbols/label-obstacles.ts';
import { createLabelCollector, type PaintShape } from '../symbols/symbolizer-painters.ts';
import type { PaintedLayer, SurfaceSettings } from './map-surface.ts';

export interface PreparedLayer extends PaintedLayer {
  readonly painters: readonly GroupPainter[];
  readonly groups: readonly CompiledGroup<SymbolPainter>[];
  readonly frame: Frame;
  readonly projection: Projection | undefined;
  readonly feature: FeatureCursor;
  readonly wrapping: Wrapping | undefined;
}

interface SymbolPainter {
  readonly paint: PaintShape;
  readonly change: ResolvedGeometry['change'];
  readonly compute: ResolvedGeometry['compute'];
  readonly slot: number;
}

/** The resources for painting a group. */
export interface PainterTools {
  readonly reachPixels: number;
  /** Present if a symbol of the layer requires it. */
  readonly library: CanvasLibrary | undefined;
  readonly pictures: Pictures;
}

/** The target that a layer is painted on. */
export interface LayerTarget {
  readonly settings: SurfaceSettings;
  readonly labels: LabelLayer;
  /** `index` is the position of the group in the layer, counted from the bottom. */
  readonly createPainter: (group: PaintedGroup, index: number, tools: PainterTools) => GroupPainter;
}

export async function prepareLayer(layer: PaintedLayer, ground: LayerTarget): Promise<PreparedLayer> {
  const { plan, from, to, graphics } = layer;
  const { reachPixels } = plan;
  const rules = plan.groups.flatMap((group) => group.rules);
  const hasPictures = plan.groups.some((group) => group.hasGraphics) || rules.some(hasShield);
  const library = hasPictures ? await loadCanvas() : undefined;
  const pictures: Pictures =
    library === undefined
      ? new Map()
      : await loadPictures(library, rules, async (href) => graphics.get(href), layer.addresses);
  const project = await createProjector(from, to);
  const painters = plan.groups.map((group, index) =>
    ground.createPainter(group, index, { reachPixels, library, pictures }),
  );
  const places = await compileSpatialTests(layer.spatialConditions);
  await loadStyleFunctions(rules);
  const groups: CompiledGroup<SymbolPainter>[] = [];
  for (const [index, group] of plan.groups.entries())
    groups.push(
      await compileGroup(group, places, (symbolizer) =>
        createSymbolPainter(symbolizer, painters[index], { plan, pictures }, ground),
      ),
    );
  return {
    ...layer,
    painters,
    groups,
    frame: ground.settings.frame,
    projection: project && { project, area: layer.area, world: layer.world, seam: layer.seam },
    feature: new FeatureCursor(plan),
    wrapping: layer.mapWorld && createWrapping(layer.mapWorld, layer.shifts, ground.settings.frame),
  };
}

function createSymbolPainter(
  symbolizer: Symbolizer,
  painter: GroupPainter | undefined,
  { plan, pictures }: { readonly plan: StylePlan; readonly pictures: Pictures },
  { settings, labels }: LayerTarget,
): SymbolPainter | undefined {
  const geometry = resolveGeometry(symbolizer);
  const lengths = createScaledLengths(symbolizer, settings);
  const paint =
    symbolizer.kind === 'textSymbolizer'
      ? createLabelCollector(symbolizer, createLabelContext(lengths, pictures, settings), labels)
      : painter?.createShapePainter(symbolizer, lengths);
  if (geometry === undefined || paint === undefined) return undefined;
  return {
    paint: isObstacle(symbolizer)
      ? createObstaclePainter(symbolizer.kind, paint, computeReach(symbolizer, lengths), labels)
      : paint,
    change: geometry.change,
    compute: geometry.compute,
    slot: findGeometrySlot(plan.geometries, geometry.attribute),
  };
}

function createLabelContext(
  lengths: Lengths,
  pictures: Pictures,
  { frame: { width, height }, adjacentTiles }: SurfaceSettings,
): LabelContext {
  const window = { minX: 0, minY: 0, maxX: width, maxY: height };
  return { lengths, pictures, window, isTiled: adjacentTiles !== undefined };
}

function createScaledLengths({ uom, vendorOptions }: Symbolizer, settings: SurfaceSettings): Lengths {
  const isExact = findOptionText(vendorOptions, 'exactStrokes')?.toLowerCase() === 'true';
  return {
    ...createLengths(uom, settings.scaleDenominator),
    factor: settings.symbolFactor,
    strokeGrowth: isExact ? 0 : settings.strokeGrowth,
    displacesDownwards: settings.displacesDownwards,
  };
}

function hasShield({ symbolizers }: PaintedGroup['rules'][number]): boolean {
  return symbolizers.some((each) => each.kind === 'textSymbolizer' && each.graphic !== undefined);
}

/** Paints all features of a batch, or a range of them. */
export function paintBatch(
  batch: FeatureBatch,
  layer: PreparedLayer,
  shape: PixelShape,
  range: { readonly from: number; readonly to: number } = { from: 0, to: batch.count },
): void {
  const { groups, frame, projection, shifts, feature, plan, wrapping } = layer;
  const { shapes } = batch;
  const rules: CompiledRule<SymbolPainter>[] = [];
  const count = range.to < batch.count ? findFirstShape(batch, range.to) : shapes.length / SHAPE_FIELDS;
  let first = range.from > 0 ? findFirstShape(batch, range.from) : 0;
  while (first < count) {
    const index = shapes[first * SHAPE_FIELDS] ?? 0;
    let last = first + 1;
    while (last < count && shapes[last * SHAPE_FIELDS] === index) last += 1;
    feature.moveTo(batch, index);
    // Most features have one shape that several symbolizers paint, so the loaded shape is reused.
    let loaded = -1;
    let loadedShift = 0;
    let isSeen = false;
    let isWrapped = false;
    for (const group of groups) {
      collectRules(group, feature, rules);
      for (const { painters } of rules) {
        for (const painter of painters) {
          if (painter.compute !== undefined) {
            paintComputed(painter, layer, shape);
            loaded = -1;
            continue;
          }
          const { paint, change, slot } = painter;
          for (let each = first; each < last; each += 1) {
            if (shapes[each * SHAPE_FIELDS + 1] !== slot) continue;
            let copies = shifts;
            for (let copy = 0; copy < copies.length; copy += 1) {
              const shift = copies[copy] ?? 0;
              const move = shift - loadedShift;
              // A copy that is not on the map need not be loaded: it differs only in its position.
              if (
                loaded === each &&
                move !== 0 &&
                !shape.isNear(frame, plan.reachPixels, frame.xx * move, frame.yx * move)
              )
                continue;
              if (loaded !== each || move !== 0) {
                const isPlaced = shape.load(batch, each, projection, frame, shift);
                isWrapped = wrapping?.wrap(shape, shift) === true;
                isSeen = isPlaced && shape.isNear(frame, plan.reachPixels);
                loaded = each;
                loadedShift = shift;
              }
              // A shape beyond the edge of the world is also visible at the other edge; a change may move it there.
              if (wrapping !== undefined && (isWrapped || change !== undefined)) copies = wrapping.shifts;
              if (!isSeen) continue;
              if (change !== undefined) {
                change(shape, frame);
                loaded = -1;
              }
              paint(shape, feature);
            }
          }
        }
      }
    }
    first = last;
  }
}

/** Paints a geometry that is computed for the current feature. */
function paintComputed(
  { paint, compute }: SymbolPainter,
  { frame, projection, shifts, feature, plan, wrapping }: PreparedLayer,
  shape: PixelShape,
): void {
  const computed = compute?.(feature.values());
  if (computed === undefined) return;
  for (let each = 0; each < computed.shapes.length / SHAPE_FIELDS; each += 1) {
    visitCopies(
      shape,
      { shifts, wrapping },
      (shift) => shape.load(computed, each, projection, frame, shift),
      () => {
        if (shape.isNear(frame, plan.reachPixels)) paint(shape, feature);
        return false;
      },
    );
  }
}
