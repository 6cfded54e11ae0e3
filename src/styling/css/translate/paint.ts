/** Builds fills, strokes and graphics. */
import type { Expression } from '../../../filter/model/expression.ts';
import { addDefaultPaint } from '../../model/default-paint.ts';
import type { Fill, Graphic, GraphicSymbol, Mark, Point, Stroke } from '../../model/paint.ts';
import {
  findExpression,
  findExpressions,
  findLiteralText,
  type PropertyLookup,
} from '../cascade/cascaded-properties.ts';
import type { CssValue } from '../model/stylesheet.ts';
import { omitUndefined } from './omit-undefined.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
};

/**
 * The source of a paint: its own properties have the prefix, and the properties of its symbols have a separate lookup.
 */
export interface PaintSource {
  readonly prefix: 'fill' | 'stroke' | 'mark' | 'shield' | 'font';
  readonly own: PropertyLookup;
  readonly ofSymbol: PropertyLookup;
}

const lookUpNothing: PropertyLookup = () => undefined;

/** Returns undefined if there is no fill. */
export function buildFill(place: PaintSource): Fill | undefined {
  const { prefix, own } = place;
  const value = own(prefix === 'font' ? 'font-fill' : prefix);
  if (value === undefined || value.kind === 'none') return undefined;
  return omitUndefined<Fill>({
    kind: 'fill',
    graphicFill: isGraphic(value) ? buildGraphic(value, place) : undefined,
    color: findColor(value),
    opacity: findExpression(own(`${prefix}-opacity`)),
  });
}

/** Returns undefined if there is no stroke. */
export function buildStroke(place: PaintSource): Stroke | undefined {
  const { own } = place;
  const value = own('stroke');
  if (value === undefined || value.kind === 'none') return undefined;
  const graphic = isGraphic(value) ? buildGraphic(value, place) : undefined;
  const isStippled = findLiteralText(own('stroke-repeat')) === 'stipple';
  return omitUndefined<Stroke>({
    kind: 'stroke',
    graphicFill: isStippled ? graphic : undefined,
    graphicStroke: graphic === undefined || isStippled ? undefined : { graphic },
    color: findColor(value),
    opacity: findExpression(own('stroke-opacity')),
    width: findExpression(own('stroke-width')),
    lineJoin: findExpression(own('stroke-linejoin')),
    lineCap: findExpression(own('stroke-linecap')),
    dashArray: findExpressions(own('stroke-dasharray')),
    dashOffset: findExpression(own('stroke-dashoffset')),
  });
}

function findColor(value: CssValue): Expression | undefined {
  return value.kind === 'picture' ? value.fallback : findExpression(value);
}

export function isGraphic(value: CssValue | undefined): value is CssValue & { readonly kind: 'symbol' | 'picture' } {
  return value?.kind === 'symbol' || value?.kind === 'picture';
}

export function buildGraphic(value: CssValue & { readonly kind: 'symbol' | 'picture' }, place: PaintSource): Graphic {
  const { prefix, own, ofSymbol } = place;
  // `mark-size` sets the size of this mark; `size` in a rule for symbols is the general default.
  const findMeasure = (name: 'size' | 'rotation'): Expression | undefined =>
    findExpression(own(`${prefix}-${name}`) ?? ofSymbol(`${prefix}-${name}`) ?? ofSymbol(name) ?? own(name));
  return omitUndefined<Graphic>({
    kind: 'graphic',
    symbols: [buildGraphicSymbol(value, place)],
    opacity: prefix === 'mark' ? findExpression(own('mark-opacity')) : undefined,
    size: findMeasure('size'),
    rotation: findMeasure('rotation'),
    anchorPoint: prefix === 'mark' ? toPoint(own('mark-anchor')) : undefined,
    displacement: prefix === 'mark' ? toPoint(own('mark-offset')) : undefined,
  });
}

function buildGraphicSymbol(
  value: CssValue & { readonly kind: 'symbol' | 'picture' },
  place: PaintSource,
): GraphicSymbol {
  const { prefix, own, ofSymbol } = place;
  if (value.kind === 'symbol') return buildMark(value.name, ofSymbol);
  const format = findLiteralText(own(`${prefix}-mime`)) ?? getImageFormat(value.href);
  return { kind: 'externalGraphic', source: { kind: 'online', href: value.href }, format };
}

function buildMark(wellKnownName: Expression, ofSymbol: PropertyLookup): Mark {
  const isPlain = ofSymbol('fill') === undefined && ofSymbol('stroke') === undefined;
  if (isPlain) return addDefaultPaint({ kind: 'mark', wellKnownName });
  // Nested symbols are plain; otherwise a rule for all symbols would recurse endlessly.
  return omitUndefined<Mark>({
    kind: 'mark',
    wellKnownName,
    fill: buildFill({ prefix: 'fill', own: ofSymbol, ofSymbol: lookUpNothing }),
    stroke: buildStroke({ prefix: 'stroke', own: ofSymbol, ofSymbol: lookUpNothing }),
  });
}

function getImageFormat(href: string): string {
  const [path = ''] = href.split(/[?#]/);
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return (Object.hasOwn(mediaTypes, extension) ? mediaTypes[extension] : undefined) ?? 'image/png';
}

/** A single number applies to both axes. */
export function toPoint(value: CssValue | undefined): Point | undefined {
  const [x, y = x] = findExpressions(value) ?? [];
  return x === undefined || y === undefined ? undefined : { x, y };
}
