/** Creates the symbolizers of symbol layers: icons and labels. */

import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral, readLiteralNumber, readLiteralText } from '../../filter/model/literal.ts';
import { omitUndefined } from '../css/translate/omit-undefined.ts';
import { BOLD_WEIGHT, NORMAL_WEIGHT, parseWeight } from '../fonts/font-weight.ts';
import type { Graphic, Point, VendorOption } from '../model/paint.ts';
import type { Font, Halo, LabelPlacement, PointSymbolizer, Symbolizer, TextSymbolizer } from '../model/symbolizer.ts';
import { createCall, createCondition } from './build-expression.ts';
import { add, isZero, multiply, negateNumber } from './common/arithmetic.ts';
import { createIconSymbols, isSpriteIcon, type Sprites } from './icons.ts';
import type { LayerProperties } from './layer-properties.ts';
import { createFill } from './symbolizers.ts';

/** The defaults of the style specification. */
const TEXT_SIZE = createLiteral('16');
const zero = createLiteral('0');
/** The default fonts of the specification have no serifs. */
const FALLBACK_FAMILY = 'SansSerif';
/** The default of the specification. */
const MAX_WIDTH_EMS = 10;
const SPACING = 250;
const PADDING = 2;

export function createSymbolSymbolizers(properties: LayerProperties, sprites: Sprites): readonly Symbolizer[] {
  const icon = createIcon(properties, sprites);
  const text = createText(properties);
  acceptRest(properties);
  const fit = properties.word('icon-text-fit');
  if (text !== undefined && icon !== undefined && fit !== undefined && fit !== 'none')
    return [{ ...text, graphic: icon, vendorOptions: [...(text.vendorOptions ?? []), ...createFit(properties, fit)] }];
  return [...(icon === undefined ? [] : [createIconSymbolizer(icon)]), ...(text === undefined ? [] : [text])];
}

/** Missing icons are not replaced, as in browsers. */
function createIconSymbolizer(graphic: Graphic): PointSymbolizer {
  const hasPicture = graphic.symbols.some(({ kind }) => kind === 'externalGraphic');
  const options = { vendorOptions: [createOption('fallbackOnDefaultMark', false)] };
  return { kind: 'pointSymbolizer', graphic, ...(hasPicture ? options : {}) };
}

function createIcon(properties: LayerProperties, sprites: Sprites): Graphic | undefined {
  const image = properties.text('icon-image');
  const scale = properties.number('icon-size');
  const { color } = properties.color('icon-color');
  const opacity = properties.number('icon-opacity');
  const rotation = properties.number('icon-rotate');
  const anchor = properties.text('icon-anchor');
  const displacement = properties.displacement('icon-offset');
  if (image === undefined) return undefined;
  const symbols = createIconSymbols(image, { color, size: scale, sprites });
  const isMark = symbols[0]?.kind === 'mark';
  if (!isMark && !isSpriteIcon(symbols, sprites)) properties.ignore('icon-size', 'icon-color');
  return omitUndefined<Graphic>({
    kind: 'graphic',
    symbols,
    opacity,
    size: isMark ? (multiply(TEXT_SIZE, scale) ?? TEXT_SIZE) : undefined,
    rotation,
    anchorPoint: anchor === undefined || readLiteralText(anchor) === 'center' ? undefined : toAnchorPoint(anchor),
    displacement,
  });
}

function createFit(properties: LayerProperties, fit: string): readonly VendorOption[] {
  const padding = (properties.list('icon-text-fit-padding') ?? []).filter((each) => typeof each === 'number');
  return [
    createOption('graphic-resize', fit === 'both' ? 'stretch' : 'proportional'),
    ...(padding.length === 0 ? [] : [createOption('graphic-margin', padding.join(' '))]),
  ];
}

