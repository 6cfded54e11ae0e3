/** Lays out the graphics of a repeating pattern. */
import type { VendorOption } from '../../model/model.ts';
import { type Lengths, readPixels } from '../values/lengths.ts';
import { sampleNumber, sampleWord } from '../values/sample-value.ts';
import { findOption, readMargins } from '../values/vendor-options.ts';

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
  readonly places: readonly TilePlace[];
}

/** The centre of a graphic, and its rotation in addition to its own. */
export interface TilePlace {
  readonly x: number;
  readonly y: number;
  readonly radians: number;
}

interface TiledGraphic {
  readonly width: number;
  readonly height: number;
  /** With the outline of a mark. */
  readonly outerWidth: number;
  readonly outerHeight: number;
  readonly radians: number;
}

/** Creates a tile of one graphic with margins, or of many scattered graphics. */
export function createTile(graphic: TiledGraphic, options: readonly VendorOption[], lengths: Lengths): Tile {
  const isScattered = ['grid', 'free'].includes(sampleWord(findOption(options, 'random')) ?? '');
  return isScattered ? createScatterTile(graphic, options, lengths) : createTileAround(graphic, options, lengths);
}

function createTileAround(graphic: TiledGraphic, options: readonly VendorOption[], lengths: Lengths): Tile {
  const [top, right, bottom, left] = readMargins(options, lengths);
  const middle = [left + graphic.width / 2, top + graphic.height / 2] as const;
  return {
    width: toTilePixels(graphic.width + left + right),
    height: toTilePixels(graphic.height + top + bottom),
    left: middle[0],
    top: middle[1],
    places: [{ x: middle[0], y: middle[1], radians: 0 }],
  };
}

function createScatterTile(graphic: TiledGraphic, options: readonly VendorOption[], lengths: Lengths): Tile {
  const size = toTilePixels(readPixels(lengths, findOption(options, 'random-tile-size'), 256));
  const space = Math.max(0, readPixels(lengths, findOption(options, 'random-space-around'), 0));
  const count = Math.min(
    maxScattered,
    Math.max(1, Math.round(sampleNumber(findOption(options, 'random-symbol-count'), 16))),
  );
  const places = scatterPlaces({
    size,
    count,
    seed: Math.round(sampleNumber(findOption(options, 'random-seed'), 0)),
    isGrid: sampleWord(findOption(options, 'random')) === 'grid',
    isTurned: sampleWord(findOption(options, 'random-rotation')) === 'free',
    width: graphic.outerWidth + 2 * space,
    height: graphic.outerHeight + 2 * space,
    radians: graphic.radians,
  });
  return { width: size, height: size, left: 0, top: 0, places };
}

/**
 * Returns the centres, in this tile and its two neighbours, from which an object of the length extends into this tile.
 */
export function listWrappedMiddles(middle: number, length: number, tile: number): readonly number[] {
  return [middle - tile, middle, middle + tile].filter((each) => each + length / 2 > 0 && each - length / 2 < tile);
}

interface Scatter {
  /** The sides of the tile and of a graphic with the space around it, in pixels. */
  readonly size: number;
  readonly width: number;
  readonly height: number;
  /** The rotation of the graphic itself. */
  readonly radians: number;
  readonly count: number;
  readonly seed: number;
  readonly isGrid: boolean;
  readonly isTurned: boolean;
}

/** How often a graphic without room is moved before it is omitted. */
const PLACING_ATTEMPTS = 20;

/**
 * Returns places that look random and depend only on the seed. No two graphics overlap, also across the borders of the
 * tile, and those without room are omitted. In a grid, each graphic stays in its own cell.
 */
function scatterPlaces(scatter: Scatter): readonly TilePlace[] {
  const { size, count, isGrid, isTurned } = scatter;
  const random = createRandom(scatter.seed);
  const columns = Math.ceil(Math.sqrt(count));
  const cell = size / columns;
  const boxes: (TilePlace & { readonly halfWidth: number; readonly halfHeight: number })[] = [];
  for (let index = 0; index < count; index += 1) {
    for (let attempt = 0; attempt < PLACING_ATTEMPTS; attempt += 1) {
      const radians = isTurned ? random() * 2 * Math.PI : 0;
      const turn = scatter.radians + radians;
      const [cosine, sine] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
      const halfWidth = (scatter.width * cosine + scatter.height * sine) / 2;
      const halfHeight = (scatter.width * sine + scatter.height * cosine) / 2;
      const x = isGrid ? placeInCell(index % columns, cell, halfWidth, random()) : random() * size;
      const y = isGrid ? placeInCell(Math.floor(index / columns), cell, halfHeight, random()) : random() * size;
      const isFree = boxes.every(
        (other) =>
          computeDistance(x, other.x, size) >= halfWidth + other.halfWidth ||
          computeDistance(y, other.y, size) >= halfHeight + other.halfHeight,
      );
      if (!isFree) continue;
      boxes.push({ x, y, radians, halfWidth, halfHeight });
      break;
    }
  }
  return boxes;
}

function placeInCell(index: number, cell: number, half: number, random: number): number {
  const slack = Math.max(0, cell - 2 * half);
  return (index + 0.5) * cell + (random - 0.5) * slack;
}

/** Returns the shorter distance along a side whose ends meet. */
function computeDistance(one: number, other: number, size: number): number {
  const distance = Math.abs(one - other);
  return Math.min(distance, size - distance);
}

/** Returns a generator of numbers from 0 to 1 (a linear congruential generator with mixed output bits). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    let bits = state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
    bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
    return ((bits ^ (bits >>> 16)) >>> 0) / 4_294_967_296;
  };
}

function toTilePixels(length: number): number {
  return Math.min(maxTilePixels, Math.max(1, Math.round(length)));
}
