/** Paints text with our own rasterizer, which takes a fraction of the time of the drawing library. */
import type { Typeface } from '../../styling/legend/text/typeface.ts';
import type { Ink, Picture } from '../rasterizer/picture.ts';
import type { ScanlineRasterizer } from '../rasterizer/scanline-rasterizer.ts';
import { findGlyphSet, type GlyphMask, type GlyphSet, MASK_STEPS } from './glyph-cache.ts';

/** A piece of text: the start of its baseline, and its clockwise rotation. */
export interface PlacedPiece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly radians: number;
}

/** The typeface and inks of a text. */
export interface TextPaint {
  readonly typeface: Typeface;
  readonly sizePixels: number;
  /** Undefined for invisible colours. */
  readonly fill: Ink | undefined;
  readonly halo: Ink | undefined;
  readonly haloPixels: number;
}

/** Masks every other byte of a pixel, and adds one half to each of them for rounding. */
const TWO_CHANNELS = 0x00ff00ff;
const HALVES = 0x00800080;

const WHOLE = 256;

export class GlyphPainter {
  readonly #picture: Picture;
  readonly #coverage: ScanlineRasterizer;
  /** The ring that is added next. */
  #ring = new Float64Array(1_024);

  /** `coverage` can be shared, because it is empty after each painted text. */
  constructor(picture: Picture, coverage: ScanlineRasterizer) {
    this.#picture = picture;
    this.#coverage = coverage;
  }

  /** Paints the pieces of one text: all halos first, so that no halo covers a neighbouring letter. */
  paint({ typeface, sizePixels, fill, halo, haloPixels }: TextPaint, pieces: readonly PlacedPiece[]): void {
    if (halo !== undefined && haloPixels > 0)
      this.#paintPieces(findGlyphSet(typeface, sizePixels, haloPixels), pieces, halo);
    if (fill !== undefined) this.#paintPieces(findGlyphSet(typeface, sizePixels, 0), pieces, fill);
  }

  /** Paints rectangles as one area, so that translucent ones are not darker where they overlap. */
  paintBars(ink: Ink, bars: readonly Float64Array[]): void {
    for (const corners of bars) this.#coverage.addRing(corners, 0, corners.length, true);
    this.#coverage.paintInto(this.#picture, ink);
  }

  #paintPieces(glyphs: GlyphSet, pieces: readonly PlacedPiece[], ink: Ink): void {
    // Masks have smooth edges, and masks of transparent letters would be visible where they overlap.
    const isMasked =
      glyphs.hasMasks &&
      !this.#coverage.isSharp &&
      ink.alpha === 255 &&
      pieces.every(({ radians, y }) => radians === 0 && Number.isInteger(y));
    if (isMasked) {
      for (const { text, x, y } of pieces) {
        const steps = Math.floor(x * MASK_STEPS + 0.5);
        const column = Math.floor(steps / MASK_STEPS);
        paintMask(this.#picture, glyphs.findMask(text, steps - column * MASK_STEPS), column, y, ink);
      }
      return;
    }
    for (const piece of pieces) for (const ring of glyphs.find(piece.text).rings) this.#addTurnedRing(ring, piece);
    this.#coverage.paintInto(this.#picture, ink);
  }

  #addTurnedRing(ring: Float64Array, { x, y, radians }: PlacedPiece): void {
    if (ring.length > this.#ring.length) this.#ring = new Float64Array(2 * ring.length);
    const turned = this.#ring;
    const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
    for (let at = 0; at < ring.length; at += 2) {
      const [fromX, fromY] = [ring[at] ?? 0, ring[at + 1] ?? 0];
      turned[at] = x + fromX * cosine - fromY * sine;
      turned[at + 1] = y + fromX * sine + fromY * cosine;
    }
    this.#coverage.addRing(turned, 0, ring.length, true);
  }
}

/** Paints an opaque ink through a mask. */
function paintMask(
  into: Picture,
  { left, top, width, height, shares }: GlyphMask,
  column: number,
  row: number,
  { pixel }: Ink,
): void {
  const { pixels } = into;
  const [x, y] = [column + left, row + top];
  const [firstX, lastX] = [Math.max(0, -x), Math.min(width, into.width - x)];
  const [firstY, lastY] = [Math.max(0, -y), Math.min(height, into.height - y)];
  const [pixelEven, pixelOdd] = [pixel & TWO_CHANNELS, (pixel >>> 8) & TWO_CHANNELS];
  for (let each = firstY; each < lastY; each += 1) {
    const end = each * width + lastX;
    let to = (y + each) * into.width + x + firstX;
    for (let at = each * width + firstX; at < end; at += 1, to += 1) {
      const share = shares[at] ?? 0;
      if (share === 0) continue;
      if (share >= WHOLE) {
        pixels[to] = pixel;
        continue;
      }
      // Process two channels at a time, with a byte between them.
      const below = pixels[to] ?? 0;
      const rest = WHOLE - share;
      const even = Math.imul(pixelEven, share) + Math.imul(below & TWO_CHANNELS, rest) + HALVES;
      const odd = Math.imul(pixelOdd, share) + Math.imul((below >>> 8) & TWO_CHANNELS, rest) + HALVES;
      pixels[to] = ((even >>> 8) & TWO_CHANNELS) | (odd & ~TWO_CHANNELS);
    }
  }
}
