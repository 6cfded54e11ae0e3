/** A PNG, JPEG or TIFF image with a world file as a raster source: one coverage with the name of the file. */
import { basename } from 'node:path';
import { matchWkt } from '../../crs/match-wkt.ts';
import { problem } from '../../lib/problems/problem.ts';
import { describePictures, openGeotiff } from '../geotiff/geotiff-source.ts';
import { isTiff, readTiff } from '../geotiff/tiff-directory.ts';
import { sortPictures } from '../geotiff/tiff-pictures.ts';
import { createGrid } from '../port/grid.ts';
import { MAX_BLOCK_BYTES } from '../port/limits.ts';
import type { Band, CoverageDescription, RasterSize, RasterSource, RasterWindow, WindowRequest } from '../port/port.ts';
import { openRasterFile, type RasterFile } from '../port/raster-file.ts';
import { createSamples, type Samples } from '../port/samples.ts';
import { finishBand } from '../support/band-window.ts';
import { readThroughBlocks } from '../support/block-reader.ts';
import { getStem, readCompanion } from '../support/companions.ts';
import { type JpegHead, readJpegHead } from '../support/jpeg-head.ts';
import { unpackPicture } from '../support/picture-library.ts';
import { checkRequest, computeSamplePositions } from '../support/sampling.ts';
import { listWorldFileEndings, readMetaFile, readWorldFile } from '../support/world-file.ts';
import { isPng, readPngHead, readPngSamples } from './png.ts';

export function openWorldImage(path: string): RasterSource {
  const name = getStem(path);
  let isClosed = false;

  const withFile = async <T>(signal: AbortSignal, work: (file: RasterFile) => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('The raster source is closed.');
    signal.throwIfAborted();
    const file = openRasterFile(path);
    try {
      return await work(file);
    } finally {
      file.close();
    }
  };

  return {
    listCoverages: (signal) => withFile(signal, async () => [{ name }]),
    describe: (wanted, signal) =>
      withFile(signal, async (file) => (wanted === name ? describe(name, path, file) : undefined)),
    read: (wanted, request, signal) =>
      withFile(signal, async (file) => {
        if (wanted !== name) throw problem('raster-coverage-unknown', { name: wanted });
        if (isTiffFile(file)) return readTiffWindow(path, name, request, signal);
        return readPicture(name, openPicture(file), request);
      }),
    async close() {
      isClosed = true;
    },
  };
}

async function readTiffWindow(
  path: string,
  name: string,
  request: WindowRequest,
  signal: AbortSignal,
): Promise<RasterWindow> {
  const tiff = openGeotiff(path);
  try {
    return await tiff.read(name, request, signal);
  } finally {
    await tiff.close();
  }
}

/** An image that is unpacked as a whole. */
interface Picture extends RasterSize {
  readonly bands: readonly Band[];
  /** Returns all samples interleaved by pixel. */
  unpack(): Promise<Samples>;
}

async function describe(name: string, path: string, file: RasterFile): Promise<CoverageDescription> {
  const tiff = isTiffFile(file) ? sortPictures(readTiff(file)) : undefined;
  const picture = tiff === undefined ? openPicture(file) : undefined;
  const worldFile = readWorldFile(path);
  const size = tiff?.image ?? picture;
  const transform = worldFile ?? (size && readMetaFile(path, size));
  if (transform === undefined) {
    const names = listWorldFileEndings(path).map((ending) => `'${getStem(path)}.${ending}'`);
    throw problem('raster-file-unsupported', {
      file: basename(path),
      reason: `it has no world file; add ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
    });
  }
  const prj = readCompanion(path, ['prj']);
  // A .meta file contains longitudes and latitudes.
  const usual = worldFile === undefined ? { code: 'EPSG:4326' } : {};
  const crs = prj === undefined ? usual : await matchWkt(prj);
  if (tiff !== undefined) return describePictures(name, tiff, { transform, crs });
  if (picture === undefined) throw new Error('The image is neither a TIFF file nor a picture.');
  return {
    name,
    grid: createGrid(picture, transform, crs),
    bands: picture.bands,
    overviews: [],
    dimensions: [],
    hasMask: false,
  };
}

function isTiffFile(file: RasterFile): boolean {
  return isTiff(file.read(0, Math.min(4, file.sizeBytes)));
}

function openPicture(file: RasterFile): Picture {
  const head = file.read(0, Math.min(8, file.sizeBytes));
  if (isPng(head)) {
    const png = readPngHead(file);
    return { ...png, unpack: async () => readPngSamples(file, png) };
  }
  if (head[0] === 0xff && head[1] === 0xd8) return openJpeg(file);
  throw problem('raster-file-unsupported', { file: file.name, reason: 'it is not a PNG, JPEG or TIFF image' });
}

/** The maximum size of profiles and previews before the frame header of a JPEG file. */
const JPEG_HEAD_BYTES = 1_048_576;

function openJpeg(file: RasterFile): Picture {
  const head = readJpegHead(file.read(0, Math.min(file.sizeBytes, JPEG_HEAD_BYTES)));
  if (head === undefined) throw problem('raster-file-malformed', { file: file.name, reason: 'it has no JPEG frame' });
  const { width, height, components, bits } = head;
  if (bits !== 8 || (components !== 1 && components !== 3)) {
    throw problem('raster-file-unsupported', {
      file: file.name,
      reason: `it is a JPEG image with ${components} components of ${bits} bits`,
    });
  }
  const colors = components === 1 ? (['gray'] as const) : (['red', 'green', 'blue'] as const);
  return {
    width,
    height,
    bands: colors.map((colorInterpretation, index) => ({
      name: `Band${index + 1}`,
      type: 'uint8',
      colorInterpretation,
    })),
    unpack: () => unpackJpeg(file, head, components),
  };
}

async function unpackJpeg(file: RasterFile, { width, height }: JpegHead, bands: 1 | 3): Promise<Samples> {
  if (width * height * bands > MAX_BLOCK_BYTES || file.sizeBytes > MAX_BLOCK_BYTES) {
    throw problem('raster-file-unsupported', {
      file: file.name,
      reason: `its size of ${width} by ${height} pixels exceeds the limit for unpacking`,
    });
  }
  const packed = file.read(0, file.sizeBytes);
  try {
    return await unpackPicture(packed, { bands, width, height });
  } catch (error) {
    const reason = `it cannot be unpacked (${error instanceof Error ? error.message : String(error)})`;
    throw problem('raster-file-malformed', { file: file.name, reason });
  }
}

async function readPicture(name: string, picture: Picture, request: WindowRequest): Promise<RasterWindow> {
  const { width, height, bands } = picture;
  const checked = checkRequest({ name, width, height, bands }, request);
  const all = await picture.unpack();
  const length = checked.size.width * checked.size.height;
  const targets = checked.bands.map((band) => ({
    sample: band,
    samples: createSamples(bands[band]?.type ?? 'uint8', length),
    empty: 0,
  }));
  const source = { blockWidth: width, blockHeight: height, stride: bands.length, readBlock: async () => all };
  await readThroughBlocks(source, computeSamplePositions(picture, picture, checked.positions), targets);
  return {
    ...checked.size,
    bands: targets.map(({ sample, samples }) => {
      const band = bands[sample];
      if (band === undefined) throw new Error('The requested band was not validated.');
      return finishBand(band, { samples }, request.values);
    }),
  };
}