function createText(properties: LayerProperties): TextSymbolizer | undefined {
  const label = properties.text('text-field');
  const size = properties.number('text-size') ?? TEXT_SIZE;
  const { color, alpha } = properties.color('text-color');
  const opacity = multiply(properties.number('text-opacity'), alpha);
  const font = createFont(properties, size);
  const placement = createPlacement(properties, size);
  const halo = createHalo(properties);
  const vendorOptions = createLabelOptions(properties, size);
  const sortKey = properties.number('symbol-sort-key');
  const transform = properties.text('text-transform');
  if (label === undefined) return undefined;
  return omitUndefined<TextSymbolizer>({
    kind: 'textSymbolizer',
    label: transformText(label, transform),
    font,
    placement,
    halo,
    fill: createFill(color, opacity),
    // Lower keys are placed first.
    priority:
      sortKey === undefined
        ? undefined
        : add(createLiteral('1000'), multiply(sortKey, createLiteral('-1')) ?? createLiteral('0')),
    vendorOptions: vendorOptions.length === 0 ? undefined : vendorOptions,
  });
}

function transformText(label: Expression, transform: Expression | undefined): Expression {
  const [upper, lower] = [createCall('strToUpperCase', label), createCall('strToLowerCase', label)];
  if (transform === undefined) return label;
  const constant = readLiteralText(transform);
  if (constant !== undefined) return constant === 'uppercase' ? upper : constant === 'lowercase' ? lower : label;
  const is = (word: string) => createCall('equalTo', transform, createLiteral(word));
  return createCondition(is('uppercase'), upper, createCondition(is('lowercase'), lower, label));
}

/** `Open Sans Bold Italic` is a family, a weight and a style. */
function createFont(properties: LayerProperties, size: Expression): Font {
  const names = (properties.list('text-font') ?? []).filter((each) => typeof each === 'string');
  const styles = names.map((name) => splitFontName(name));
  const { weight, isItalic } = styles[0] ?? {};
  const families = styles.map(({ family }) => family);
  return omitUndefined<Font>({
    kind: 'font',
    families: [...new Set([...families, FALLBACK_FAMILY])].map((family) => createLiteral(family)),
    style: isItalic ? createLiteral('italic') : undefined,
    weight:
      weight === undefined || weight === NORMAL_WEIGHT
        ? undefined
        : createLiteral(weight === BOLD_WEIGHT ? 'bold' : String(weight)),
    size,
  });
}

/** The words of a style, such as `Semi Bold Italic`, at the end of the name. */
const styleWords =
  /(?:\s+(?:thin|hairline|(?:(?:extra|ultra|semi|demi)[\s-]?)?(?:light|bold)|regular|book|roman|medium|black|heavy|italic|oblique))+$/i;

function splitFontName(name: string): {
  readonly family: string;
  readonly weight?: number;
  readonly isItalic: boolean;
} {
  const [style = ''] = styleWords.exec(name) ?? [];
  const weight = parseWeight(style.replace(/italic|oblique/gi, ''));
  return {
    family: name.slice(0, name.length - style.length),
    ...(weight === undefined ? {} : { weight }),
    isItalic: /italic|oblique/i.test(style),
  };
}

function createHalo(properties: LayerProperties): Halo | undefined {
  const radius = properties.number('text-halo-width');
  const { color, alpha } = properties.color('text-halo-color');
  properties.ignore('text-halo-blur');
  if (radius === undefined || color === undefined || readLiteralNumber(radius) === 0) return undefined;
  return { kind: 'halo', radius, fill: createFill(color, alpha) };
}

const anchors = ['center', 'left', 'right', 'top', 'bottom', 'top-left', 'top-right', 'bottom-left', 'bottom-right'];

/** The point of the text at the position, from its lower left. */
function toAnchorPoint(anchor: Expression): Point {
  const constant = readLiteralText(anchor);
  const choose = (locate: (name: string) => string): Expression =>
    constant === undefined
      ? createCall('Recode', anchor, ...anchors.flatMap((name) => [createLiteral(name), createLiteral(locate(name))]))
      : createLiteral(locate(constant));
  return { x: choose(locateAcross), y: choose(locateUp) };
}

function locateAcross(anchor: string): string {
  return anchor.includes('left') ? '0' : anchor.includes('right') ? '1' : '0.5';
}

function locateUp(anchor: string): string {
  return anchor.includes('top') ? '1' : anchor.includes('bottom') ? '0' : '0.5';
}

