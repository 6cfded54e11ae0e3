/** Draws image tiles in blocks, so that labels are neither repeated nor cut at tile edges. */

import type { PictureFormat } from '../../rendering/output/encode-picture.ts';
import type { Pixels } from '../../rendering/request/map-request.ts';
import { TILE_PIXELS, type TileBytes, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import type { StyledLayer } from '../access/published-map.ts';
import { drawPublished } from '../maps/draw-published.ts';
import { createDefaultDimensionSettings } from '../maps/layer-options.ts';
import type { MapServices } from '../maps/map-services.ts';
import { createLayersToDraw } from './layers-to-draw.ts';
import { computeBlockBounds, listTileAddresses, type TileBlock } from './tile-block.ts';
import type { TileOptions } from './tile-options.ts';

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
  const pixels = await drawPublished(
    services,
    {
      ...wishes.look,
      layers: await createLayersToDraw(services, layers, wishes.layer, createDefaultDimensionSettings(now)),
      system: set.crs,
      box: computeBlockBounds(set, block),
      width: block.columns * TILE_PIXELS,
      height: block.rows * TILE_PIXELS,
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
        cutOut(pixels, (address.column - block.column) * TILE_PIXELS, (address.row - block.row) * TILE_PIXELS),
      ),
    })),
  );
}

/** Copies the tile that begins at a pixel. */
function cutOut({ width, height, bytes }: Pixels, left: number, top: number): Pixels {
  if (width === TILE_PIXELS && height === TILE_PIXELS) return { width, height, bytes };
  const tile = new Uint8Array(TILE_PIXELS * TILE_PIXELS * BYTES_PER_PIXEL);
  const line = TILE_PIXELS * BYTES_PER_PIXEL;
  for (let y = 0; y < TILE_PIXELS; y += 1) {
    const start = ((top + y) * width + left) * BYTES_PER_PIXEL;
    tile.set(bytes.subarray(start, start + line), y * line);
  }
  return { width: TILE_PIXELS, height: TILE_PIXELS, bytes: tile };
}

/** Returns whether a tile is fully transparent; such tiles share their bytes. */
function isBlank({ bytes }: Pixels): boolean {
  for (let at = 3; at < bytes.length; at += BYTES_PER_PIXEL) if (bytes[at] !== 0) return false;
  return true;
}
