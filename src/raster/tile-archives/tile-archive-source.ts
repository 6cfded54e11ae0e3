/**
 * A tile archive as a raster source: one coverage with the name of the file, in Web Mercator. Its grid has the pixels of
 * the finest zoom; coarser zooms are overviews. Tiles that are not stored are transparent.
 */
import { problem } from '../../lib/problems/problem.ts';
import { type StoredTile, type TileArchive, TileArchiveError } from '../../vector/tile-archives/model/tile-archive.ts';
import { detectPictureFormat, unpackTile } from '../../vector/tile-archives/model/unpack-tile.ts';
import { WEB_MERCATOR } from '../../vector/tile-archives/tile-crs.ts';
import { computeTileRangeBounds, findTiles, type TileRange } from '../../vector/tile-archives/tile-pixels.ts';
import { createGrid, createUprightTransform } from '../port/grid.ts';
import type { Band, CoverageDescription, RasterSource, RasterWindow, WindowRequest } from '../port/port.ts';
import { createSamples } from '../port/samples.ts';
import { finishBand } from '../support/band-window.ts';
import { BlockCache } from '../support/block-cache.ts';
import { type BlockSource, readThroughBlocks } from '../support/block-reader.ts';
import { readPictureSize, unpackColors } from '../support/picture-library.ts';
import { checkRequest, chooseLevel, type SamplePositions } from '../support/sampling.ts';
import { toRasterProblem } from './raster-problem.ts';

/** Pixel numbers of larger worlds exceed 31 bits; finer zooms are served as stored tiles only. */
const MAX_WORLD_PIXELS = 2 ** 30;

/** The largest usual tile has 1,024 pixels. */
const MAX_TILE_PIXELS = 4_096;

const BAND_COUNT = 4;

const bands: readonly Band[] = (['red', 'green', 'blue', 'alpha'] as const).map((colorInterpretation, index) => ({
  name: `Band${index + 1}`,
  type: 'uint8',
  colorInterpretation,
}));

export interface TileArchiveParts {
  /** The name of its coverage. */
  readonly name: string;
  /** For messages. */
  readonly fileName: string;
  readonly openArchive: () => TileArchive;
}

export function createTileArchiveSource({ name, fileName, openArchive }: TileArchiveParts): RasterSource {
  const blocks = new BlockCache();
  let isClosed = false;
  let opened: { readonly archive: TileArchive; readonly pyramid: Pyramid } | undefined;

  const withPyramid = async <T>(
    signal: AbortSignal,
    work: (archive: TileArchive, pyramid: Pyramid) => T | Promise<T>,
  ): Promise<T> => {
    if (isClosed) throw new Error('The raster source is closed.');
    signal.throwIfAborted();
    try {
      opened ??= await openPyramid(openArchive());
      return await work(opened.archive, opened.pyramid);
    } catch (error) {
      throw toRasterProblem(error, fileName);
    }
  };

  return {
    listCoverages: (signal) => withPyramid(signal, () => [{ name }]),
    describe: (wanted, signal) =>
      withPyramid(signal, (archive, pyramid) => (wanted === name ? describe(name, archive, pyramid) : undefined)),
    read: (wanted, request, signal) =>
      withPyramid(signal, (archive, pyramid) => {
        if (wanted !== name) throw problem('raster-coverage-unknown', { name: wanted });
        return readWindow(name, { archive, pyramid, blocks }, request);
      }),
    async close() {
      isClosed = true;
      opened?.archive.close();
    },
  };
}

/** The zooms of an archive as levels of one image, the finest first. */
interface Pyramid {
  readonly tileSize: number;
  readonly width: number;
  readonly height: number;
  /** At the finest zoom. */
  readonly tiles: TileRange;
  readonly levels: readonly { readonly zoom: number; readonly width: number; readonly height: number }[];
}

