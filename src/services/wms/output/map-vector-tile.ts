/** Encodes the features of a map as a Mapbox vector tile of the requested box. */
import { problem } from '../../../lib/problems/problem.ts';
import type { MapToDraw } from '../../maps/draw-published.ts';
import { hasFeatureTiles } from '../../maps/drawable-layers.ts';
import { encodeVectorTile, type TileFeatures } from '../../maps/vector-tile.ts';
import type { WmsContext } from '../context/context.ts';

/** Styles are applied by the client; filters, dimensions and limits of the request apply here. */
export function createMapVectorTile(
  { services, now, signal }: WmsContext,
  { layers, system, box }: MapToDraw,
): Promise<Uint8Array> {
  const drawn = layers.map(({ layer, viewParameters, narrow, limit, properties }): TileFeatures => {
    if (layer.type === undefined || !hasFeatureTiles(layer)) {
      const reason = 'it has no features for vector tiles';
      throw problem('wms-layer-not-drawable', { name: layer.qualifiedName, reason, field: 'layers' });
    }
    return { type: layer.type, viewParameters, narrow, maxFeatures: limit, properties };
  });
  return encodeVectorTile(services, drawn, { crs: system, bounds: box, now: now() }, signal);
}
