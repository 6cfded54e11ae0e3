/** Draws image tiles in blocks, so that labels are neither repeated nor cut at tile edges. */

import type { PictureFormat } from '../../rendering/output/encode-picture.ts';
import type { Pixels } from '../../rendering/request/map-request.ts';
import type { TileBytes, TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
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
  readonly format: PictureFormat;
  readonly now: Date;
}

/** Returns the tiles of a block row by row. */
export async function drawPictureTiles(
  services: MapServices,
  { layers, wishes, set, block, format, now }: RequestedTiles,
  signal: AbortSignal,
): Promise<readonly TileBytes[]> {
  const { side, dpi } = getTileFrame(wishes);
  const pixels = await drawPublished(
    services,
    {
      ...wishes.look,
      dpi,
      layers: await createLayersToDraw(services, layers, wishes.layer, createDefaultDimensionSettings(now)),
      system: set.crs,
      box: computeBlockBounds(set, block),
      adjacentTiles: listAdjacentSides(set, block),
      width: block.columns * side,
      height: block.rows * side,
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
        cutOut(pixels, side, (address.column - block.column) * side, (address.row - block.row) * side),
      ),
    })),
  );
}

/** Copies the tile that begins at a pixel. */
function cutOut({ width, height, bytes }: Pixels, side: number, left: number, top: number): Pixels {
  if (width === side && height === side) return { width, height, bytes };
  const tile = new Uint8Array(side * side * BYTES_PER_PIXEL);
  const line = side * BYTES_PER_PIXEL;
  for (let y = 0; y < side; y += 1) {
    const start = ((top + y) * width + left) * BYTES_PER_PIXEL;
    tile.set(bytes.subarray(start, start + line), y * line);
  }
  return { width: side, height: side, bytes: tile };
}

/** Returns whether a tile is fully transparent; such tiles share their bytes. */
function isBlank({ bytes }: Pixels): boolean {
  for (let at = 3; at < bytes.length; at += BYTES_PER_PIXEL) if (bytes[at] !== 0) return false;
  return true;
}