async function openPyramid(
  archive: TileArchive,
): Promise<{ readonly archive: TileArchive; readonly pyramid: Pyramid }> {
  try {
    const { format, minZoom, maxZoom, bounds } = archive.info;
    if (format === 'mvt') {
      throw new TileArchiveError('its tiles are vector tiles; create a data store for it', { isUnsupported: true });
    }
    const tileSize = await readTileSize(archive.readSample());
    const finest = Math.min(maxZoom, Math.log2(MAX_WORLD_PIXELS / tileSize));
    if (finest < minZoom) {
      throw new TileArchiveError(`its coarsest zoom is ${minZoom}, and up to ${finest} are supported`, {
        isUnsupported: true,
      });
    }
    const tiles = findTiles(bounds, finest);
    const width = (tiles.maxColumn + 1 - tiles.minColumn) * tileSize;
    const height = (tiles.maxRow + 1 - tiles.minRow) * tileSize;
    const levels = Array.from({ length: finest - minZoom + 1 }, (_, coarser) => ({
      zoom: finest - coarser,
      width: Math.ceil(width / 2 ** coarser),
      height: Math.ceil(height / 2 ** coarser),
    }));
    return { archive, pyramid: { tileSize, width, height, tiles, levels } };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** Archives do not declare the size of their tiles. An archive without tiles is described with the usual size. */
async function readTileSize(sample: StoredTile | undefined): Promise<number> {
  if (sample === undefined) return 256;
  const { width, height } = await readPictureSize(checkPicture(unpackTile(sample))).catch((error: unknown) => {
    throw createPictureError(error);
  });
  if (width === height && width <= MAX_TILE_PIXELS && Number.isInteger(Math.log2(width))) return width;
  throw new TileArchiveError(
    `its tiles have ${width} by ${height} pixels; expected a square whose side is a power of 2, at most ${MAX_TILE_PIXELS}`,
    { isUnsupported: true },
  );
}

function describe(name: string, { info }: TileArchive, pyramid: Pyramid): CoverageDescription {
  const { width, height, tiles, levels } = pyramid;
  const { title, description, attribution } = info;
  const box = computeTileRangeBounds(tiles, levels[0]?.zoom ?? 0);
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(attribution === undefined ? {} : { attribution }),
    grid: createGrid({ width, height }, createUprightTransform({ width, height }, box), WEB_MERCATOR),
    bands,
    tileZooms: { min: info.minZoom, max: info.maxZoom },
    overviews: levels.slice(1).map((level) => ({ width: level.width, height: level.height })),
    dimensions: [],
    hasMask: false,
  };
}

async function readWindow(
  name: string,
  {
    archive,
    pyramid,
    blocks,
  }: { readonly archive: TileArchive; readonly pyramid: Pyramid; readonly blocks: BlockCache },
  request: WindowRequest,
): Promise<RasterWindow> {
  const { width, height, tileSize, tiles, levels } = pyramid;
  const checked = checkRequest({ name, width, height, bands }, request);
  const coarser = chooseLevel(checked.positions, levels);
  const zoom = levels[coarser]?.zoom ?? 0;
  const scale = 2 ** coarser;
  // In pixels of the whole world at that zoom, so that they need not start at a tile.
  const toWorld = (positions: Float64Array, first: number, count: number) =>
    Int32Array.from(positions, (position) =>
      Math.floor((first * tileSize + Math.min(Math.floor(position + 1e-9), count - 1)) / scale),
    );
  const places: SamplePositions = {
    columns: toWorld(checked.positions.columns, tiles.minColumn, width),
    rows: toWorld(checked.positions.rows, tiles.minRow, height),
  };
  const length = checked.size.width * checked.size.height;
  const targets = checked.bands.map((sample) => ({ sample, samples: createSamples('uint8', length), empty: 0 }));
  const source: BlockSource = {
    blockWidth: tileSize,
    blockHeight: tileSize,
    stride: BAND_COUNT,
    readBlock: (column, row) =>
      blocks.getOrRead(`${zoom} ${column} ${row}`, async () => {
        const stored = archive.readTile({ zoom, column, row });
        return stored && unpackPictureTile(stored, tileSize);
      }),
  };
  await readThroughBlocks(source, places, targets);
  return {
    ...checked.size,
    bands: targets.map(({ sample, samples }) => {
      const band = bands[sample];
      if (band === undefined) throw new Error('The requested band was not validated.');
      return finishBand(band, { samples }, request.values);
    }),
  };
}

/** Returns red, green, blue and alpha of each pixel. */
async function unpackPictureTile(stored: StoredTile, tileSize: number): Promise<Uint8Array | undefined> {
  if (stored.bytes.length === 0) return undefined;
  const packed = checkPicture(unpackTile(stored));
  const { pixels, width, height } = await unpackColors(packed, tileSize * tileSize).catch((error: unknown) => {
    throw createPictureError(error);
  });
  if (width === tileSize && height === tileSize) return pixels;
  throw new TileArchiveError(`its tiles have different sizes: ${tileSize} and ${width} by ${height} pixels`, {
    isUnsupported: true,
  });
}

/** The library reads more formats than tiles have, some of which refer to other files. */
function checkPicture(bytes: Uint8Array): Uint8Array {
  if (detectPictureFormat(bytes) !== undefined) return bytes;
  throw new TileArchiveError('one of its tiles is not a PNG, JPEG, WebP or AVIF image');
}

function createPictureError(error: unknown): unknown {
  if (error instanceof TileArchiveError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new TileArchiveError(`one of its tiles cannot be unpacked (${reason})`);
}
