/** Builds text symbolizers. */
import type { Expression } from '../../../filter/model/expression.ts';
import type { Font, Halo, LabelPlacement, TextSymbolizer } from '../../model/symbolizer.ts';
import {
  type CascadedProperties,
  findExpression,
  findExpressions,
  findLiteralText,
  type PropertyLookup,
} from '../cascade/cascaded-properties.ts';
import { labelOptions } from '../values/vendor-properties.ts';
import { omitUndefined } from './omit-undefined.ts';
import { buildVendorOptions, toVendorOption } from './options.ts';
import { buildFill, buildGraphic, isGraphic, toPoint } from './paint.ts';

export function buildTextSymbolizer(cascaded: CascadedProperties, index: number): TextSymbolizer | undefined {
  const own = cascaded.getLookup(index);
  const label = findExpression(own('label'));
  if (label === undefined) return undefined;
  const shield = own('shield');
  const ofSymbol = cascaded.getSymbolLookup('shield', index);
  return omitUndefined<TextSymbolizer>({
    kind: 'textSymbolizer',
    geometry: findExpression(own('label-geometry') ?? own('geometry')),
    vendorOptions: buildVendorOptions(own, labelOptions, [toVendorOption('composite', own('label-composite'))]),
    label,
    font: buildFont(cascaded, index),
    placement: buildPlacement(own),
    halo: buildHalo(own),
    fill: buildTextFill(own),
    graphic: isGraphic(shield) ? buildGraphic(shield, { prefix: 'shield', own, ofSymbol }) : undefined,
    priority: findExpression(own('label-priority')),
  });
}

/** Several families are alternatives for a single label, but one for each of several labels. */
function buildFont(cascaded: CascadedProperties, index: number): Font | undefined {
  const own = cascaded.getLookup(index);
  const all = cascaded.countValues('label') === 1 ? cascaded.listValues('font-family') : [own('font-family')];
  const families = all.flatMap((value): readonly Expression[] => {
    const family = findExpression(value);
    return family === undefined ? (findExpressions(value) ?? []) : [family];
  });
  const style = findExpression(own('font-style'));
  const weight = findExpression(own('font-weight'));
  const size = findExpression(own('font-size'));
  if (families.length === 0 && style === undefined && weight === undefined && size === undefined) return undefined;
  return omitUndefined<Font>({ kind: 'font', families, style, weight, size });
}

function buildTextFill(own: PropertyLookup): TextSymbolizer['fill'] {
  const fill = buildFill({ prefix: 'font', own, ofSymbol: () => undefined });
  const opacity = findExpression(own('font-opacity'));
  return fill === undefined && opacity !== undefined ? { kind: 'fill', opacity } : fill;
}

function buildHalo(own: PropertyLookup): Halo | undefined {
  const radius = findExpression(own('halo-radius'));
  const color = findExpression(own('halo-color'));
  const opacity = findExpression(own('halo-opacity'));
  if (radius === undefined && color === undefined) return undefined;
  const isFilled = color !== undefined || opacity !== undefined;
  return omitUndefined<Halo>({
    kind: 'halo',
    radius,
    fill: isFilled ? omitUndefined({ kind: 'fill' as const, color, opacity }) : undefined,
  });
}

/** A single offset is the distance from a line; two offsets move the label right and up from a point. */
function buildPlacement(own: PropertyLookup): LabelPlacement | undefined {
  const offset = findExpressions(own('label-offset'));
  const anchorPoint = toPoint(own('label-anchor'));
  const rotation = findExpression(own('label-rotation'));
  if (offset?.length === 1) return { kind: 'linePlacement', perpendicularOffset: offset[0] };
  if (anchorPoint === undefined && rotation === undefined && offset === undefined)
    return findLiteralText(own('label-follow-line')) === 'true' ? { kind: 'linePlacement' } : undefined;
  return omitUndefined<LabelPlacement>({
    kind: 'pointPlacement',
    anchorPoint,
    displacement: toPoint(own('label-offset')),
    rotation,
  });
}
