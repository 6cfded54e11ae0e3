/** Builds fills, strokes and graphics. */
import type { Expression } from '../../../data/filter/expression.ts';
import type { Fill, Graphic, GraphicSymbol, Mark, Point, Stroke } from '../../model/paint.ts';
import type { CssValue } from '../stylesheet.ts';
import { expressionOf, expressionsOf, type Lookup, textOf } from './cascaded.ts';
import { withoutUndefined } from './without-undefined.ts';

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

/** Where a paint is: its own properties begin with the prefix, and those of its symbols are looked up elsewhere. */
export interface PaintPlace {
  readonly prefix: 'fill' | 'stroke' | 'mark' | 'shield' | 'font';
  readonly own: Lookup;
  readonly ofSymbol: Lookup;
}

const nothing: Lookup = () => undefined;

/** Undefined if nothing is to be filled. */
export function fillOf(place: PaintPlace): Fill | undefined {
  const { prefix, own } = place;
  const value = own(prefix === 'font' ? 'font-fill' : prefix);
  if (value === undefined || value.kind === 'none') return undefined;
  return withoutUndefined<Fill>({
    kind: 'fill',
    graphicFill: isGraphic(value) ? graphicOf(value, place) : undefined,
    color: colorOf(value),
    opacity: expressionOf(own(`${prefix}-opacity`)),
  });
}

/** Undefined if nothing is to be drawn. */
export function strokeOf(place: PaintPlace): Stroke | undefined {
  const { own } = place;
  const value = own('stroke');
  if (value === undefined || value.kind === 'none') return undefined;
  const graphic = isGraphic(value) ? graphicOf(value, place) : undefined;
  const isStippled = textOf(own('stroke-repeat')) === 'stipple';
  return withoutUndefined<Stroke>({
    kind: 'stroke',
    graphicFill: isStippled ? graphic : undefined,
    graphicStroke: graphic === undefined || isStippled ? undefined : { graphic },
    color: colorOf(value),
    opacity: expressionOf(own('stroke-opacity')),
    width: expressionOf(own('stroke-width')),
    lineJoin: expressionOf(own('stroke-linejoin')),
    lineCap: expressionOf(own('stroke-linecap')),
    dashArray: expressionsOf(own('stroke-dasharray')),
    dashOffset: expressionOf(own('stroke-dashoffset')),
  });
}

function colorOf(value: CssValue): Expression | undefined {
  return value.kind === 'picture' ? value.fallback : expressionOf(value);
}

export function isGraphic(value: CssValue | undefined): value is CssValue & { readonly kind: 'symbol' | 'picture' } {
  return value?.kind === 'symbol' || value?.kind === 'picture';
}

export function graphicOf(value: CssValue & { readonly kind: 'symbol' | 'picture' }, place: PaintPlace): Graphic {
  const { prefix, own, ofSymbol } = place;
  // `mark-size` says how large this mark is, `size` in a rule for symbols only how large symbols are.
  const measure = (name: 'size' | 'rotation'): Expression | undefined =>
    expressionOf(own(`${prefix}-${name}`) ?? ofSymbol(`${prefix}-${name}`) ?? ofSymbol(name) ?? own(name));
  return withoutUndefined<Graphic>({
    kind: 'graphic',
    symbols: [graphicSymbol(value, place)],
    opacity: prefix === 'mark' ? expressionOf(own('mark-opacity')) : undefined,
    size: measure('size'),
    rotation: measure('rotation'),
    anchorPoint: prefix === 'mark' ? pointOf(own('mark-anchor')) : undefined,
    displacement: prefix === 'mark' ? pointOf(own('mark-offset')) : undefined,
  });
}

function graphicSymbol(value: CssValue & { readonly kind: 'symbol' | 'picture' }, place: PaintPlace): GraphicSymbol {
  const { prefix, own, ofSymbol } = place;
  if (value.kind === 'symbol') return markOf(value.name, ofSymbol);
  const format = textOf(own(`${prefix}-mime`)) ?? formatOf(value.href);
  return { kind: 'externalGraphic', source: { kind: 'online', href: value.href }, format };
}

/** A symbol of which nothing is said is grey with a black outline, as everywhere. */
function markOf(wellKnownName: Expression, ofSymbol: Lookup): Mark {
  const isPlain = ofSymbol('fill') === undefined && ofSymbol('stroke') === undefined;
  if (isPlain) return { kind: 'mark', wellKnownName, fill: { kind: 'fill' }, stroke: { kind: 'stroke' } };
  // A symbol in a symbol is plain, or a rule for all symbols would never end.
  return withoutUndefined<Mark>({
    kind: 'mark',
    wellKnownName,
    fill: fillOf({ prefix: 'fill', own: ofSymbol, ofSymbol: nothing }),
    stroke: strokeOf({ prefix: 'stroke', own: ofSymbol, ofSymbol: nothing }),
  });
}

function formatOf(href: string): string {
  const [path = ''] = href.split(/[?#]/);
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return (Object.hasOwn(mediaTypes, extension) ? mediaTypes[extension] : undefined) ?? 'image/png';
}

/** One number is for both ways. */
export function pointOf(value: CssValue | undefined): Point | undefined {
  const [x, y = x] = expressionsOf(value) ?? [];
  return x === undefined || y === undefined ? undefined : { x, y };
}
