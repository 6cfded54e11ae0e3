/** The layers of a requested map, as they are to be drawn: groups in their parts, each layer with its style and filter. */
import type { ResolvedFilter } from '../../data/filter/resolved-filter.ts';
import { problem } from '../../lib/problem.ts';
import { chooseMapStyle, referredStyle } from '../door/map-styles.ts';
import type { OpenedType } from '../door/open-type.ts';
import { layersOf, type MapLayer, type PublishedMap, type StyledLayer } from '../door/published-map.ts';
import type { LayerToDraw } from '../maps/open-layers.ts';
import { type ReadyStyle, readyStyle } from '../maps/style-models.ts';
import { resolvedSelection } from '../ows/resolve-selection.ts';
import type { SortKey } from '../ows/selection.ts';
import { propertyNamed } from '../wfs/property-names.ts';
import { findMap, type WmsContext } from './context.ts';
import type { RequestedLayer, RequestedMap } from './request.ts';

/** What a client names, with what is drawn for it. */
export interface NamedMap {
  /** As written. */
  readonly name: string;
  readonly map: PublishedMap;
  readonly layers: readonly LayerToDraw[];
}

/** In the order of the request. */
export async function mapLayers(context: WmsContext, requested: RequestedMap): Promise<readonly NamedMap[]> {
  // Whether all of them may be seen comes before anything else about any of them.
  const found: { readonly asked: RequestedLayer; readonly map: PublishedMap }[] = [];
  for (const asked of requested.layers) found.push({ asked, map: await findMap(context, asked.name, 'read') });
  const named: NamedMap[] = [];
  for (const { asked, map } of found) {
    const layers: LayerToDraw[] = [];
    for (const styled of styledLayers(map, asked.style)) {
      const style = await styleOf(context, styled, map.kind === 'layer' ? asked.style : undefined);
      layers.push(layerToDraw(styled.layer, style, asked, requested));
    }
    named.push({ name: asked.name, map, layers });
  }
  return named;
}

/** A group is drawn in one of its own styles or in that of its parts. */
function styledLayers(map: PublishedMap, style: string | undefined): readonly StyledLayer[] {
  if (map.kind === 'layer' || style === undefined) return layersOf(map, null);
  const isDefault = style === '' || style === map.name || style === `default-style-${map.qualifiedName}`;
  if (!isDefault && !map.styles.some(({ name }) => name === style)) {
    throw problem('wms-style-unknown', { style, layer: map.name, field: 'styles' });
  }
  return layersOf(map, style);
}

async function styleOf(
  { services }: WmsContext,
  { layer, style }: StyledLayer,
  asked: string | undefined,
): Promise<ReadyStyle> {
  const chosen =
    asked === undefined
      ? await referredStyle(services.catalog, layer, style)
      : await chooseMapStyle(services.catalog, layer, asked);
  if (chosen === undefined) {
    throw problem('wms-layer-not-drawable', { name: layer.qualifiedName, reason: 'it has no style', field: 'layers' });
  }
  return readyStyle(services, chosen, layer);
}

function layerToDraw(
  layer: MapLayer,
  style: ReadyStyle,
  { selection, sortBy }: RequestedLayer,
  { maxFeatures }: RequestedMap,
): LayerToDraw {
  return {
    layer,
    style,
    narrow: (opened): Promise<ResolvedFilter | undefined> =>
      // Geometries that name no system are in that of the layer, x before y, whatever the version.
      resolvedSelection(selection, opened.description, unnamedIn(opened)),
    ...(sortBy.length === 0 ? {} : { sort: (opened: OpenedType) => sortKeys(opened, sortBy) }),
    ...(maxFeatures === undefined ? {} : { limit: maxFeatures }),
  };
}

function unnamedIn({ published }: OpenedType): { readonly srsName?: string } {
  const { code } = published.crs;
  return code === undefined ? {} : { srsName: code };
}

function sortKeys({ published }: OpenedType, sortBy: readonly SortKey[]) {
  return sortBy.map(({ property, descending }) => ({
    attribute: propertyNamed(published, property, 'sortBy').name,
    isDescending: descending,
  }));
}
