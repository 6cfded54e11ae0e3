/** Makes a graphic into a pattern that repeats over an area. */
import { type Graphic, literal, type VendorOption } from '../model.ts';
import type { Pattern } from './canvas.ts';
import { type Drawing, isolated, pixelsPerStep } from './drawing.ts';
import { drawGraphic, outerBox, type ReadyGraphic, readyGraphic } from './graphic.ts';
import { type Lengths, pixels } from './lengths.ts';
import { sampleNumber, sampleValue, sampleWord } from './sample-value.ts';

/** As large as a swatch can be. */
const maxTilePixels = 1024;
const maxScattered = 500;

/** Undefined if there is nothing to repeat. */
export function tilePattern(
  drawing: Drawing,
  graphic: Graphic,
  lengths: Lengths,
  options: readonly VendorOption[],
): Pattern | undefined {
  const ready = readyGraphic(drawing, graphic, lengths);
  if (!(ready.width > 0 && ready.height > 0)) return undefined;
  const isScattered = ['grid', 'free'].includes(sampleWord(option(options, 'random')) ?? '');
  const { width, height, left, top } = isScattered ? scatterTile(options) : tileAround(ready, options, lengths);
  if (!drawing.budget.spend((width * height) / pixelsPerStep)) return undefined;
  const tile = drawing.library.createCanvas(width, height);
  const context = tile.getContext('2d');
  const inner = { ...drawing, context, nesting: drawing.nesting + 1, middle: { x: 0, y: 0 } };
  const places = isScattered ? scattered(width, height, options) : [[left, top] as const];
  for (const [x, y] of places) drawWrapped(inner, ready, x, y, width, height);
  const pattern = drawing.context.createPattern(tile, 'repeat') ?? undefined;
  const { x, y } = drawing.middle;
  pattern?.setTransform({ a: 1, b: 0, c: 0, d: 1, e: x - left, f: y - top });
  return pattern;
}

interface Tile {
  readonly width: number;
  readonly height: number;
  /** Where the middle of the graphic is. */
  readonly left: number;
  readonly top: number;
}

function tileAround(ready: ReadyGraphic, options: readonly VendorOption[], lengths: Lengths): Tile {
  const [top, right, bottom, left] = margins(options, lengths);
  return {
    width: tilePixels(ready.width + left + right),
    height: tilePixels(ready.height + top + bottom),
    left: left + ready.width / 2,
    top: top + ready.height / 2,
  };
}

function scatterTile(options: readonly VendorOption[]): Tile {
  const size = tilePixels(sampleNumber(option(options, 'random-tile-size'), 256));
  return { width: size, height: size, left: 0, top: 0 };
}

/** What sticks out on one side comes in on the other, so that slanted lines go on without a break. */
function drawWrapped(drawing: Drawing, ready: ReadyGraphic, x: number, y: number, width: number, height: number): void {
  const [outerWidth, outerHeight] = outerBox(ready);
  for (const middleX of wrapped(x, outerWidth, width)) {
    for (const middleY of wrapped(y, outerHeight, height)) {
      isolated(drawing.context, () => {
        drawing.context.translate(middleX, middleY);
        drawGraphic(drawing, ready);
      });
    }
  }
}

/** The middles, in this tile and the two beside it, from which something that long reaches into this tile. */
function wrapped(middle: number, length: number, tile: number): readonly number[] {
  return [middle - tile, middle, middle + tile].filter((each) => each + length / 2 > 0 && each - length / 2 < tile);
}

/** Top, right, bottom and left, as CSS shortens them. */
function margins(options: readonly VendorOption[], lengths: Lengths): readonly [number, number, number, number] {
  const text = String(sampleValue(option(options, 'graphic-margin')) ?? '').trim();
  const given = text === '' ? [] : text.split(/[\s,]+/).map((each) => Math.max(0, pixels(lengths, literal(each), 0)));
  const [top = 0, right = top, bottom = top, left = right] = given;
  return [top, right, bottom, left];
}

/** Looks strewn, and is the same every time. */
function scattered(
  width: number,
  height: number,
  options: readonly VendorOption[],
): readonly (readonly [number, number])[] {
  const count = Math.min(
    maxScattered,
    Math.max(1, Math.round(sampleNumber(option(options, 'random-symbol-count'), 16))),
  );
  // Two steps that have no common rhythm spread points evenly without rows.
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = [(0.5 + index * 0.754_877_666) % 1, (0.5 + index * 0.569_840_291) % 1];
    return [x * width, y * height] as const;
  });
}

function option(options: readonly VendorOption[], name: string): VendorOption['value'] | undefined {
  return options.find((each) => each.name === name)?.value;
}

function tilePixels(length: number): number {
  return Math.min(maxTilePixels, Math.max(1, Math.round(length)));
}
