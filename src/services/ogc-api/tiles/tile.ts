/** Makes one vector tile out of the features of a collection. */
import { buffered } from '../../../data/tiles/tile-geometry.ts';
import { boundsOfTile, type TileAddress, type TileMatrixSet } from '../../../data/tiles/tile-matrix-set.ts';
import { VectorTileLayer } from '../../../data/tiles/vector-tile.ts';
import { queryFeatures } from '../../../data/vector/query/query-features.ts';
import { createReprojection } from '../../../data/vector/query/reprojection.ts';
import { type OpenedType, openType } from '../../door/open-type.ts';
import type { PublishedType } from '../../door/published-type.ts';
import type { TilesCall } from './visit.ts';

/** More would be megabytes that no client can draw: a tile of low zoom shows the first of its features. */
const MOST_FEATURES = 50_000;

/** No bytes where nothing is. */
export async function vectorTile(
  call: TilesCall,
  type: PublishedType,
  set: TileMatrixSet,
  address: TileAddress,
): Promise<Uint8Array> {
  const opened = await openType(call.services.vectorData, type, call.signal());
  try {
    return await drawn(opened, set, address);
  } finally {
    opened.release();
  }
}

async function drawn(opened: OpenedType, set: TileMatrixSet, address: TileAddress): Promise<Uint8Array> {
  const { published, description, signal } = opened;
  const bounds = boundsOfTile(set, address);
  const isPlaced = Object.keys(published.keptCrs).length > 0;
  const toData = isPlaced ? await createReprojection(set.crs, published.keptCrs) : undefined;
  const around = buffered(bounds);
  const box = toData === undefined ? around : toData.bounds(around);
  if (box === undefined) {
    return new Uint8Array(0);
  }
  const limit = published.maxFeatures === 0 ? MOST_FEATURES : Math.min(MOST_FEATURES, published.maxFeatures);
  const answer = await queryFeatures(opened, { box, limit, ...(isPlaced ? { crs: set.crs } : {}) }, signal);
  const geometry = description.defaultGeometry ?? '';
  const layer = new VectorTileLayer(published.name, bounds, answer.description.attributes, geometry);
  for await (const batch of opened.inTime(answer.batches)) {
    for (const feature of batch) {
      layer.add(feature);
    }
  }
  return layer.finish();
}
