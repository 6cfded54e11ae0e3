/** Encodes vector tiles of one layer; all features are read before the first byte is sent. */
import { VectorTileLayer } from '../../tiles/vector/vector-tile.ts';
import type { FeatureCollection, FeatureEncoder } from '../port/port.ts';

export const vectorTile: FeatureEncoder = { encode };

async function* encode({ sets, options }: FeatureCollection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const [set] = sets;
  if (set === undefined || options.tile === undefined)
    throw new Error('A vector tile requires a feature set and a frame.');
  const layer = new VectorTileLayer({
    ...options.tile,
    name: set.typeName.local,
    attributes: set.description.attributes,
    geometry: set.description.defaultGeometry ?? '',
  });
  for await (const batch of set.batches) {
    signal.throwIfAborted();
    for (const feature of batch) layer.add(feature);
  }
  yield layer.finish();
}
