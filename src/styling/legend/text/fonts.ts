/** Selects fonts, and draws lines of text with their spacing and decoration. */

import { toText } from '../../../filter/evaluate/values/style-value.ts';
import { type FontMatch, fontFamilies, getFontRegistry } from '../../fonts/font-registry.ts';
import { type AxisValue, parseAxisValues } from '../../fonts/font-variation.ts';
import { NORMAL_WEIGHT, NORMAL_WIDTH_PERCENT, parseWeight } from '../../fonts/font-weight.ts';
import type { Expression, Font, VendorOption } from '../../model/model.ts';
import type { CanvasLibrary, DrawingContext, Path } from '../canvas/canvas.ts';
import { type Drawing, drawIsolated } from '../canvas/drawing.ts';
import { sampleNumber, sampleValue, sampleWord } from '../values/sample-value.ts';
import { isFirstLetterRightToLeft } from './clusters.ts';
import { findTypeface, type TextPiece, type Typeface, type TypefaceStyle } from './typeface.ts';

const monoNames = /mono|courier|consol|typewriter|fixed|code/;
const serifNames = /times|georgia|garamond|palatino|cambria|roman|book|serif/;

/** Families with the style that the name of the first one contains. */
export interface SelectedFonts extends Omit<FontMatch, 'family'> {
  readonly families: readonly string[];
}

/** Returns the available families among the names, or the nearest one; a serif one if the style names none. */
export function selectFonts(names: readonly (string | undefined)[]): SelectedFonts {
  const written = names.filter((each) => each !== undefined && each.trim() !== '');
  const found = written.flatMap((name) => getFontRegistry().find(name ?? '') ?? []);
  const [first] = found;
  if (first !== undefined) {
    const { family: _, ...style } = first;
    return { ...style, families: [...new Set(found.map(({ family }) => family))] };
  }
  return { families: [selectNearestFamily(written[0]?.toLowerCase())], isItalic: false };
}

/** Completes the style of selected fonts. The name of a font decides unless the written style says otherwise. */
export function createTypefaceStyle(
  { families, weight, widthPercent, isItalic, axisValues = [] }: SelectedFonts,
  written: { readonly weight: number; readonly isItalic: boolean; readonly axisValues?: readonly AxisValue[] },
): TypefaceStyle {
  return {
    families,
    weight: written.weight === NORMAL_WEIGHT ? (weight ?? NORMAL_WEIGHT) : written.weight,
    widthPercent: widthPercent ?? NORMAL_WIDTH_PERCENT,
    isItalic: isItalic || written.isItalic,
    axisValues: [...axisValues, ...(written.axisValues ?? [])],
  };
}

function selectNearestFamily(name: string | undefined): string {
  if (name === undefined) return fontFamilies.serif;
  if (monoNames.test(name)) return fontFamilies.mono;
  return serifNames.test(name) && !name.includes('sans') ? fontFamilies.serif : fontFamilies.sans;
}

/** A typeface with its size, spacing and decoration. */
export interface Lettering {
  readonly typeface: Typeface;
  readonly sizePixels: number;
  readonly look: LetterStyle;
}

export function createLettering(
  library: CanvasLibrary,
  font: Font | undefined,
  sizePixels: number,
  look: LetterStyle,
): Lettering {
  const style = sampleWord(font?.style);
  const written = {
    weight: readWeight(font?.weight),
    isItalic: style === 'italic' || style === 'oblique',
    axisValues: look.axisValues,
  };
  const typeface = findTypeface(library, createTypefaceStyle(selectFonts(listFontNames(font)), written));
  return { typeface, sizePixels, look };
}

/** Returns the families as written in the style. */
export function listFontNames(font: Font | undefined): readonly string[] {
  return (font?.families ?? []).map((each) => readFamilyName(each));
}

/** The spacing and decoration of text, from the vendor options of a label. */
export interface LetterStyle {
  /** Additional spacing in pixels; 0 by default. */
  readonly letterSpacing: number;
  readonly wordSpacing: number;
  readonly isUnderlined: boolean;
  readonly isStruckThrough: boolean;
  /** The axes of variable fonts. */
  readonly axisValues: readonly AxisValue[];
}

/** `factor` is the number of pixels per written pixel. */
export function readLetterStyle(options: readonly VendorOption[] | undefined, factor: number): LetterStyle {
  const findOption = (name: string) => options?.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value;
  return {
    letterSpacing: sampleNumber(findOption('charSpacing'), 0) * factor,
    wordSpacing: sampleNumber(findOption('wordSpacing'), 0) * factor,
    isUnderlined: sampleWord(findOption('underlineText')) === 'true',
    isStruckThrough: sampleWord(findOption('strikethroughText')) === 'true',
    axisValues: parseAxisValues(toText(sampleValue(findOption('font-variation')) ?? null)) ?? [],
  };
}

/** Returns the width of a line in pixels. */
export function measureLine(lettering: Lettering, text: string): number {
  return measurePieces(lettering, layOutLine(lettering, text));
}

function measurePieces({ sizePixels }: Lettering, pieces: readonly TextPiece[]): number {
  const last = pieces.at(-1);
  return last === undefined ? 0 : (last.x + last.width) * sizePixels;
}

