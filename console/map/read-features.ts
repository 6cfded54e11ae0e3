/** GetFeatureInfo in a small map around a place, for each layer of the map. */
import { callService, withQuery } from '../rest/client.ts';
import type { LayerSpec } from './picture-layer.ts';

export interface FoundFeature {
  readonly layer: string;
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface ReadPlace {
  readonly coordinate: readonly number[];
  readonly resolution: number;
  readonly projection: string;
  readonly viewAs: string | undefined;
}

/** Half the side of the picture in which features are read. */
const READ_RADIUS = 50;

const MAX_FEATURES = 20;

/** The features of the uppermost layer first. Fails only if no layer can be read: some remote layers have no features. */
export async function readFeaturesAt(place: ReadPlace, layers: readonly LayerSpec[]): Promise<readonly FoundFeature[]> {
  const visible = layers.filter(({ isVisible }) => isVisible).toReversed();
  const results = await Promise.allSettled(visible.map((layer) => readLayerAt(place, layer)));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw failed.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

async function readLayerAt(
  { coordinate: [x = 0, y = 0], resolution, projection, viewAs }: ReadPlace,
  { name, filter, time }: LayerSpec,
): Promise<readonly FoundFeature[]> {
  const half = resolution * (READ_RADIUS + 0.5);
  const size = READ_RADIUS * 2 + 1;
  const query = {
    ...{ service: 'WMS', version: '1.1.1', request: 'GetFeatureInfo', layers: name, query_layers: name, styles: '' },
    ...{ srs: projection, bbox: [x - half, y - half, x + half, y + half].join(), width: size, height: size },
    ...{ x: READ_RADIUS, y: READ_RADIUS, info_format: 'application/json', feature_count: MAX_FEATURES },
    cql_filter: filter === '' ? undefined : filter,
    time: time === '' ? undefined : time,
  };
  const reply = await callService(withQuery('wms', query), { viewAs });
  const { features } = (await reply.json()) as {
    readonly features: readonly { readonly id?: string; readonly properties: FoundFeature['properties'] | null }[];
  };
  return features.map(({ id, properties }) => ({ layer: name, id: id ?? '', properties: properties ?? {} }));
}
