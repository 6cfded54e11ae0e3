/** Builds text symbolizers. */
import type { Expression } from '../../../data/filter/expression.ts';
import type { Font, Halo, LabelPlacement, TextSymbolizer } from '../../model/symbolizer.ts';
import { labelOptions } from '../values/vendor-properties.ts';
import { type Cascaded, expressionOf, expressionsOf, type Lookup, textOf } from './cascaded.ts';
import { optionOf, vendorOptionsOf } from './options.ts';
import { fillOf, graphicOf, isGraphic, pointOf } from './paint.ts';
import { withoutUndefined } from './without-undefined.ts';

export function textSymbolizer(cascaded: Cascaded, index: number): TextSymbolizer | undefined {
  const own = cascaded.at(index);
  const label = expressionOf(own('label'));
  if (label === undefined) return undefined;
  const shield = own('shield');
  const ofSymbol = cascaded.symbol('shield', index);
  return withoutUndefined<TextSymbolizer>({
    kind: 'textSymbolizer',
    geometry: expressionOf(own('label-geometry') ?? own('geometry')),
    vendorOptions: vendorOptionsOf(own, labelOptions, [optionOf('composite', own('label-composite'))]),
    label,
    font: fontOf(cascaded, index),
    placement: placementOf(own),
    halo: haloOf(own),
    fill: textFill(own),
    graphic: isGraphic(shield) ? graphicOf(shield, { prefix: 'shield', own, ofSymbol }) : undefined,
    priority: expressionOf(own('label-priority')),
  });
}

/** Several families are alternatives for one label, and one each for several. */
function fontOf(cascaded: Cascaded, index: number): Font | undefined {
  const own = cascaded.at(index);
  const all = cascaded.count('label') === 1 ? cascaded.all('font-family') : [own('font-family')];
  const families = all.flatMap((value): readonly Expression[] => {
    const family = expressionOf(value);
    return family === undefined ? (expressionsOf(value) ?? []) : [family];
  });
  const style = expressionOf(own('font-style'));
  const weight = expressionOf(own('font-weight'));
  const size = expressionOf(own('font-size'));
  if (families.length === 0 && style === undefined && weight === undefined && size === undefined) return undefined;
  return withoutUndefined<Font>({ kind: 'font', families, style, weight, size });
}

function textFill(own: Lookup): TextSymbolizer['fill'] {
  const fill = fillOf({ prefix: 'font', own, ofSymbol: () => undefined });
  const opacity = expressionOf(own('font-opacity'));
  return fill === undefined && opacity !== undefined ? { kind: 'fill', opacity } : fill;
}

function haloOf(own: Lookup): Halo | undefined {
  const radius = expressionOf(own('halo-radius'));
  const color = expressionOf(own('halo-color'));
  const opacity = expressionOf(own('halo-opacity'));
  if (radius === undefined && color === undefined) return undefined;
  const isFilled = color !== undefined || opacity !== undefined;
  return withoutUndefined<Halo>({
    kind: 'halo',
    radius,
    fill: isFilled ? withoutUndefined({ kind: 'fill' as const, color, opacity }) : undefined,
  });
}

/** One offset is the distance from a line, two are a way to the right and up from a point. */
function placementOf(own: Lookup): LabelPlacement | undefined {
  const offset = expressionsOf(own('label-offset'));
  const anchorPoint = pointOf(own('label-anchor'));
  const rotation = expressionOf(own('label-rotation'));
  if (offset?.length === 1) return { kind: 'linePlacement', perpendicularOffset: offset[0] };
  if (anchorPoint === undefined && rotation === undefined && offset === undefined)
    return textOf(own('label-follow-line')) === 'true' ? { kind: 'linePlacement' } : undefined;
  return withoutUndefined<LabelPlacement>({
    kind: 'pointPlacement',
    anchorPoint,
    displacement: pointOf(own('label-offset')),
    rotation,
  });
}
