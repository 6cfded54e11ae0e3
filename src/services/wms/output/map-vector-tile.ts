/** Encodes the features of a map as a Mapbox vector tile of the requested box. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { MapToDraw } from '../../maps/draw-published.ts';
import { hasFeatureTiles } from '../../maps/drawable-layers.ts';
import { INCOMPLETE_TILE_WARNING, incompleteTileHeaders } from '../../maps/incomplete-tile.ts';
import { readTileStyle } from '../../maps/tile-style.ts';
import { encodeVectorTile, type TileFeatures } from '../../maps/vector-tile.ts';
import type { WmsContext } from '../context/context.ts';

/** Styles are applied by the client, except options such as `vt-attributes`; filters, dimensions and limits of the request apply here. */
export async function createMapVectorTile(
  { services, now, signal, warn }: WmsContext,
  { layers, system, box }: MapToDraw,
): Promise<Pick<ServiceReply, 'body' | 'headers'>> {
  const drawn = layers.map(({ layer, style, viewParameters, narrow, limit, properties }): TileFeatures => {
    if (layer.type === undefined || !hasFeatureTiles(layer)) {
      const reason = 'it has no features for vector tiles';
      throw problem('wms-layer-not-drawable', { name: layer.qualifiedName, reason, field: 'layers' });
    }
    const tileStyle = readTileStyle(style.model);
    return { type: layer.type, viewParameters, narrow, maxFeatures: limit, properties, tileStyle };
  });
  const frame = { crs: system, bounds: box, now: now() };
  const { bytes, isIncomplete } = await encodeVectorTile(services, drawn, frame, signal);
  if (!isIncomplete) return { body: bytes };
  warn(INCOMPLETE_TILE_WARNING);
  return { body: bytes, headers: incompleteTileHeaders };
}
