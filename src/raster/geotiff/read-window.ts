/** Reads a window of a TIFF image, from an overview if one fits, with its mask. */

import type { Band, RasterSize, RasterWindow, WindowRequest } from '../port/port.ts';
import { createSamples, toSample } from '../port/samples.ts';
import { finishBand } from '../support/band-window.ts';
import { BlockCache } from '../support/block-cache.ts';
import { readThroughBlocks } from '../support/block-reader.ts';
import {
  type CheckedRequest,
  checkRequest,
  chooseLevel,
  computeSamplePositions,
  type SamplePositions,
  splitRuns,
} from '../support/sampling.ts';
import { announceBlocks, readBlock } from './block-samples.ts';
import type { TiffFile } from './tiff-directory.ts';
import { countSamplesPerBlockPixel, readImage, type TiffImage } from './tiff-image.ts';
import type { TiffLevel, TiffPictures } from './tiff-pictures.ts';

export async function readTiffWindow(
  name: string,
  {
    tiff,
    pictures: { image, levels, masks },
    bands,
    blocks,
  }: {
    readonly tiff: TiffFile;
    readonly pictures: TiffPictures;
    readonly bands: readonly Band[];
    readonly blocks: BlockCache;
  },
  request: WindowRequest,
): Promise<RasterWindow> {
  const full = { width: image.width, height: image.height };
  const checked = checkRequest({ name, ...full, bands }, request);
  const level = levels[chooseLevel(checked.positions, levels)] ?? { ...full, directory: image.directory };
  const source =
    level.directory === image.directory ? image : readImage(level.directory, tiff.file, tiff.isLittleEndian);
  const mask = await readMask(tiff, masks, { level, full }, checked);
  const length = checked.size.width * checked.size.height;
  const targets = checked.bands.map((band) => {
    const { type = source.type, noData = 0 } = bands[band] ?? {};
    const zero = type === 'int64' || type === 'uint64' ? 0n : 0;
    return { band, samples: createSamples(source.type, length), empty: toSample(source.type, noData) ?? zero };
  });
  const places = computeSamplePositions(level, full, checked.positions);
  announceWindow(source, places, source.isPlanar ? checked.bands : [0], blocks);
  if (source.isPlanar) {
    for (const { band, samples, empty } of targets) {
      await readThroughBlocks(createBlockSource(source, band, blocks), places, [{ sample: 0, samples, empty }]);
    }
  } else {
    const chunky = targets.map(({ band, samples, empty }) => ({ sample: band, samples, empty }));
    await readThroughBlocks(createBlockSource(source, 0, blocks), places, chunky);
  }
  return {
    ...checked.size,
    bands: targets.map(({ band, samples }) => {
      const description = bands[band];
      if (description === undefined) throw new Error('The requested band was not validated.');
      // Each band gets its own mask, because each may have further pixels without data.
      const own = mask === undefined ? {} : { mask: new Uint8Array(mask) };
      return finishBand(description, { samples, ...own }, request.values);
    }),
  };
}

function createBlockSource(image: TiffImage, plane: number, blocks: BlockCache) {
  return {
    blockWidth: image.blockWidth,
    blockHeight: image.blockHeight,
    stride: countSamplesPerBlockPixel(image),
    readBlock: (across: number, down: number) =>
      blocks.getOrRead(createBlockKey(image, { plane, across, down }), () => readBlock(image, across, down, plane)),
  };
}

interface BlockPlace {
  readonly plane: number;
  readonly across: number;
  readonly down: number;
}

/** The width tells the levels of a file apart. */
function createBlockKey({ width }: TiffImage, { plane, across, down }: BlockPlace): string {
  return `${width} ${plane} ${across} ${down}`;
}

/** Announces the blocks of a window that are not in memory, in the order in which they are read. */
function announceWindow(
  image: TiffImage,
  { columns, rows }: SamplePositions,
  planes: readonly number[],
  blocks: BlockCache,
): void {
  if (image.file.announce === undefined) return;
  const downs = splitRuns(rows, image.blockHeight);
  const acrosses = splitRuns(columns, image.blockWidth);
  const places = planes.flatMap((plane) =>
    downs.flatMap(({ block: down }) => acrosses.map(({ block: across }) => ({ plane, across, down }))),
  );
  announceBlocks(
    image,
    places.filter((place) => !blocks.has(createBlockKey(image, place))),
  );
}

/** Returns the mask of the level, or else the nearest in size, the largest first. */
async function readMask(
  tiff: TiffFile,
  masks: readonly TiffLevel[],
  { level, full }: { readonly level: RasterSize; readonly full: RasterSize },
  checked: CheckedRequest,
): Promise<Uint8Array | undefined> {
  const chosen = masks.find(({ width, height }) => width === level.width && height === level.height) ?? masks[0];
  if (chosen === undefined) return undefined;
  const image = readImage(chosen.directory, tiff.file, tiff.isLittleEndian);
  const samples = createSamples(image.type, checked.size.width * checked.size.height);
  const blocks = new BlockCache();
  const places = computeSamplePositions(chosen, full, checked.positions);
  announceWindow(image, places, [0], blocks);
  await readThroughBlocks(createBlockSource(image, 0, blocks), places, [{ sample: 0, samples, empty: 0 }]);
  return Uint8Array.from(samples as Uint8Array, (value) => (value === 0 ? 0 : 255));
}
