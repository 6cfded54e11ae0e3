/**
 * Compiles symbolizers to functions that paint a shape. Style values are computed once, or once for each combination
 * of attribute values.
 */
import { chooseMark, plainSquare, shouldFallBack } from '../../styling/legend/symbols/choose-mark.ts';
import { createMarkOutline } from '../../styling/legend/symbols/mark-outline.ts';
import { DEFAULT_MARK_PIXELS } from '../../styling/legend/symbols/well-known-marks.ts';
import { type Lengths, readDisplacement, readPenPixels, readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleNumber, sampleOpacity } from '../../styling/legend/values/sample-value.ts';
import {
  createLiteral,
  type Mark,
  type PointSymbolizer,
  type Symbolizer,
  type TextSymbolizer,
} from '../../styling/model/model.ts';
import { createLabel, createLabelStyle, type LabelContext, type LabelValues } from '../labels/label.ts';
import type { LabelLayer } from '../labels/label-layer.ts';
import {
  createFillInk,
  createLinePaint,
  createPolygonPaint,
  createStrokePaint,
  type MarkPaint,
} from '../rasterizer/plain-paint.ts';
import type { PlainPainter } from '../rasterizer/plain-painter.ts';
import type { SkiaPainter } from '../rasterizer/skia-painter.ts';
import { bindFeature, findGeometryUses, isFeatureDependent, listAttributeNames } from '../rules/bind-style.ts';
import type { FeatureCursor } from '../rules/feature-cursor.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';

export type PaintShape = (shape: PixelShape, feature: FeatureCursor) => void;

/** Returns undefined for symbolizers that paint no shapes: labels and rasters are painted elsewhere. */
export function createPlainShapePainter(
  symbolizer: Symbolizer,
  lengths: Lengths,
  painter: PlainPainter,
): PaintShape | undefined {
  switch (symbolizer.kind) {
    case 'lineSymbolizer': {
      const paintFor = memoizeByFeature(symbolizer, (bound) => createLinePaint(bound, lengths));
      return (shape, feature) => painter.paintArea(shape, paintFor(feature));
    }
    case 'polygonSymbolizer': {
      const paintFor = memoizeByFeature(symbolizer, (bound) => createPolygonPaint(bound, lengths));
      return (shape, feature) => painter.paintArea(shape, paintFor(feature));
    }
    case 'pointSymbolizer': {
      const paintFor = memoizeByFeature(symbolizer, (bound) => createMarkPaint(bound, lengths));
      return (shape, feature) => {
        const paint = paintFor(feature);
        if (paint !== undefined) painter.paintMarks(shape, paint);
      };
    }
    case 'textSymbolizer':
    case 'rasterSymbolizer':
      return undefined;
  }
}

/** Supports pictures, patterns and graphics along lines too. */
export function createGraphicShapePainter(
  symbolizer: Symbolizer,
  lengths: Lengths,
  painter: SkiaPainter,
): PaintShape | undefined {
  switch (symbolizer.kind) {
    case 'lineSymbolizer': {
      const boundFor = memoizeByFeature(symbolizer, (bound) => bound);
      return (shape, feature) => painter.paintLine(shape, boundFor(feature), lengths);
    }
    case 'polygonSymbolizer': {
      const boundFor = memoizeByFeature(symbolizer, (bound) => bound);
      return (shape, feature) => painter.paintPolygon(shape, boundFor(feature), lengths);
    }
    case 'pointSymbolizer': {
      const boundFor = memoizeByFeature(symbolizer, (bound) => bound);
      return (shape, feature) => painter.paintPoint(shape, boundFor(feature), lengths);
    }
    case 'textSymbolizer':
    case 'rasterSymbolizer':
      return undefined;
  }
}

/** Collects labels, which are drawn after everything else. */
export function createLabelCollector(
  symbolizer: TextSymbolizer,
  context: LabelContext,
  labels: LabelLayer,
): PaintShape {
  const { label, priority, ...shared } = symbolizer;
  const values: LabelValues = { label, priority };
  const styleFor = memoizeByFeature(shared, (bound) => createLabelStyle(bound, context));
  return (shape, feature) => {
    const bound = bindFeature(values, feature.values());
    const created = createLabel(styleFor(feature), bound, { shape, owner: feature.identity }, context);
    if (created !== undefined) labels.add(created);
  };
}

/** The number of cached variants; a style with classes has about a dozen. */
const MAX_REMEMBERED = 500;

/** Caches the result for each combination of the attribute values that the symbolizer depends on. */
export function memoizeByFeature<S extends object, T>(
  symbolizer: S,
  make: (bound: S) => T,
): (feature: FeatureCursor) => T {
  if (!isFeatureDependent(symbolizer)) {
    const result = make(symbolizer);
    return () => result;
  }
  // Geometries are too large for keys, and rarely equal.
  if (hasGeometryValues(symbolizer)) return (feature) => make(bindFeature(symbolizer, feature.values()));
  const names = listAttributeNames(symbolizer);
  const known = new Map<string, T>();
  return (feature) => {
    const key = names.map((name) => `${typeof feature.getValue(name)} ${feature.getValue(name)}`).join('\n');
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const result = make(bindFeature(symbolizer, feature.values()));
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(key, result);
    return result;
  };
}

/** Whether a value other than the geometry to draw depends on a geometry. */
function hasGeometryValues(symbolizer: object): boolean {
  return findGeometryUses({ ...symbolizer, geometry: undefined }).size > 0;
}

/** Returns undefined if nothing is painted. */
function createMarkPaint({ graphic, vendorOptions }: PointSymbolizer, lengths: Lengths): MarkPaint | undefined {
  if (graphic === undefined) return undefined;
  const symbols = graphic.symbols.length > 0 ? graphic.symbols : [plainSquare];
  const chosen = chooseMark(symbols.filter((symbol) => symbol.kind === 'mark'));
  if (chosen === undefined || (chosen.isFallback && !shouldFallBack(vendorOptions))) return undefined;
  const size = Math.max(0, readPixels(lengths, graphic.size, DEFAULT_MARK_PIXELS));
  const radians = (sampleNumber(graphic.rotation, 0) * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  const x = (0.5 - sampleNumber(graphic.anchorPoint?.x, 0.5)) * size;
  const y = (sampleNumber(graphic.anchorPoint?.y, 0.5) - 0.5) * size;
  const [right, down] = readDisplacement(lengths, graphic.displacement);
  const opacity = sampleOpacity(graphic.opacity);
  const { fill, stroke } = chosen.mark;
  const isDrawn = stroke !== undefined && readPenPixels(lengths, stroke.width, 1) > 0;
  return {
    outline: createMarkOutline(chosen.shape, size, radians),
    fill: fill && createFillInk(fadePaint(fill, opacity)),
    line: isDrawn ? createStrokePaint(fadePaint(stroke, opacity), lengths) : undefined,
    shift: [x * cosine - y * sine + right, x * sine + y * cosine + down],
  };
}

function fadePaint<P extends { readonly opacity?: Mark['wellKnownName'] }>(paint: P, opacity: number): P {
  return opacity === 1 ? paint : { ...paint, opacity: createLiteral(sampleOpacity(paint.opacity) * opacity) };
}
