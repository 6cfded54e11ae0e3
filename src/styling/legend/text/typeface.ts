/**
 * Measures text and draws it as outlines. The library makes glyphs of light colours bolder and of dark colours thinner;
 * filled outlines have the same weight in every colour. Outlines and widths are cached for each character, because the
 * library needs a tenth of a millisecond to measure a label.
 */
import { simplify } from '../../../geometry/simplify.ts';
import { type FontRegistry, getFontRegistry } from '../../fonts/font-registry.ts';
import { type AxisValue, formatAxisValues } from '../../fonts/font-variation.ts';
import { NORMAL_WIDTH_PERCENT, nameWidth } from '../../fonts/font-weight.ts';
import type { CanvasLibrary, DrawingContext, Path } from '../canvas/canvas.ts';
import { registerSeparateFaces } from '../canvas/separate-faces.ts';
import {
  isFirstLetterRightToLeft,
  isRightToLeft,
  isSimpleText,
  splitClusters,
  splitVisualClusters,
} from './clusters.ts';
import { type GlyphRings, parseGlyphRings } from './glyph-rings.ts';

/** Outlines are taken at this size; outlines and widths are proportional to the size. */
export const NOMINAL_PIXELS = 100;

/** The largest size of most labels, and the deviation of straight outlines from curves, at the nominal size. */
const USUAL_PIXELS = 24;
const USUAL_TOLERANCE = 0.2;
const FINE_TOLERANCE = 0.02;

/** How far the halo of a document may deviate: about a pixel of a print with 600 dots per inch. */
const HALO_TOLERANCE_PIXELS = 0.1;

/** Positions of halos are rounded to a power of two, whose multiples documents write with few digits. */
const HALO_STEPS_PER_PIXEL = 16;

/** The number of cached outlines and widths of a typeface. A Chinese map has several thousand characters. */
const MAX_CACHED = 20_000;

/** The library omits text outside of the area of the file. No memory is needed for this area. */
const TRACED_AREA = { width: 30_000, height: 1_000 };

/** Lists of families come from styles; more lists than this are not cached. */
const MAX_TYPEFACES = 200;

/** Characters that are not drawn, or that modify others: joiners, variation selectors and directions. */
const IGNORED = /[\s\p{Cf}\p{Variation_Selector}]/u;

/** Text that the fonts of the program have. */
const PLAIN = /^[\x20-\x7e]*$/;

const NONE: readonly string[] = [];

/** The distance of the baseline below the middle of a line, relative to the size, if the library does not report it. */
const USUAL_BASELINE = 0.26;

/** A part of a line that is drawn as one: a character, or several that join. Lengths are relative to the size. */
export interface TextPiece {
  readonly text: string;
  /** The distance from the start of the line. */
  readonly x: number;
  readonly width: number;
}

interface Outline {
  /** Path data; empty for blanks, and for glyphs that are pictures. */
  readonly data: string;
  /** Colour glyphs have no outline: the library draws them. */
  readonly isPicture: boolean;
  path?: Path;
  usualRings?: GlyphRings;
  fineRings?: GlyphRings;
}

/** The families of a typeface, in the order of preference, and its style. */
export interface TypefaceStyle {
  readonly families: readonly string[];
  readonly weight: number;
  readonly widthPercent: number;
  readonly isItalic: boolean;
  readonly axisValues: readonly AxisValue[];
}

export class Typeface {
  readonly #library: CanvasLibrary;
  readonly #fonts: FontRegistry;
  readonly #families: readonly string[];
  /** The style in CSS, such as `italic 700 `. */
  readonly #words: string;
  readonly #variation: string;
  readonly #context: DrawingContext;
  readonly #prepared = new Set<string>();
  /** The font of the context. */
  #font = '';
  readonly #outlines = new Map<string, Outline>();
  readonly #widths = new Map<string, number>();
  readonly #haloPaths = new Map<string, Path>();
  readonly #kerning = new Map<string, number>();
  readonly #lines = new Map<string, readonly TextPiece[]>();
  /** The distance of the baseline below the middle of a line, relative to the size. */
  readonly baseline: number;

