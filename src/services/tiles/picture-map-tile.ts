/** Draws image tiles in blocks, so that labels are neither repeated nor cut at tile edges. */

import type { Bounds } from '../../crs/bounds.ts';
import type { PictureFormat } from '../../rendering/output/encode-picture.ts';
import type { Pixels } from '../../rendering/request/map-request.ts';
import { getMatrix, type TileBytes, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import type { StyledLayer } from '../access/published-map.ts';
import { drawPublished } from '../maps/draw-published.ts';
import { createDefaultDimensionSettings } from '../maps/layer-options.ts';
import type { MapServices } from '../maps/map-services.ts';
import { createLayersToDraw } from './layers-to-draw.ts';
import { computeBlockBounds, listAdjacentSides, listTileAddresses, type TileBlock } from './tile-block.ts';
import { getTileFrame, type TileOptions } from './tile-options.ts';

const BYTES_PER_PIXEL = 4;

export interface RequestedTiles {
  readonly layers: readonly StyledLayer[];
  readonly wishes: TileOptions;
  readonly set: TileMatrixSet;
  readonly block: TileBlock;
  /** Pixels around the block that are drawn and cut off. */
  readonly gutter: number;
  readonly format: PictureFormat;
  readonly now: Date;
}

/** Returns the tiles of a block row by row. */
export async function drawPictureTiles(
  services: MapServices,
  { layers, wishes, set, block, gutter, format, now }: RequestedTiles,
  signal: AbortSignal,
): Promise<readonly TileBytes[]> {
  const { width, height, dpi } = getTileFrame(getMatrix(set, block.level), wishes);
  const margin = gutter * wishes.pixelRatio;
  const pixels = await drawPublished(
    services,
    {
      ...wishes.look,
      dpi,
      layers: await createLayersToDraw(services, layers, wishes.layer, createDefaultDimensionSettings(now)),
      system: set.crs,
      box: widenBounds(computeBlockBounds(set, block), gutter * getMatrix(set, block.level).cellSize),
      adjacentTiles: listAdjacentSides(set, block),
      width: block.columns * width + 2 * margin,
      height: block.rows * height + 2 * margin,
      isTransparent: format !== 'jpeg' && (wishes.look.isTransparent ?? true),
    },
    signal,
  );
  const { encodePicture } = await import('../../rendering/output/encode-picture.ts');
  let blank: Promise<Buffer> | undefined;
  const encodeTile = (tile: Pixels): Promise<Buffer> => {
    if (!isBlank(tile)) return encodePicture(tile, format);
    blank ??= encodePicture(tile, format);
    return blank;
  };
  return Promise.all(
    listTileAddresses(block).map(async (address) => ({
      address,
      bytes: await encodeTile(
        cutOut(
          pixels,
          { width, height },
          (address.column - block.column) * width + margin,
          (address.row - block.row) * height + margin,
        ),
      ),
    })),
  );
}

function widenBounds({ minX, minY, maxX, maxY }: Bounds, by: number): Bounds {
  return { minX: minX - by, minY: minY - by, maxX: maxX + by, maxY: maxY + by };
}

/** Copies the tile that begins at a pixel. */
function cutOut(from: Pixels, size: Pick<Pixels, 'width' | 'height'>, left: number, top: number): Pixels {
  if (from.width === size.width && from.height === size.height) return { ...size, bytes: from.bytes };
  const tile = new Uint8Array(size.width * size.height * BYTES_PER_PIXEL);
  const line = size.width * BYTES_PER_PIXEL;
  for (let y = 0; y < size.height; y += 1) {
    const start = ((top + y) * from.width + left) * BYTES_PER_PIXEL;
    tile.set(from.bytes.subarray(start, start + line), y * line);
  }
  return { ...size, bytes: tile };
}

/** Returns whether a tile is fully transparent; such tiles share their bytes. */
function isBlank({ bytes }: Pixels): boolean {
  for (let at = 3; at < bytes.length; at += BYTES_PER_PIXEL) if (bytes[at] !== 0) return false;
  return true;
}