/** Returns the pieces of a straight line, in visual order. */
export function layOutLine(lettering: Lettering, text: string): readonly TextPiece[] {
  return spreadPieces(lettering, lettering.typeface.layOut(text));
}

/** Returns the pieces of a line that follows a curve, in visual order. */
export function layOutCurve(lettering: Lettering, text: string): readonly TextPiece[] {
  return spreadPieces(lettering, lettering.typeface.layOutAlong(text));
}

/** Adds the spacing between letters and words. */
function spreadPieces({ sizePixels, look }: Lettering, pieces: readonly TextPiece[]): readonly TextPiece[] {
  const { letterSpacing, wordSpacing } = look;
  if (letterSpacing === 0 && wordSpacing === 0) return pieces;
  let added = 0;
  return pieces.map((piece) => {
    const x = piece.x + added;
    added += (letterSpacing + (piece.text.trim() === '' ? wordSpacing : 0)) / sizePixels;
    return { ...piece, x };
  });
}

/** The position of the middle of the left side of a line. */
export interface LinePosition {
  readonly x: number;
  readonly y: number;
}

/** Fills a line with the colour of the context. */
export function fillLine(drawing: Drawing, lettering: Lettering, text: string, { x, y }: LinePosition): void {
  const { context } = drawing;
  const { typeface, sizePixels } = lettering;
  const baseline = y + typeface.baseline * sizePixels;
  drawIsolated(context, () => {
    if (drawing.keepsText) {
      setFont(context, lettering, text);
      context.fillText(text, x, baseline);
      return;
    }
    context.translate(x, baseline);
    typeface.fill(context, layOutLine(lettering, text), sizePixels);
  });
}

/** Strokes a line with the pen of the context. */
export function strokeLine(drawing: Drawing, lettering: Lettering, text: string, { x, y }: LinePosition): void {
  const { context } = drawing;
  const { typeface, sizePixels } = lettering;
  drawIsolated(context, () => {
    context.translate(x, y + typeface.baseline * sizePixels);
    context.stroke(createHaloPath(drawing, lettering, layOutLine(lettering, text)));
  });
}

/** Fills one piece of a line, centred at the origin. */
export function fillPiece(drawing: Drawing, lettering: Lettering, { text, width }: TextPiece): void {
  const { context } = drawing;
  const { typeface, sizePixels } = lettering;
  drawIsolated(context, () => {
    context.translate((-width / 2) * sizePixels, typeface.baseline * sizePixels);
    if (drawing.keepsText) {
      setFont(context, lettering, text);
      context.fillText(text, 0, 0);
    } else {
      typeface.fill(context, [{ text, x: 0, width }], sizePixels);
    }
  });
}

/** Strokes one piece of a line, centred at the origin. */
export function strokePiece(drawing: Drawing, lettering: Lettering, { text, width }: TextPiece): void {
  const { context } = drawing;
  const { typeface, sizePixels } = lettering;
  drawIsolated(context, () => {
    context.translate((-width / 2) * sizePixels, typeface.baseline * sizePixels);
    context.stroke(createHaloPath(drawing, lettering, [{ text, x: 0, width }]));
  });
}

function createHaloPath(
  { keepsText }: Drawing,
  { typeface, sizePixels }: Lettering,
  pieces: readonly TextPiece[],
): Path {
  return keepsText ? typeface.createHaloPath(pieces, sizePixels) : typeface.createPath(pieces, sizePixels);
}

function setFont(context: DrawingContext, { typeface, sizePixels, look }: Lettering, text: string): void {
  typeface.setFont(context, sizePixels, text);
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.direction = isFirstLetterRightToLeft(text) ? 'rtl' : 'ltr';
  context.letterSpacing = `${look.letterSpacing}px`;
  context.wordSpacing = `${look.wordSpacing}px`;
}

/** Relative to the font size: the distance of the line centres below the baseline, and their thickness. */
const UNDERLINE = { middle: 0.19, thickness: 0.07 };
const STRIKE = { middle: -0.234, thickness: 0.05 };

/** A rectangle, with its upper left corner. */
export interface TextBar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lists the lines along a text of the given width that is centred at the position. */
export function listTextBars(
  { typeface, sizePixels, look: { isUnderlined, isStruckThrough } }: Lettering,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): readonly TextBar[] {
  const lines = [...(isUnderlined ? [UNDERLINE] : []), ...(isStruckThrough ? [STRIKE] : [])];
  return lines.map((line) => {
    const height = Math.max(1, sizePixels * line.thickness);
    return { x: x - width / 2, y: y + sizePixels * (typeface.baseline + line.middle) - height / 2, width, height };
  });
}

/** Draws lines along a text of the given width, centred at the position. */
export function drawTextLines(
  context: DrawingContext,
  lettering: Lettering,
  place: { readonly x: number; readonly y: number; readonly width: number },
): void {
  for (const { x, y, width, height } of listTextBars(lettering, place)) context.fillRect(x, y, width, height);
}

/** Unknown weights are normal. */
function readWeight(weight: Expression | undefined): number {
  return parseWeight(toText(sampleValue(weight) ?? null)) ?? NORMAL_WEIGHT;
}

/** A family that depends on the feature is drawn as a sans-serif font. */
function readFamilyName(expression: Expression): string {
  const value = sampleValue(expression);
  return typeof value === 'string' ? value : fontFamilies.sans;
}
