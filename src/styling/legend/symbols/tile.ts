/** Where the graphics of a pattern stand that repeats over an area. */
import { createLiteral, type VendorOption } from '../../model/model.ts';
import { type Lengths, readPixels } from '../values/lengths.ts';
import { sampleNumber, sampleValue, sampleWord } from '../values/sample-value.ts';

/** As large as a swatch can be. */
const maxTilePixels = 1024;
const maxScattered = 500;

/** What is repeated. */
export interface Tile {
  readonly width: number;
  readonly height: number;
  /** Where the tile has its middle, which comes to the middle of what is filled. */
  readonly left: number;
  readonly top: number;
  /** The middles of its graphics. */
  readonly places: readonly (readonly [number, number])[];
}

/** One graphic with its margins, or many of them strewn. */
export function createTile(
  graphic: { readonly width: number; readonly height: number },
  options: readonly VendorOption[],
  lengths: Lengths,
): Tile {
  const isScattered = ['grid', 'free'].includes(sampleWord(findOption(options, 'random')) ?? '');
  return isScattered ? createScatterTile(options) : createTileAround(graphic, options, lengths);
}

function createTileAround(
  graphic: { readonly width: number; readonly height: number },
  options: readonly VendorOption[],
  lengths: Lengths,
): Tile {
  const [top, right, bottom, left] = readMargins(options, lengths);
  const middle = [left + graphic.width / 2, top + graphic.height / 2] as const;
  return {
    width: toTilePixels(graphic.width + left + right),
    height: toTilePixels(graphic.height + top + bottom),
    left: middle[0],
    top: middle[1],
    places: [middle],
  };
}

function createScatterTile(options: readonly VendorOption[]): Tile {
  const size = toTilePixels(sampleNumber(findOption(options, 'random-tile-size'), 256));
  return { width: size, height: size, left: 0, top: 0, places: scatterPositions(size, size, options) };
}

/** The middles, in this tile and the two beside it, from which something that long reaches into this tile. */
export function listWrappedMiddles(middle: number, length: number, tile: number): readonly number[] {
  return [middle - tile, middle, middle + tile].filter((each) => each + length / 2 > 0 && each - length / 2 < tile);
}

/** Top, right, bottom and left, as CSS shortens them. */
function readMargins(options: readonly VendorOption[], lengths: Lengths): readonly [number, number, number, number] {
  const text = String(sampleValue(findOption(options, 'graphic-margin')) ?? '').trim();
  const given =
    text === '' ? [] : text.split(/[\s,]+/).map((each) => Math.max(0, readPixels(lengths, createLiteral(each), 0)));
  const [top = 0, right = top, bottom = top, left = right] = given;
  return [top, right, bottom, left];
}

/** Looks strewn, and is the same every time. */
function scatterPositions(
  width: number,
  height: number,
  options: readonly VendorOption[],
): readonly (readonly [number, number])[] {
  const count = Math.min(
    maxScattered,
    Math.max(1, Math.round(sampleNumber(findOption(options, 'random-symbol-count'), 16))),
  );
  // Two steps that have no common rhythm spread points evenly without rows.
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = [(0.5 + index * 0.754_877_666) % 1, (0.5 + index * 0.569_840_291) % 1];
    return [x * width, y * height] as const;
  });
}

function findOption(options: readonly VendorOption[], name: string): VendorOption['value'] | undefined {
  return options.find((each) => each.name === name)?.value;
}

function toTilePixels(length: number): number {
  return Math.min(maxTilePixels, Math.max(1, Math.round(length)));
}
