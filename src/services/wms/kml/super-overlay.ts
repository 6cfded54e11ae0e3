/** Super-overlays: a pyramid of tiles, each a KML document with links to its four parts. */
import { type Bounds, intersectBounds } from '../../../crs/bounds.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import type { WmsContext } from '../context/context.ts';
import { type Region, writeNetworkLink } from './kml-elements.ts';
import { createKmlAddress, type MapEntry } from './map-addresses.ts';

const world: Bounds = { minX: -180, minY: -90, maxX: 180, maxY: 90 };

/** The proportions of the world, so that all tiles of the pyramid have square pixels. */
const TILE_WIDTH = 512;
const TILE_HEIGHT = 256;

/** A tile is loaded once it covers this many pixels, so that no image is enlarged on the screen. */
const MIN_TILE_PIXELS = 128;

/** The width of the smallest tile in degrees: its pixels are some centimetres wide. */
const MIN_TILE_DEGREES = 0.0002;

export function createTileRegion(box: Bounds, maxPixels = -1): Region {
  return { box, minPixels: MIN_TILE_PIXELS, maxPixels };
}

/** Images of tiles that placemarks replace disappear when their parts are well visible. */
export const MAX_REPLACED_PIXELS = 4 * MIN_TILE_PIXELS;

/** Returns the number of halvings of the world. */
export function computeTileLevel({ minX, maxX }: Bounds): number {
  return Math.max(0, Math.round(Math.log2((world.maxX - world.minX) / (maxX - minX))));
}

/** Writes the link to the smallest tile of the pyramid that contains the whole map. */
export function writeSuperOverlayLink(context: WmsContext, entry: MapEntry): string {
  const { map } = entry.named;
  const box = findSmallestTile(map.latLonBounds ?? world);
  return writeTileLink(context, entry, box, { lookAt: map.latLonBounds ?? undefined });
}

/** Writes the links to the parts of a tile that the map covers. `mode` overrides the requested one. */
export function writePartLinks(
  context: WmsContext,
  entry: MapEntry,
  tile: Bounds,
  mode?: 'raster' | undefined,
): readonly string[] {
  if (tile.maxX - tile.minX < 2 * MIN_TILE_DEGREES) return [];
  return listParts(tile)
    .filter((part) => coversPart(entry.named.map, part))
    .map((part) => writeTileLink(context, entry, part, { mode }));
}

/** Extents beyond the antimeridian continue on the other side of the world. */
function coversPart({ latLonBounds }: PublishedMap, part: Bounds): boolean {
  if (latLonBounds === null) return true;
  const { minX, maxX } = latLonBounds;
  return [-360, 0, 360].some(
    (shift) => intersectBounds({ ...latLonBounds, minX: minX + shift, maxX: maxX + shift }, part) !== undefined,
  );
}

function writeTileLink(
  context: WmsContext,
  entry: MapEntry,
  box: Bounds,
  { lookAt, mode }: { readonly lookAt?: Bounds | undefined; readonly mode?: 'raster' | undefined },
): string {
  const href = createKmlAddress(
    context,
    entry,
    { box, width: TILE_WIDTH, height: TILE_HEIGHT },
    { superoverlay: 'true', ...(mode === undefined ? {} : { superoverlay_mode: mode }) },
  );
  return writeNetworkLink({ title: entry.named.map.title, href, region: createTileRegion(box), lookAt });
}

function findSmallestTile(bounds: Bounds): Bounds {
  let tile = world;
  while (tile.maxX - tile.minX >= 2 * MIN_TILE_DEGREES) {
    const part = listParts(tile).find((each) => containsBounds(each, bounds));
    if (part === undefined) return tile;
    tile = part;
  }
  return tile;
}

function listParts({ minX, minY, maxX, maxY }: Bounds): readonly Bounds[] {
  const [middleX, middleY] = [(minX + maxX) / 2, (minY + maxY) / 2];
  return [
    { minX, minY: middleY, maxX: middleX, maxY },
    { minX: middleX, minY: middleY, maxX, maxY },
    { minX, minY, maxX: middleX, maxY: middleY },
    { minX: middleX, minY, maxX, maxY: middleY },
  ];
}

function containsBounds(outer: Bounds, inner: Bounds): boolean {
  return outer.minX <= inner.minX && outer.minY <= inner.minY && outer.maxX >= inner.maxX && outer.maxY >= inner.maxY;
}
