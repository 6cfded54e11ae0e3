/**
 * Flushes the recordings of the library. It records drawing commands on a surface and executes them later, with a copy
 * of the pixels of each SVG. A map may have a hundred thousand of them, so the recording is flushed from time to time.
 */
import type { DrawingContext } from './canvas.ts';

/** 16 MB of memory. */
const MAX_RECORDED_PIXELS = 4_194_304;

/** The recorded pixels since the last flush of each surface. */
const recordedPixels = new WeakMap<DrawingContext, number>();

/** Call it for pixel surfaces only: documents do not grow by recording, and cannot be flushed before their end. */
export function limitRecording(context: DrawingContext): DrawingContext {
  recordedPixels.set(context, 0);
  return context;
}

/** Call it after an SVG was drawn, with the number of its pixels. */
export function addRecordedPixels(context: DrawingContext, pixels: number): void {
  const before = recordedPixels.get(context);
  if (before === undefined) return;
  const isFull = before + pixels > MAX_RECORDED_PIXELS;
  recordedPixels.set(context, isFull ? 0 : before + pixels);
  // Reading a pixel forces the library to paint all recorded commands.
  if (isFull) context.getImageData(0, 0, 1, 1);
}
