/** Encodes vector tiles of one layer, with the points of its labels as another layer if required; all features are read before the first byte is sent. */
import type { Geometry } from '../../geometry/geometry.ts';
import { findLabelPoint } from '../../tiles/vector/label-point.ts';
import { VectorTileLayer } from '../../tiles/vector/vector-tile.ts';
import type { Feature } from '../../vector/port/port.ts';
import type { FeatureCollection, FeatureEncoder } from '../port/port.ts';

export const vectorTile: FeatureEncoder = { encode };

async function* encode({ sets, options }: FeatureCollection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const [set] = sets;
  if (set === undefined || options.tile === undefined)
    throw new Error('A vector tile requires a feature set and a frame.');
  const { labels, ...frame } = options.tile;
  const { attributes, defaultGeometry: geometry = '' } = set.description;
  const labelBytes = labels === undefined ? 0 : Math.floor(frame.maxBytes * LABEL_SHARE);
  const name = set.typeName.local;
  const layer = new VectorTileLayer({ ...frame, name, attributes, geometry, maxBytes: frame.maxBytes - labelBytes });
  const labelLayer =
    labels &&
    new VectorTileLayer({
      ...{ ...frame, ...labels, attributes, geometry },
      name: `${name}-labels`,
      maxBytes: labelBytes,
      coalesces: false,
      isKeyless: true,
    });
  const geometryIndex = attributes.findIndex((each) => each.name === geometry);
  for await (const batch of set.batches) {
    signal.throwIfAborted();
    for (const feature of batch) {
      layer.add(feature);
      labelLayer?.add(replaceByLabelPoint(feature, geometryIndex));
    }
  }
  yield layer.finish();
  if (labelLayer !== undefined) yield labelLayer.finish();
}

/** The part of a tile that label points can use. */
const LABEL_SHARE = 0.25;

function replaceByLabelPoint(feature: Feature, index: number): Feature {
  const geometry = feature.values[index] as Geometry | null | undefined;
  return { ...feature, values: feature.values.with(index, (geometry && findLabelPoint(geometry)) ?? null) };
}
