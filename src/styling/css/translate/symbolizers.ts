/** Builds the symbolizers for a set of properties. */
import type { Expression } from '../../../filter/model/expression.ts';
import type { LineSymbolizer, PointSymbolizer, PolygonSymbolizer, Symbolizer } from '../../model/symbolizer.ts';
import {
  type CascadedProperties,
  findExpression,
  findLiteralText,
  type PropertyLookup,
} from '../cascade/cascaded-properties.ts';
import { fillOptions, markOptions, strokeOptions } from '../values/vendor-properties.ts';
import { omitUndefined } from './omit-undefined.ts';
import { buildVendorOptions, toVendorOption } from './options.ts';
import { buildFill, buildGraphic, buildStroke, isGraphic } from './paint.ts';
import { buildRasterSymbolizer } from './raster.ts';
import { buildTextSymbolizer } from './text.ts';

export interface LevelledSymbolizer {
  readonly zIndex: number;
  readonly symbolizer: Symbolizer;
}

/** Properties of lines only. With any of them, the outline of an area becomes a separate line. */
const lineOnlyProperties = [
  'stroke-offset',
  'stroke-geometry',
  'stroke-composite',
  'stroke-label-obstacle',
  'stroke-inclusion',
  'fill-geometry',
  'fill-composite',
];

/** In painting order: rasters, areas, lines, points, labels. */
export function buildSymbolizers(cascaded: CascadedProperties): readonly LevelledSymbolizer[] {
  const strokes = cascaded.countValues('stroke');
  const isOutline =
    strokes > 0 &&
    strokes === cascaded.countValues('fill') &&
    lineOnlyProperties.every((property) => cascaded.countValues(property) === 0);
  const rasters = Math.max(
    cascaded.countValues('raster-channels'),
    cascaded.countValues('raster-color-map') > 0 ? 1 : 0,
  );
  return [
    ...buildRepeated(cascaded, rasters, buildRasterSymbolizer),
    ...buildRepeated(cascaded, cascaded.countValues('fill'), (index) =>
      buildPolygonSymbolizer(cascaded, index, isOutline),
    ),
    ...buildRepeated(cascaded, isOutline ? 0 : strokes, (index) => buildLineSymbolizer(cascaded, index)),
    ...buildRepeated(cascaded, cascaded.countValues('mark'), (index) => buildPointSymbolizer(cascaded, index)),
    ...buildRepeated(cascaded, cascaded.countValues('label'), (index) => buildTextSymbolizer(cascaded, index)),
  ];
}

function buildRepeated(
  cascaded: CascadedProperties,
  count: number,
  build: (index: number, own: PropertyLookup) => Symbolizer | undefined,
): readonly LevelledSymbolizer[] {
  const found: LevelledSymbolizer[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = cascaded.getLookup(index);
    const symbolizer = build(index, own);
    if (symbolizer !== undefined) found.push({ zIndex: Number(findLiteralText(own('z-index')) ?? 0), symbolizer });
  }
  return found;
}

function findGeometry(own: PropertyLookup, prefix: string): Expression | undefined {
  return findExpression(own(`${prefix}-geometry`) ?? own('geometry'));
}

function buildPolygonSymbolizer(
  cascaded: CascadedProperties,
  index: number,
  isOutline: boolean,
): PolygonSymbolizer | LineSymbolizer | undefined {
  const own = cascaded.getLookup(index);
  const fill = buildFill({ prefix: 'fill', own, ofSymbol: cascaded.getSymbolLookup('fill', index) });
  const stroke = isOutline
    ? buildStroke({ prefix: 'stroke', own, ofSymbol: cascaded.getSymbolLookup('stroke', index) })
    : undefined;
  if (fill === undefined && stroke === undefined) return undefined;
  // The geometry may have no area, so a stroke without a fill becomes a line symbolizer.
  if (fill === undefined) return buildLineSymbolizer(cascaded, index);
  return omitUndefined<PolygonSymbolizer>({
    kind: 'polygonSymbolizer',
    geometry: findGeometry(own, 'fill'),
    vendorOptions: buildVendorOptions(own, fillOptions, [toVendorOption('composite', own('fill-composite'))]),
    fill,
    stroke,
  });
}

function buildLineSymbolizer(cascaded: CascadedProperties, index: number): LineSymbolizer | undefined {
  const own = cascaded.getLookup(index);
  const stroke = buildStroke({ prefix: 'stroke', own, ofSymbol: cascaded.getSymbolLookup('stroke', index) });
  if (stroke === undefined) return undefined;
  return omitUndefined<LineSymbolizer>({
    kind: 'lineSymbolizer',
    geometry: findGeometry(own, 'stroke'),
    vendorOptions: buildVendorOptions(own, strokeOptions, [toVendorOption('composite', own('stroke-composite'))]),
    stroke,
    perpendicularOffset: findExpression(own('stroke-offset')),
  });
}

function buildPointSymbolizer(cascaded: CascadedProperties, index: number): PointSymbolizer | undefined {
  const own = cascaded.getLookup(index);
  const mark = own('mark');
  if (!isGraphic(mark)) return undefined;
  return omitUndefined<PointSymbolizer>({
    kind: 'pointSymbolizer',
    geometry: findGeometry(own, 'mark'),
    vendorOptions: buildVendorOptions(own, markOptions, [toVendorOption('composite', own('mark-composite'))]),
    graphic: buildGraphic(mark, { prefix: 'mark', own, ofSymbol: cascaded.getSymbolLookup('mark', index) }),
  });
}
