/** Compares two maps pixel by pixel. */
import type { Picture } from './picture-library.ts';

export interface PictureComparison {
  /** Pixels that are not transparent on at least one map. */
  readonly drawnPixels: number;
  readonly differentPixels: number;
  /** Whether a map has one colour only, such as a transparent one. */
  readonly isOldEmpty: boolean;
  readonly isNewEmpty: boolean;
  /** Equal pixels are grey, different ones are red. */
  readonly difference: Picture;
}

/** Smaller differences come from antialiasing and compression. */
const MAX_CHANNEL_DIFFERENCE = 32;

/** Servers round positions to different pixels. */
const MAX_DISPLACEMENT_PIXELS = 1;

const CHANNELS = 4;
const WHITE = 255;

/** Both pictures have the same size. */
export function comparePictures(old: Picture, renewed: Picture): PictureComparison {
  const { width, height } = old;
  const [before, after] = [blendOnWhite(old), blendOnWhite(renewed)];
  const difference = new Uint8Array(width * height * CHANNELS);
  let drawnPixels = 0;
  let differentPixels = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * CHANNELS;
      const isDrawn = (before.pixels[at + 3] ?? 0) > 0 || (after.pixels[at + 3] ?? 0) > 0;
      // A pixel of each map must occur on the other one: a missing line and an additional one are both differences.
      const isDifferent = isDrawn && !(occursNear(before, after, x, y) && occursNear(after, before, x, y));
      if (isDrawn) drawnPixels += 1;
      if (isDifferent) differentPixels += 1;
      difference.set(isDifferent ? [220, 0, 0, WHITE] : createGrey(before.pixels, at), at);
    }
  }
  return {
    drawnPixels,
    differentPixels,
    isOldEmpty: hasOneColor(old),
    isNewEmpty: hasOneColor(renewed),
    difference: { width, height, pixels: difference },
  };
}

/** Colours of transparent pixels are invisible. Alpha stays a channel, so that white on nothing is a difference. */
function blendOnWhite({ width, height, pixels }: Picture): Picture {
  const blended = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at += CHANNELS) {
    const alpha = pixels[at + 3] ?? 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const value = pixels[at + channel] ?? 0;
      blended[at + channel] = Math.round((value * alpha + WHITE * (WHITE - alpha)) / WHITE);
    }
    blended[at + 3] = alpha;
  }
  return { width, height, pixels: blended };
}

/** Whether the other map has a similar pixel at most one pixel away. */
function occursNear(picture: Picture, other: Picture, x: number, y: number): boolean {
  const { width, height, pixels } = picture;
  const at = (y * width + x) * CHANNELS;
  if (isSimilar(pixels, at, other.pixels, at)) return true;
  const [top, bottom] = [Math.max(0, y - MAX_DISPLACEMENT_PIXELS), Math.min(height - 1, y + MAX_DISPLACEMENT_PIXELS)];
  const [left, right] = [Math.max(0, x - MAX_DISPLACEMENT_PIXELS), Math.min(width - 1, x + MAX_DISPLACEMENT_PIXELS)];
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      if (isSimilar(pixels, at, other.pixels, (row * width + column) * CHANNELS)) return true;
    }
  }
  return false;
}

function isSimilar(one: Uint8Array, oneAt: number, other: Uint8Array, otherAt: number): boolean {
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    const distance = (one[oneAt + channel] ?? 0) - (other[otherAt + channel] ?? 0);
    if (distance > MAX_CHANNEL_DIFFERENCE || distance < -MAX_CHANNEL_DIFFERENCE) return false;
  }
  return true;
}

/** A pale picture of the map, on which red is visible. */
function createGrey(pixels: Uint8Array, at: number): readonly number[] {
  const sum = (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0);
  const grey = 170 + Math.round(sum / 9);
  return [grey, grey, grey, WHITE];
}

function hasOneColor({ pixels }: Picture): boolean {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / CHANNELS);
  return words.every((word) => word === words[0]);
}
