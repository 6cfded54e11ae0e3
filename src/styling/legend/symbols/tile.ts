/** Lays out the graphics of a repeating pattern. */
import { createLiteral, type VendorOption } from '../../model/model.ts';
import { type Lengths, readPixels } from '../values/lengths.ts';
import { sampleNumber, sampleValue, sampleWord } from '../values/sample-value.ts';

/** The maximum size of a swatch. */
const maxTilePixels = 1024;
const maxScattered = 500;

/** The repeated unit of a pattern. */
export interface Tile {
  readonly width: number;
  readonly height: number;
  /** The position in the tile that is aligned with the centre of the filled area. */
  readonly left: number;
  readonly top: number;
  /** The centres of its graphics. */
  readonly places: readonly (readonly [number, number])[];
}

/** Creates a tile of one graphic with margins, or of many scattered graphics. */
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

/**
 * Returns the centres, in this tile and its two neighbours, from which an object of the length extends into this tile.
 */
export function listWrappedMiddles(middle: number, length: number, tile: number): readonly number[] {
  return [middle - tile, middle, middle + tile].filter((each) => each + length / 2 > 0 && each - length / 2 < tile);
}

/** Returns top, right, bottom and left margins, with the CSS shorthand rules. */
function readMargins(options: readonly VendorOption[], lengths: Lengths): readonly [number, number, number, number] {
  const text = String(sampleValue(findOption(options, 'graphic-margin')) ?? '').trim();
  const given =
    text === '' ? [] : text.split(/[\s,]+/).map((each) => Math.max(0, readPixels(lengths, createLiteral(each), 0)));
  const [top = 0, right = top, bottom = top, left = right] = given;
  return [top, right, bottom, left];
}

/** Returns positions that look random but are deterministic. */
function scatterPositions(
  width: number,
  height: number,
  options: readonly VendorOption[],
): readonly (readonly [number, number])[] {
  const count = Math.min(
    maxScattered,
    Math.max(1, Math.round(sampleNumber(findOption(options, 'random-symbol-count'), 16))),
  );
  // Two incommensurable steps distribute points evenly without visible rows.
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
