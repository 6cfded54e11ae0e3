/** Classifies the directories of a TIFF file: the image, its overviews and their masks. */
import type { RasterSize } from '../port/port.ts';
import type { TiffDirectory, TiffFile } from './tiff-directory.ts';
import { photometrics, readImage, readSize, type TiffImage, tags } from './tiff-image.ts';

export interface TiffLevel extends RasterSize {
  readonly directory: TiffDirectory;
}

export interface TiffPictures {
  readonly image: TiffImage;
  /** The image itself, then its overviews, the largest first. */
  readonly levels: readonly TiffLevel[];
  /** The masks of the image and of its overviews. */
  readonly masks: readonly TiffLevel[];
}

const REDUCED = 1;
const MASK = 4;

export function sortPictures({ file, isLittleEndian, directories }: TiffFile): TiffPictures {
  const [first] = directories;
  if (first === undefined) throw new Error('The TIFF file has no image file directory.');
  const image = readImage(first, file, isLittleEndian);
  const levels: TiffLevel[] = [];
  const masks: TiffLevel[] = [];
  for (const directory of directories.slice(1)) {
    const kind = directory.readNumber(tags.newSubfileType) ?? 0;
    const isMask = (kind & MASK) !== 0 || directory.readNumber(tags.photometric) === photometrics.mask;
    // Other pages are separate images.
    if (!isMask && (kind & REDUCED) === 0) continue;
    const { width, height } = readSize(directory, file);
    (isMask ? masks : levels).push({ directory, width, height });
  }
  const isReduced = ({ width, height }: RasterSize) => width <= image.width && height <= image.height;
  const overviews = levels.filter((level) => isReduced(level) && isOfKind(level.directory, image));
  return {
    image,
    levels: [
      { directory: first, width: image.width, height: image.height },
      ...overviews.sort((a, b) => b.width * b.height - a.width * a.height),
    ],
    masks: masks.filter(isReduced),
  };
}

/** A colour thumbnail is not an overview of measured data. */
function isOfKind(directory: TiffDirectory, { bands, bits }: TiffImage): boolean {
  return (
    (directory.readNumber(tags.samplesPerPixel) ?? 1) === bands &&
    (directory.readNumber(tags.bitsPerSample) ?? 1) === bits
  );
}
