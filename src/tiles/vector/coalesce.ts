/** Merges the features of a tile that have the same attributes and the same type of geometry. */
import { listTileValues, type TileFeature, type TileLayer } from './layer-writer.ts';
import type { Line, TileGeometry } from './tile-geometry.ts';

/** A merged feature is at the position of its first part, and has no id. */
export function coalesceFeatures(
  layer: Pick<TileLayer, 'attributes' | 'properties'>,
  features: readonly TileFeature[],
): readonly TileFeature[] {
  const groups = new Map<string, TileFeature[]>();
  for (const feature of features) {
    const key = JSON.stringify([feature.placed.type, ...listTileValues(layer, feature.values)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [feature]);
    else group.push(feature);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    return first === undefined || others.length === 0 ? group : { ...first, id: '', placed: mergeGeometries(group) };
  });
}

function mergeGeometries(group: readonly TileFeature[]): TileGeometry {
  const type = group[0]?.placed.type ?? 'point';
  const parts = group.flatMap(({ placed }): readonly Line[] => placed.parts);
  // All points of a feature are one part.
  return type === 'point' ? { type, parts: [parts.flat()] } : { type, parts };
}
