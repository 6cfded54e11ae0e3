/** Encodes pictures of the same size as frames of one file. The library uses its own threads. */
import type { Pixels } from '../request/map-request.ts';

export interface AnimationOptions {
  readonly delayMs: number;
  readonly isRepeated: boolean;
  /** Whether all pixels are opaque. */
  readonly isOpaque: boolean;
}

const BYTES_PER_PIXEL = 4;
const WEBP_QUALITY = 85;

export async function encodeAnimation(
  frames: readonly Pixels[],
  format: 'gif' | 'webp',
  { delayMs, isRepeated, isOpaque }: AnimationOptions,
): Promise<Buffer> {
  const [{ width, height } = { width: 1, height: 1 }] = frames;
  const all = new Uint8Array(width * height * BYTES_PER_PIXEL * frames.length);
  for (const [index, { bytes }] of frames.entries()) all.set(bytes, index * width * height * BYTES_PER_PIXEL);
  const { default: sharp } = await import('sharp');
  const raw = { width, height: height * frames.length, channels: BYTES_PER_PIXEL, pageHeight: height } as const;
  const whole = sharp(all, { raw, limitInputPixels: width * height * frames.length });
  const picture = isOpaque ? whole.removeAlpha() : whole;
  // Zero repeats without an end.
  const options = { loop: isRepeated ? 0 : 1, delay: frames.map(() => delayMs), effort: 1 };
  return format === 'gif'
    ? picture.gif(options).toBuffer()
    : picture.webp({ ...options, quality: WEBP_QUALITY }).toBuffer();
}