/** A distance from the point, in the direction in which the text is from its anchor: right and down. */
function createRadialOffset(anchor: Expression, distance: Expression): readonly [Expression, Expression] {
  const name = readLiteralText(anchor) ?? 'center';
  const [across, up] = [1 - 2 * Number(locateAcross(name)), 1 - 2 * Number(locateUp(name))];
  const share = across !== 0 && up !== 0 ? Math.SQRT1_2 : 1;
  const scale = (direction: number) => multiply(createLiteral(direction * share), distance) ?? distance;
  return [scale(across), scale(-up + 0)];
}

function createPlacement(properties: LayerProperties, size: Expression): LabelPlacement {
  const placement = properties.word('symbol-placement');
  const [variable] = properties.list('text-variable-anchor') ?? [];
  const fixed = properties.text('text-anchor') ?? createLiteral('center');
  const anchor = typeof variable === 'string' ? createLiteral(variable) : fixed;
  const offset = properties.pair('text-offset');
  const distance = properties.number('text-radial-offset');
  const [right, down] = distance === undefined ? (offset ?? [zero, zero]) : createRadialOffset(anchor, distance);
  const rotation = properties.number('text-rotate');
  if (placement === 'line' || placement === 'line-center') {
    return omitUndefined<LabelPlacement>({
      kind: 'linePlacement',
      perpendicularOffset: isZero(down) ? undefined : multiply(negateNumber(down), size),
    });
  }
  const displacement =
    isZero(right) && isZero(down)
      ? undefined
      : { x: multiply(right, size) ?? zero, y: multiply(negateNumber(down), size) ?? zero };
  return omitUndefined<LabelPlacement>({
    kind: 'pointPlacement',
    anchorPoint: toAnchorPoint(anchor),
    displacement,
    rotation,
  });
}

function createOption(name: string, value: Expression | string | number | boolean): VendorOption {
  return { name, value: typeof value === 'object' ? value : createLiteral(String(value)) };
}

function createLabelOptions(properties: LayerProperties, size: Expression): readonly VendorOption[] {
  const options: VendorOption[] = [];
  const placement = properties.word('symbol-placement');
  const isLine = placement === 'line' || placement === 'line-center';
  const spacing = properties.constantNumber('symbol-spacing') ?? SPACING;
  const widthEms = properties.number('text-max-width') ?? createLiteral(MAX_WIDTH_EMS);
  const letterSpacing = properties.number('text-letter-spacing');
  const padding = properties.constantNumber('text-padding') ?? PADDING;
  const maxAngle = properties.constantNumber('text-max-angle');
  if (isLine) options.push(createOption('followLine', true));
  if (placement === 'line') options.push(createOption('repeat', spacing));
  if (isLine && maxAngle !== undefined) options.push(createOption('maxAngleDelta', maxAngle));
  if (isLine && properties.flag('text-keep-upright') === false) options.push(createOption('forceLeftToRight', false));
  // Browsers draw the name of a polygon that is smaller than its name.
  if (!isLine) options.push(createOption('goodnessOfFit', 0));
  if (!isLine) options.push(createOption('autoWrap', multiply(widthEms, size) ?? widthEms));
  if (letterSpacing !== undefined && !isZero(letterSpacing))
    options.push(createOption('charSpacing', multiply(letterSpacing, size) ?? letterSpacing));
  if (properties.flag('text-allow-overlap') === true || properties.word('text-overlap') === 'always')
    options.push(createOption('conflictResolution', false));
  else options.push(createOption('spaceAround', padding));
  return options;
}

/** Properties of collisions and of tilted maps, which a flat map draws as their defaults. */
function acceptRest(properties: LayerProperties): void {
  properties.accept('icon-text-fit', 'icon-text-fit-padding', 'text-keep-upright', 'icon-keep-upright', 'text-overlap');
  properties.accept('icon-allow-overlap', 'icon-ignore-placement', 'icon-optional', 'icon-padding', 'icon-overlap');
  properties.accept('icon-pitch-alignment', 'icon-rotation-alignment', 'text-ignore-placement', 'text-optional');
  properties.accept('text-pitch-alignment', 'text-rotation-alignment', 'text-justify', 'symbol-avoid-edges');
  properties.accept('symbol-z-order', 'text-translate-anchor', 'icon-translate-anchor', 'text-writing-mode');
  properties.ignore('text-line-height', 'text-variable-anchor-offset', 'text-translate');
  properties.ignore('icon-translate', 'icon-halo-color', 'icon-halo-width', 'icon-halo-blur');
}
