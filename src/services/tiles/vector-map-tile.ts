/** Creates the vector tiles of a tile matrix set from the features of layers. */
import { computeTileBounds, type TileAddress, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import type { StyledLayer } from '../access/published-map.ts';
import { hasFeatureTiles } from '../maps/drawable-layers.ts';
import { createDefaultDimensionSettings, type LayerOptions, resolveLayerFilter } from '../maps/layer-options.ts';
import type { MapServices } from '../maps/map-services.ts';
import { loadTileStyle } from '../maps/tile-style.ts';
import { encodeVectorTile, type TileFeatures, type VectorTile } from '../maps/vector-tile.ts';

export interface RequestedVectorTile {
  readonly layers: readonly StyledLayer[];
  readonly wishes: LayerOptions;
  readonly set: TileMatrixSet;
  readonly address: TileAddress;
  readonly now: Date;
}

/** Writes each layer under its name. The options of the style apply; the request can select other attributes. */
export async function createVectorTile(
  services: MapServices,
  { layers, wishes, set, address, now }: RequestedVectorTile,
  signal: AbortSignal,
): Promise<VectorTile> {
  const { viewParameters, maxFeatures, properties } = wishes;
  const drawn = await Promise.all(
    layers.map(async (styled): Promise<readonly TileFeatures[]> => {
      const { layer } = styled;
      if (layer.type === undefined || !hasFeatureTiles(layer)) return [];
      return [
        {
          type: layer.type,
          viewParameters,
          maxFeatures,
          properties,
          tileStyle: await loadTileStyle(services, styled),
          narrow: (opened) => resolveLayerFilter(opened, wishes, createDefaultDimensionSettings(now)),
        },
      ];
    }),
  );
  return encodeVectorTile(
    services,
    drawn.flat(),
    { crs: set.crs, bounds: computeTileBounds(set, address), now },
    signal,
  );
}
