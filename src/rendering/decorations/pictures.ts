/** Draws the pictures of decorations. */
import type { CanvasLibrary } from '../../styling/legend/canvas/canvas.ts';
import type { LoadedPicture } from '../../styling/legend/canvas/drawing.ts';
import { decodeGraphic } from '../../styling/legend/images/pictures.ts';
import type { DecorationSpace, LaidOutDecoration, PictureContent } from './decoration.ts';

/** The size of an SVG without one. */
const DEFAULT_PIXELS = 100;
const GAP_PIXELS = 6;
const PADDING_PIXELS = 6;
/** Four bytes each when decoded. */
const MAX_SOURCE_PIXELS = 16_000_000;
/** Drawing takes about a second; a logo needs a few steps. */
const MAX_STEPS = 100_000;
/** No output is larger, so larger pictures are not visible as a whole. */
const MAX_SIDE_PIXELS = 10_000;

interface PlacedPicture {
  readonly picture: LoadedPicture;
  readonly width: number;
  readonly height: number;
  readonly top: number;
}

/** Returns undefined if no picture can be drawn. A written size is the largest one; proportions are kept. */
export async function layOutPictures(
  library: CanvasLibrary,
  { pictures, density = 1, opacity, background }: PictureContent,
  { size, factor }: DecorationSpace,
): Promise<LaidOutDecoration | undefined> {
  const loaded: LoadedPicture[] = [];
  const budget = { pixels: MAX_SOURCE_PIXELS };
  for (const bytes of pictures) {
    const picture = await decodeGraphic(library, bytes, '', budget);
    if (picture !== undefined) loaded.push(picture);
  }
  if (loaded.length === 0) return undefined;
  const padding = background === undefined ? 0 : PADDING_PIXELS;
  const natural = arrange(loaded, density);
  const scale = size === undefined ? 1 : Math.min(size.width / natural.width, size.height / natural.height);
  const width = (natural.width * scale + 2 * padding) * factor;
  const height = (natural.height * scale + 2 * padding) * factor;
  if (width > MAX_SIDE_PIXELS || height > MAX_SIDE_PIXELS) return undefined;
  const zoom = scale * factor;
  return {
    width,
    height,
    draw({ context }) {
      context.globalAlpha = opacity;
      if (background !== undefined) {
        context.fillStyle = background;
        context.fillRect(0, 0, width, height);
      }
      for (const { picture, top, ...each } of natural.placed) {
        const pixels = each.width * each.height * zoom ** 2;
        if (pixels > picture.maxPixels || picture.steps(pixels) > MAX_STEPS) continue;
        const [x, y] = [padding * factor, padding * factor + top * zoom];
        context.drawImage(picture.image, x, y, each.width * zoom, each.height * zoom);
      }
    },
  };
}

function arrange(loaded: readonly LoadedPicture[], density: number) {
  const placed: PlacedPicture[] = [];
  let [width, height] = [0, 0];
  for (const picture of loaded) {
    const top = height === 0 ? 0 : height + GAP_PIXELS;
    const own = {
      width: (picture.width ?? DEFAULT_PIXELS) / density,
      height: (picture.height ?? DEFAULT_PIXELS) / density,
    };
    placed.push({ picture, top, ...own });
    width = Math.max(width, own.width);
    height = top + own.height;
  }
  return { placed, width, height };
}
