/** The layers of tiles and of whole maps as they are drawn: each with its style, and what of it is wanted. */
import { problem } from '../../lib/problem.ts';
import { referredStyle } from '../door/map-styles.ts';
import { isCascaded, remoteDimensions } from '../door/open-cascade.ts';
import type { StyledLayer } from '../door/published-map.ts';
import { type DimensionTerms, type LayerWishes, wishedLayer } from '../maps/layer-wishes.ts';
import type { MapServices } from '../maps/map-services.ts';
import type { LayerToDraw } from '../maps/open-layers.ts';
import { readyStyle } from '../maps/style-models.ts';

export async function layersToDraw(
  services: MapServices,
  layers: readonly StyledLayer[],
  wishes: LayerWishes,
  terms: DimensionTerms,
): Promise<readonly LayerToDraw[]> {
  return Promise.all(
    layers.map(async ({ layer, style: reference }) => {
      const style = await referredStyle(services.catalog, layer, reference);
      if (style === undefined) {
        throw problem('wms-layer-not-drawable', { name: layer.qualifiedName, reason: 'it has no style' });
      }
      const wished = wishedLayer(layer, await readyStyle(services, style, layer), wishes, terms);
      if (!isCascaded(layer.resource)) return wished;
      return { ...wished, cascade: { dimensions: remoteDimensions(wishes.dimensions) } };
    }),
  );
}
