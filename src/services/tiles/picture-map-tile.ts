/** Draws tiles that are pictures: a block of them at once, so that labels neither repeat nor break where tiles meet. */
import { TILE_PIXELS, type TileBytes, type TileMatrixSet } from '../../data/tiles/tile-matrix-set.ts';
import type { PictureFormat } from '../../rendering/encode-picture.ts';
import type { Pixels } from '../../rendering/map-request.ts';
import type { StyledLayer } from '../door/published-map.ts';
import { drawPublished } from '../maps/draw-published.ts';
import { usualTerms } from '../maps/layer-wishes.ts';
import type { MapServices } from '../maps/map-services.ts';
import { layersToDraw } from './layers-to-draw.ts';
import { addressesIn, boundsOfBlock, type TileBlock } from './tile-block.ts';
import type { TileWishes } from './tile-wishes.ts';

const BYTES_PER_PIXEL = 4;

export interface WantedTiles {
  readonly layers: readonly StyledLayer[];
  readonly wishes: TileWishes;
  readonly now: Date;
}

/** The tiles of a block, row by row. */
export async function pictureTiles(
  services: MapServices,
  { layers, wishes, now }: WantedTiles,
  set: TileMatrixSet,
  block: TileBlock,
  format: PictureFormat,
  signal: AbortSignal,
): Promise<readonly TileBytes[]> {
  const pixels = await drawPublished(
    services,
    {
      ...wishes.look,
      layers: await layersToDraw(services, layers, wishes.layer, usualTerms(now)),
      system: set.crs,
      box: boundsOfBlock(set, block),
      width: block.columns * TILE_PIXELS,
      height: block.rows * TILE_PIXELS,
      isTransparent: format !== 'jpeg' && (wishes.look.isTransparent ?? true),
    },
    signal,
  );
  const { encodePicture } = await import('../../rendering/encode-picture.ts');
  let blank: Promise<Buffer> | undefined;
  const encoded = (tile: Pixels): Promise<Buffer> => {
    if (!isBlank(tile)) return encodePicture(tile, format);
    blank ??= encodePicture(tile, format);
    return blank;
  };
  return Promise.all(
    addressesIn(block).map(async (address) => ({
      address,
      bytes: await encoded(
        cutOut(pixels, (address.column - block.column) * TILE_PIXELS, (address.row - block.row) * TILE_PIXELS),
      ),
    })),
  );
}

/** The tile that begins at a pixel. */
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

/** Whether nothing is to be seen in it: such tiles are all the same. */
function isBlank({ bytes }: Pixels): boolean {
  for (let at = 3; at < bytes.length; at += BYTES_PER_PIXEL) if (bytes[at] !== 0) return false;
  return true;
}
