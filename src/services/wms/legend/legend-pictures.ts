/** Combines the legends of several layers into one image, with a background and an optional border. */

/** A PNG file. */
export type LegendPicture = Uint8Array;

export interface LegendFrame {
  readonly format: 'png' | 'jpeg' | 'gif' | 'webp';
  readonly isTransparent: boolean;
  /** Whether they are placed side by side instead of below each other. */
  readonly isHorizontal: boolean;
  /** `#rrggbb`. */
  readonly background: string;
  readonly border: string | undefined;
}

export async function joinLegends(pictures: readonly LegendPicture[], frame: LegendFrame): Promise<Uint8Array> {
  const { format, isTransparent, background, border } = frame;
  const [first] = pictures;
  const isDone = pictures.length === 1 && format === 'png' && isTransparent && border === undefined;
  if (first !== undefined && isDone) return first;
  const { default: sharp } = await import('sharp');
  const joined = sharp(first !== undefined && pictures.length === 1 ? first : await joinPictures(pictures, frame));
  // Each step produces an image of its own, because sharp would reorder combined steps.
  const filled = isTransparent ? joined : sharp(await joined.flatten({ background }).png().toBuffer());
  const framed =
    border === undefined ? filled : filled.extend({ top: 1, bottom: 1, left: 1, right: 1, background: border });
  return framed.toFormat(format).toBuffer();
}

const GAP_PIXELS = 4;

async function joinPictures(pictures: readonly LegendPicture[], { isHorizontal }: LegendFrame): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const placed: { input: Buffer; left: number; top: number }[] = [];
  let [along, across] = [0, 1];
  for (const input of pictures) {
    const { width, height } = await sharp(input).metadata();
    placed.push({ input: Buffer.from(input), ...(isHorizontal ? { left: along, top: 0 } : { left: 0, top: along }) });
    along += (isHorizontal ? width : height) + GAP_PIXELS;
    across = Math.max(across, isHorizontal ? height : width);
  }
  const length = Math.max(1, along - GAP_PIXELS);
  const [width, height] = isHorizontal ? [length, across] : [across, length];
  return sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite(placed)
    .png()
    .toBuffer();
}
