/** Creates the symbolizers of fill, line, circle and raster layers. */
import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral, readLiteralNumber } from '../../filter/model/literal.ts';
import { omitUndefined } from '../css/translate/omit-undefined.ts';
import type { Fill, Stroke } from '../model/paint.ts';
import type {
  LineSymbolizer,
  PointSymbolizer,
  PolygonSymbolizer,
  RasterSymbolizer,
  Symbolizer,
} from '../model/symbolizer.ts';
import { add, multiply } from './common/arithmetic.ts';
import { createPattern, type Sprites } from './icons.ts';
import type { LayerProperties } from './layer-properties.ts';

const black = createLiteral('#000000');

export function createFill(color: Expression | undefined, opacity: Expression | undefined): Fill {
  return omitUndefined<Fill>({ kind: 'fill', color: color ?? black, opacity });
}

export function createFillSymbolizers(
  properties: LayerProperties,
  sprites: Sprites,
  prefix: 'fill' | 'fill-extrusion' = 'fill',
): readonly Symbolizer[] {
  const opacity = properties.number(`${prefix}-opacity`);
  const pattern = properties.text(`${prefix}-pattern`);
  const { color, alpha } = properties.color(`${prefix}-color`);
  const outline = properties.color('fill-outline-color');
  properties.accept('fill-antialias', 'fill-translate-anchor');
  const fill: Fill =
    pattern === undefined
      ? createFill(color, multiply(opacity, alpha))
      : { kind: 'fill', graphicFill: createPattern(pattern, sprites, opacity) };
  const stroke: Stroke | undefined =
    outline.color === undefined
      ? undefined
      : omitUndefined<Stroke>({ kind: 'stroke', color: outline.color, opacity: multiply(opacity, outline.alpha) });
  return [
    omitUndefined<PolygonSymbolizer>({
      kind: 'polygonSymbolizer',
      fill,
      stroke,
      displacement: properties.displacement(`${prefix}-translate`),
    }),
  ];
}

export function createExtrusionSymbolizers(properties: LayerProperties, sprites: Sprites): readonly Symbolizer[] {
  properties.complaints.warn([...properties.path, 'type'], 'fill-extrusion is drawn as a flat fill');
  properties.accept('fill-extrusion-height', 'fill-extrusion-base');
  properties.accept('fill-extrusion-vertical-gradient', 'fill-extrusion-translate-anchor');
  return createFillSymbolizers(properties, sprites, 'fill-extrusion');
}

export function createLineSymbolizers(properties: LayerProperties, sprites: Sprites): readonly Symbolizer[] {
  const { color, alpha } = properties.color('line-color');
  const width = properties.number('line-width') ?? createLiteral('1');
  const opacity = multiply(properties.number('line-opacity'), alpha);
  const pattern = properties.text('line-pattern');
  const join = properties.text('line-join');
  properties.ignore('line-blur', 'line-gradient', 'line-translate', 'line-miter-limit', 'line-round-limit');
  properties.accept('line-translate-anchor');
  const stroke = omitUndefined<Stroke>({
    kind: 'stroke',
    graphicStroke: pattern && { graphic: createPattern(pattern, sprites, opacity) },
    color: color ?? black,
    opacity,
    width,
    lineJoin: join?.kind === 'literal' && join.value === 'miter' ? createLiteral('mitre') : join,
    lineCap: properties.text('line-cap'),
    dashArray: createDashes(properties, width),
  });
  // A positive offset is to the right of the line here, and to the left in the model.
  const offset = multiply(properties.number('line-offset'), createLiteral('-1'));
  const gap = properties.number('line-gap-width');
  if (!properties.has('line-offset') && gap === undefined) return [{ kind: 'lineSymbolizer', stroke }];
  if (gap === undefined)
    return [omitUndefined<LineSymbolizer>({ kind: 'lineSymbolizer', stroke, perpendicularOffset: offset })];
  return createCasing(stroke, add(gap, width), offset);
}

/** Two lines beside the actual line. */
function createCasing(stroke: Stroke, distance: Expression, offset: Expression | undefined): readonly LineSymbolizer[] {
  return ['0.5', '-0.5'].map((side) => {
    const half = multiply(distance, createLiteral(side)) ?? createLiteral('0');
    return { kind: 'lineSymbolizer', stroke, perpendicularOffset: offset === undefined ? half : add(offset, half) };
  });
}

/** Lengths of dashes are multiples of the width. */
function createDashes(properties: LayerProperties, width: Expression): readonly Expression[] | undefined {
  const lengths = properties.numbers('line-dasharray', true);
  if (lengths === undefined) return undefined;
  // An odd number of lengths is repeated, so that dashes and gaps alternate.
  const all = lengths.length % 2 === 0 ? lengths : [...lengths, ...lengths];
  const scaled = all.flatMap((each) => multiply(each, width) ?? []);
  return scaled.length === 0 ? undefined : scaled;
}

/** The stroke is outside the radius, but centred on the outline of a mark. */
export function createCircleSymbolizers(properties: LayerProperties): readonly Symbolizer[] {
  const { color, alpha } = properties.color('circle-color');
  const outline = properties.color('circle-stroke-color');
  const strokeWidth = properties.number('circle-stroke-width');
  const radius = properties.number('circle-radius') ?? createLiteral('5');
  const diameter = multiply(radius, createLiteral('2')) ?? radius;
  const hasStroke = strokeWidth !== undefined && readLiteralNumber(strokeWidth) !== 0;
  properties.ignore('circle-blur');
  properties.accept('circle-translate-anchor', 'circle-pitch-scale', 'circle-pitch-alignment');
  const fill = createFill(color, multiply(properties.number('circle-opacity'), alpha));
  const stroke = omitUndefined<Stroke>({
    kind: 'stroke',
    color: outline.color ?? black,
    opacity: multiply(properties.number('circle-stroke-opacity'), outline.alpha),
    width: strokeWidth,
  });
  return [
    {
      kind: 'pointSymbolizer',
      graphic: omitUndefined({
        kind: 'graphic' as const,
        symbols: [
          { kind: 'mark' as const, wellKnownName: createLiteral('circle'), fill, ...(hasStroke ? { stroke } : {}) },
        ],
        size: hasStroke ? add(diameter, strokeWidth) : diameter,
        displacement: properties.displacement('circle-translate'),
      }),
    } satisfies PointSymbolizer,
  ];
}

export function createRasterSymbolizers(properties: LayerProperties): readonly Symbolizer[] {
  properties.ignore('raster-hue-rotate', 'raster-brightness-min', 'raster-brightness-max');
  properties.ignore('raster-saturation', 'raster-contrast', 'raster-color', 'raster-color-mix', 'raster-color-range');
  properties.accept('raster-fade-duration', 'raster-resampling', 'resampling');
  return [omitUndefined<RasterSymbolizer>({ kind: 'rasterSymbolizer', opacity: properties.number('raster-opacity') })];
}
