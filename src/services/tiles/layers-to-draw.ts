/** Creates the layers of tiles and maps for drawing, with their styles and options. */

import { isCascaded } from '../../catalog/kinds/cascaded-layer.ts';
import { problem } from '../../lib/problems/problem.ts';
import { findLayerStyle } from '../access/map-styles.ts';
import { toRemoteDimensions } from '../access/open-cascade.ts';
import type { StyledLayer } from '../access/published-map.ts';
import { createLayerToDraw, type DimensionSettings, type LayerOptions } from '../maps/layer-options.ts';
import type { MapServices } from '../maps/map-services.ts';
import type { LayerToDraw } from '../maps/open-layers.ts';
import { loadReadyStyle } from '../maps/style-models.ts';

export async function createLayersToDraw(
  services: MapServices,
  layers: readonly StyledLayer[],
  wishes: LayerOptions,
  terms: DimensionSettings,
): Promise<readonly LayerToDraw[]> {
  return Promise.all(
    layers.map(async ({ layer, style: reference }) => {
      const style = await findLayerStyle(services.catalog, layer, reference);
      if (style === undefined) {
        throw problem('wms-layer-not-drawable', { name: layer.qualifiedName, reason: 'it has no style' });
      }
      const layerToDraw = createLayerToDraw(
        { layer, style: await loadReadyStyle(services, style, layer) },
        wishes,
        terms,
      );
      if (!isCascaded(layer.resource)) return layerToDraw;
      return { ...layerToDraw, cascade: { dimensions: toRemoteDimensions(wishes.dimensions) } };
    }),
  );
}
