/** Creates the vector tiles of a tile matrix set from the features of layers. */
import { computeTileBounds, type TileAddress, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import type { StyledLayer } from '../access/published-map.ts';
import { hasFeatureTiles } from '../maps/drawable-layers.ts';
import { createDefaultDimensionSettings, type LayerOptions, resolveLayerFilter } from '../maps/layer-options.ts';
import { encodeVectorTile, type TileFeatures, type VectorTile, type VectorTileServices } from '../maps/vector-tile.ts';

export interface RequestedVectorTile {
  readonly layers: readonly StyledLayer[];
  readonly wishes: LayerOptions;
  readonly set: TileMatrixSet;
  readonly address: TileAddress;
  readonly now: Date;
}

/** Writes each layer under its name. */
export function createVectorTile(
  services: VectorTileServices,
  { layers, wishes, set, address, now }: RequestedVectorTile,
  signal: AbortSignal,
): Promise<VectorTile> {
  const { viewParameters, maxFeatures, properties } = wishes;
  const drawn = layers.flatMap(({ layer }): readonly TileFeatures[] =>
    layer.type === undefined || !hasFeatureTiles(layer)
      ? []
      : [
          {
            type: layer.type,
            viewParameters,
            maxFeatures,
            properties,
            narrow: (opened) => resolveLayerFilter(opened, wishes, createDefaultDimensionSettings(now)),
          },
        ],
  );
  return encodeVectorTile(services, drawn, { crs: set.crs, bounds: computeTileBounds(set, address), now }, signal);
}