  constructor(library: CanvasLibrary, fonts: FontRegistry, style: TypefaceStyle) {
    this.#library = library;
    this.#fonts = fonts;
    this.#families = style.families;
    this.#words = `${style.isItalic ? 'italic ' : ''}${style.weight} ${nameWidth(style.widthPercent)} `;
    this.#variation = formatVariation(style);
    this.#context = library.createCanvas(1, 1).getContext('2d');
    this.setFont(this.#context, NOMINAL_PIXELS, 'x');
    this.#context.textBaseline = 'middle';
    const below = -this.#context.measureText('x').alphabeticBaseline / NOMINAL_PIXELS;
    this.baseline = Number.isFinite(below) ? below : USUAL_BASELINE;
    this.#context.textBaseline = 'alphabetic';
  }

  /** Sets the font for a text. */
  setFont(context: DrawingContext, sizePixels: number, text: string): void {
    context.font = this.#formatFont(sizePixels, text);
    context.fontVariationSettings = this.#variation;
  }

  /** The library searches only the listed families, so the list has a font for each character of the text. */
  #formatFont(sizePixels: number, text: string): string {
    return `${this.#words}${sizePixels}px ${this.#listFamilies(text)}`;
  }

  #listFamilies(text: string): string {
    const listed = new Set<string>();
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0;
      if (IGNORED.test(character) || [...listed].some((family) => this.#fonts.covers(family, codePoint))) continue;
      const own = this.#families.find((family) => this.#fonts.covers(family, codePoint));
      const family = own ?? this.#fonts.findFallback(codePoint);
      if (family !== undefined) listed.add(family);
    }
    const families = listed.size > 0 ? [...listed] : this.#families;
    for (const family of families) this.#prepareFamily(family);
    return families.map((family) => `"${family.replaceAll('"', '')}"`).join(', ');
  }

