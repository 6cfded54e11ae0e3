/**
 * The library records what is drawn on a surface and paints it later, with a copy of the pixels of each SVG that was drawn. A
 * map may have a hundred thousand of them, so that what is recorded is painted from time to time.
 */
import type { DrawingContext } from './canvas.ts';

/** 16 MB of memory. */
const MAX_RECORDED_PIXELS = 4_194_304;

/** Since each surface was painted last. */
const recordedPixels = new WeakMap<DrawingContext, number>();

/** For surfaces that have pixels: documents are no larger by what is recorded, and cannot be painted before their end. */
export function limitRecording(context: DrawingContext): DrawingContext {
  recordedPixels.set(context, 0);
  return context;
}

/** To be called after an SVG was drawn on so many pixels. */
export function addRecordedPixels(context: DrawingContext, pixels: number): void {
  const before = recordedPixels.get(context);
  if (before === undefined) return;
  const isFull = before + pixels > MAX_RECORDED_PIXELS;
  recordedPixels.set(context, isFull ? 0 : before + pixels);
  // A pixel can only be read once all of them are painted.
  if (isFull) context.getImageData(0, 0, 1, 1);
}
