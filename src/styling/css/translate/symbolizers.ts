/** Builds the symbolizers that a set of properties asks for. */
import type { Expression } from '../../../data/filter/expression.ts';
import type { LineSymbolizer, PointSymbolizer, PolygonSymbolizer, Symbolizer } from '../../model/symbolizer.ts';
import { fillOptions, markOptions, strokeOptions } from '../values/vendor-properties.ts';
import { type Cascaded, expressionOf, type Lookup, textOf } from './cascaded.ts';
import { optionOf, vendorOptionsOf } from './options.ts';
import { fillOf, graphicOf, isGraphic, strokeOf } from './paint.ts';
import { rasterSymbolizer } from './raster.ts';
import { textSymbolizer } from './text.ts';
import { withoutUndefined } from './without-undefined.ts';

export interface LevelledSymbolizer {
  readonly zIndex: number;
  readonly symbolizer: Symbolizer;
}

/** What only a line can have; with any of these the outline of an area is a line of its own. */
const ofLinesOnly = [
  'stroke-offset',
  'stroke-geometry',
  'stroke-composite',
  'stroke-label-obstacle',
  'stroke-inclusion',
  'fill-geometry',
  'fill-composite',
];

/** In the order they are painted: rasters, areas, lines, points, labels. */
export function symbolizersOf(cascaded: Cascaded): readonly LevelledSymbolizer[] {
  const strokes = cascaded.count('stroke');
  const isOutline =
    strokes > 0 &&
    strokes === cascaded.count('fill') &&
    ofLinesOnly.every((property) => cascaded.count(property) === 0);
  const rasters = Math.max(cascaded.count('raster-channels'), cascaded.count('raster-color-map') > 0 ? 1 : 0);
  return [
    ...repeated(cascaded, rasters, rasterSymbolizer),
    ...repeated(cascaded, cascaded.count('fill'), (index) => polygon(cascaded, index, isOutline)),
    ...repeated(cascaded, isOutline ? 0 : strokes, (index) => line(cascaded, index)),
    ...repeated(cascaded, cascaded.count('mark'), (index) => point(cascaded, index)),
    ...repeated(cascaded, cascaded.count('label'), (index) => textSymbolizer(cascaded, index)),
  ];
}

function repeated(
  cascaded: Cascaded,
  count: number,
  build: (index: number, own: Lookup) => Symbolizer | undefined,
): readonly LevelledSymbolizer[] {
  const found: LevelledSymbolizer[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = cascaded.at(index);
    const symbolizer = build(index, own);
    if (symbolizer !== undefined) found.push({ zIndex: Number(textOf(own('z-index')) ?? 0), symbolizer });
  }
  return found;
}

function geometryOf(own: Lookup, prefix: string): Expression | undefined {
  return expressionOf(own(`${prefix}-geometry`) ?? own('geometry'));
}

function polygon(
  cascaded: Cascaded,
  index: number,
  isOutline: boolean,
): PolygonSymbolizer | LineSymbolizer | undefined {
  const own = cascaded.at(index);
  const fill = fillOf({ prefix: 'fill', own, ofSymbol: cascaded.symbol('fill', index) });
  const stroke = isOutline
    ? strokeOf({ prefix: 'stroke', own, ofSymbol: cascaded.symbol('stroke', index) })
    : undefined;
  if (fill === undefined && stroke === undefined) return undefined;
  // Without a fill there may be no area: lines are drawn by a line symbolizer only.
  if (fill === undefined) return line(cascaded, index);
  return withoutUndefined<PolygonSymbolizer>({
    kind: 'polygonSymbolizer',
    geometry: geometryOf(own, 'fill'),
    vendorOptions: vendorOptionsOf(own, fillOptions, [optionOf('composite', own('fill-composite'))]),
    fill,
    stroke,
  });
}

function line(cascaded: Cascaded, index: number): LineSymbolizer | undefined {
  const own = cascaded.at(index);
  const stroke = strokeOf({ prefix: 'stroke', own, ofSymbol: cascaded.symbol('stroke', index) });
  if (stroke === undefined) return undefined;
  return withoutUndefined<LineSymbolizer>({
    kind: 'lineSymbolizer',
    geometry: geometryOf(own, 'stroke'),
    vendorOptions: vendorOptionsOf(own, strokeOptions, [optionOf('composite', own('stroke-composite'))]),
    stroke,
    perpendicularOffset: expressionOf(own('stroke-offset')),
  });
}

function point(cascaded: Cascaded, index: number): PointSymbolizer | undefined {
  const own = cascaded.at(index);
  const mark = own('mark');
  if (!isGraphic(mark)) return undefined;
  return withoutUndefined<PointSymbolizer>({
    kind: 'pointSymbolizer',
    geometry: geometryOf(own, 'mark'),
    vendorOptions: vendorOptionsOf(own, markOptions, [optionOf('composite', own('mark-composite'))]),
    graphic: graphicOf(mark, { prefix: 'mark', own, ofSymbol: cascaded.symbol('mark', index) }),
  });
}