  #prepareFamily(family: string): void {
    if (this.#prepared.has(family)) return;
    registerSeparateFaces(this.#library, this.#fonts, family);
    this.#prepared.add(family);
  }

  /** Returns the characters that no font has. */
  listMissing(text: string): readonly string[] {
    if (PLAIN.test(text)) return NONE;
    return [...text].filter((character) => {
      const codePoint = character.codePointAt(0) ?? 0;
      if (IGNORED.test(character) || this.#families.some((family) => this.#fonts.covers(family, codePoint)))
        return false;
      return this.#fonts.findFallback(codePoint) === undefined;
    });
  }

  /** Returns the pieces of a line from left to right. */
  layOut(text: string): readonly TextPiece[] {
    const known = this.#lines.get(text);
    if (known !== undefined) return known;
    const pieces = isRightToLeft(text)
      ? [{ text, x: 0, width: this.measure(text) }]
      : this.#arrange(isSimpleText(text) ? text : splitClusters(text));
    remember(this.#lines, text, pieces);
    return pieces;
  }

  /** Returns pieces that are small enough to follow a line. The library orders lines of mixed directions otherwise. */
  layOutAlong(text: string): readonly TextPiece[] {
    return isRightToLeft(text) ? this.#arrange(splitVisualClusters(text)) : this.layOut(text);
  }

  #arrange(clusters: Iterable<string>): readonly TextPiece[] {
    const pieces: TextPiece[] = [];
    let x = 0;
    let before = '';
    for (const piece of clusters) {
      if (before !== '') x += this.#measureKerning(before, piece);
      const width = this.measure(piece);
      pieces.push({ text: piece, x, width });
      x += width;
      before = piece;
    }
    return pieces;
  }

  /** Returns the width of a text that the library shapes, relative to the size. */
  measure(text: string): number {
    const known = this.#widths.get(text);
    if (known !== undefined) return known;
    this.#setFont(text);
    const width = this.#context.measureText(text).width / NOMINAL_PIXELS;
    remember(this.#widths, text, width);
    return width;
  }

  #setFont(text: string): void {
    const font = this.#formatFont(NOMINAL_PIXELS, text);
    if (this.#font !== font) this.#context.font = font;
    this.#font = font;
    this.#context.direction = isFirstLetterRightToLeft(text) ? 'rtl' : 'ltr';
  }

  /** Returns the box of the drawn part, relative to the size and to the start of the baseline. */
  measureInk(text: string): Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>> {
    this.#setFont(text);
    const box = this.#context.measureText(text);
    return {
      left: -box.actualBoundingBoxLeft / NOMINAL_PIXELS,
      top: -box.actualBoundingBoxAscent / NOMINAL_PIXELS,
      right: box.actualBoundingBoxRight / NOMINAL_PIXELS,
      bottom: box.actualBoundingBoxDescent / NOMINAL_PIXELS,
    };
  }

  #measureKerning(one: string, other: string): number {
    const key = `${one}\n${other}`;
    const known = this.#kerning.get(key);
    if (known !== undefined) return known;
    // Letters of different fonts have no kerning, and spaces belong to any font.
    const isKerned = one.trim() !== '' && other.trim() !== '' && this.#listFamilies(one) === this.#listFamilies(other);
    this.#setFont(one + other);
    const both = this.#context.measureText(one + other).width / NOMINAL_PIXELS;
    const kerning = isKerned ? both - this.measure(one) - this.measure(other) : 0;
    remember(this.#kerning, key, kerning);
    return kerning;
  }

  /** Fills pieces whose baseline starts at the origin of the context. */
  fill(context: DrawingContext, pieces: readonly TextPiece[], sizePixels: number): void {
    const scale = sizePixels / NOMINAL_PIXELS;
    context.save();
    context.scale(scale, scale);
    let x = 0;
    for (const piece of pieces) {
      const outline = this.#findOutline(piece.text);
      const path = this.#getPath(outline);
      if (path === undefined && !outline.isPicture) continue;
      context.translate((piece.x - x) * NOMINAL_PIXELS, 0);
      x = piece.x;
      if (path !== undefined) context.fill(path);
      else this.#fillPicture(context, piece.text);
    }
    context.restore();
  }

  #fillPicture(context: DrawingContext, text: string): void {
    this.setFont(context, NOMINAL_PIXELS, text);
    context.textBaseline = 'alphabetic';
    context.textAlign = 'left';
    context.direction = isFirstLetterRightToLeft(text) ? 'rtl' : 'ltr';
    context.fillText(text, 0, 0);
  }

  /** Returns the outline of all pieces, with the start of their baseline at the origin. */
  createPath(pieces: readonly TextPiece[], sizePixels: number): Path {
    const scale = sizePixels / NOMINAL_PIXELS;
    const path = new this.#library.Path2D();
    for (const piece of pieces) {
      const outline = this.#getPath(this.#findOutline(piece.text));
      if (outline !== undefined)
        path.addPath(outline, { a: scale, b: 0, c: 0, d: scale, e: piece.x * sizePixels, f: 0 });
    }
    return path;
  }

  /**
   * Like `createPath`, with straight lines and rounded positions. A document contains this path for each label, and
   * exact outlines would be most of its size.
   */
  createHaloPath(pieces: readonly TextPiece[], sizePixels: number): Path {
    const path = new this.#library.Path2D();
    for (const { text, x } of pieces)
      path.addPath(this.#getHaloPath(text, sizePixels), { a: 1, b: 0, c: 0, d: 1, e: roundHalo(x * sizePixels), f: 0 });
    return path;
  }

  #getHaloPath(text: string, sizePixels: number): Path {
    const key = `${sizePixels}\n${text}`;
    const known = this.#haloPaths.get(key);
    if (known !== undefined) return known;
    const scale = sizePixels / NOMINAL_PIXELS;
    const rings = parseGlyphRings(this.#findOutline(text).data, HALO_TOLERANCE_PIXELS / 5 / scale);
    const path = new this.#library.Path2D(rings.map((ring) => writeHaloRing(ring, scale)).join(''));
    remember(this.#haloPaths, key, path);
    return path;
  }

  /** Returns whether the library must draw the piece, because it has colours. */
  isPicture(text: string): boolean {
    return this.#findOutline(text).isPicture;
  }

  /** Returns the outline of a piece at the nominal size, as exact as text of this size needs. */
  getRings(text: string, sizePixels: number): GlyphRings {
    const outline = this.#findOutline(text);
    if (sizePixels <= USUAL_PIXELS) {
      outline.usualRings ??= parseGlyphRings(outline.data, USUAL_TOLERANCE);
      return outline.usualRings;
    }
    outline.fineRings ??= parseGlyphRings(outline.data, FINE_TOLERANCE);
    return outline.fineRings;
  }

  #getPath(outline: Outline): Path | undefined {
    if (outline.data === '') return undefined;
    outline.path ??= new this.#library.Path2D(outline.data);
    return outline.path;
  }

  #findOutline(text: string): Outline {
    const known = this.#outlines.get(text);
    if (known !== undefined) return known;
    const outline = this.#traceOutline(text);
    remember(this.#outlines, text, outline);
    return outline;
  }

  /** The library has no access to outlines except in SVG files. */
  #traceOutline(text: string): Outline {
    const isBlank = text.trim() === '' || this.measure(text) === 0;
    if (isBlank) return { data: '', isPicture: false };
    const { width, height } = TRACED_AREA;
    const surface = this.#library.createCanvas(2 * width, 2 * height, this.#library.SvgExportFlag.ConvertTextToPaths);
    const context = surface.getContext('2d');
    // Moves the text into the area; the outlines stay relative to its start.
    context.translate(width, height);
    this.#fillPicture(context, text);
    const svg = surface.getContent().toString();
    const data = [...svg.matchAll(/ d="([^"]*)"/g)].map(([, each = '']) => each).join('');
    const isPicture = data === '' || svg.includes('<image');
    return { data: isPicture ? '' : data, isPicture };
  }
}

function roundHalo(value: number): number {
  return Math.round(value * HALO_STEPS_PER_PIXEL) / HALO_STEPS_PER_PIXEL;
}

function writeHaloRing(ring: Float64Array, scale: number): string {
  const ordinates = ring.map((value) => value * scale);
  const line = { type: 'LineString', dimension: 'XY', ordinates, ends: [ring.length / 2], parts: [] } as const;
  const kept = simplify(line, HALO_TOLERANCE_PIXELS).ordinates.map(roundHalo);
  return `M${kept.join(' ')}Z`;
}

/** The width is a keyword for fonts with a face for each width, and exact for variable fonts. */
function formatVariation({ widthPercent, axisValues }: TypefaceStyle): string {
  const isExact = widthPercent === NORMAL_WIDTH_PERCENT || axisValues.some(({ tag }) => tag === 'wdth');
  const values = [...(isExact ? [] : [{ tag: 'wdth', value: widthPercent }]), ...axisValues];
  return values.length === 0 ? 'normal' : formatAxisValues(values);
}

function remember<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, value);
}

const typefaces = new WeakMap<FontRegistry, Map<string, Typeface>>();

/** Outlines are kept for the next map. The families are those of registered fonts, so there are few typefaces. */
export function findTypeface(library: CanvasLibrary, style: TypefaceStyle): Typeface {
  const fonts = getFontRegistry();
  const known = typefaces.get(fonts) ?? new Map<string, Typeface>();
  typefaces.set(fonts, known);
  const key = JSON.stringify(style);
  const typeface = known.get(key) ?? new Typeface(library, fonts, style);
  if (known.size >= MAX_TYPEFACES) known.clear();
  known.set(key, typeface);
  return typeface;
}
