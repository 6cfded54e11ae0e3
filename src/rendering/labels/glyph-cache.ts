/**
 * Caches letters at the size of a label, with or without a halo: their outlines, and masks of their coverage for
 * horizontal text, one for each position within a pixel. Letters are kept for the next maps of the thread.
 */
import { NOMINAL_PIXELS, type Typeface } from '../../styling/legend/text/typeface.ts';
import { ScanlineRasterizer } from '../rasterizer/scanline-rasterizer.ts';
import { computeRingArea } from '../shapes/offset-line.ts';
import { growRing } from './grown-ring.ts';

/** Horizontal positions within a pixel. A letter moves by up to a 32nd of a pixel, as marks do. */
export const MASK_STEPS = 16;

/** Larger letters have no masks: they are rare, and their masks would use much memory. */
const MAX_MASKED_PIXELS = 64;

/** The numbers in all cached letters: about 16 MB. */
const MAX_CACHED_NUMBERS = 2_000_000;

/** The coverage of a letter, relative to the start of its baseline; 256 is full coverage. */
export interface GlyphMask {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly shares: Uint16Array;
}

/** A letter in pixels, relative to the start of its baseline. */
export interface Glyph {
  readonly rings: readonly Float64Array[];
  readonly masks: (GlyphMask | undefined)[];
}

let cache = new WeakMap<Typeface, Map<string, GlyphSet>>();
let cachedNumbers = 0;

/** Returns the letters of a typeface at one size. A halo of 0 pixels returns plain letters. */
export function findGlyphSet(typeface: Typeface, sizePixels: number, haloPixels: number): GlyphSet {
  if (cachedNumbers > MAX_CACHED_NUMBERS) {
    cache = new WeakMap();
    cachedNumbers = 0;
  }
  const sets = cache.get(typeface) ?? new Map<string, GlyphSet>();
  cache.set(typeface, sets);
  const key = `${sizePixels} ${haloPixels}`;
  const set = sets.get(key) ?? new GlyphSet(typeface, sizePixels, haloPixels);
  sets.set(key, set);
  return set;
}

export class GlyphSet {
  readonly #typeface: Typeface;
  readonly #sizePixels: number;
  readonly #haloPixels: number;
  readonly #glyphs = new Map<string, Glyph>();

  constructor(typeface: Typeface, sizePixels: number, haloPixels: number) {
    this.#typeface = typeface;
    this.#sizePixels = sizePixels;
    this.#haloPixels = haloPixels;
  }

  get hasMasks(): boolean {
    return this.#sizePixels <= MAX_MASKED_PIXELS;
  }

  find(text: string): Glyph {
    const known = this.#glyphs.get(text);
    if (known !== undefined) return known;
    const glyph = { rings: this.#createRings(text), masks: [] };
    cachedNumbers += glyph.rings.reduce((sum, { length }) => sum + length, 0);
    this.#glyphs.set(text, glyph);
    return glyph;
  }

  #createRings(text: string): readonly Float64Array[] {
    const scale = this.#sizePixels / NOMINAL_PIXELS;
    const rings = this.#typeface.getRings(text, this.#sizePixels).map((ring) => ring.map((place) => place * scale));
    if (this.#haloPixels === 0) return rings;
    // Outer rings are larger than the holes in them.
    const area = rings.reduce((sum, ring) => sum + computeRingArea(ring, 0, ring.length), 0);
    return rings.map((ring) => growRing(ring, this.#haloPixels, area > 0 ? 1 : -1));
  }

  /** Returns the mask of a letter that starts at a number of steps to the right of a pixel. */
  findMask(text: string, step: number): GlyphMask {
    const { rings, masks } = this.find(text);
    const known = masks[step];
    if (known !== undefined) return known;
    const mask = createMask(rings, step / MASK_STEPS);
    cachedNumbers += mask.shares.length / 4;
    masks[step] = mask;
    return mask;
  }
}

function createMask(rings: readonly Float64Array[], shiftX: number): GlyphMask {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      left = Math.min(left, ring[at] ?? 0);
      right = Math.max(right, ring[at] ?? 0);
      top = Math.min(top, ring[at + 1] ?? 0);
      bottom = Math.max(bottom, ring[at + 1] ?? 0);
    }
  }
  if (rings.length === 0) return { left: 0, top: 0, width: 0, height: 0, shares: new Uint16Array() };
  [left, top] = [Math.floor(left + shiftX), Math.floor(top)];
  const [width, height] = [Math.ceil(right + shiftX) - left, Math.ceil(bottom) - top];
  const coverage = new ScanlineRasterizer(width, height);
  for (const ring of rings) {
    const moved = ring.map((place, at) => (at % 2 === 0 ? place + shiftX - left : place - top));
    coverage.addRing(moved, 0, moved.length, true);
  }
  const shares = new Uint16Array(width * height);
  coverage.sweep((row, start, end, covered) =>
    shares.fill(covered * 256 + 0.5, row * width + start, row * width + end),
  );
  return { left, top, width, height, shares };
}
