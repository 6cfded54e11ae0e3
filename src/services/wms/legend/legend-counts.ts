/** Counts the features that each rule of a legend draws on a map, for principals with read access only. */
import type { RuleCounts } from '../../../rendering/query/rule-counts.ts';
import type { StyledLayerDescriptor } from '../../../styling/model/model.ts';
import type { MapLayer } from '../../access/published-map.ts';
import { countPublished } from '../../maps/draw-published.ts';
import type { WmsContext } from '../context/context.ts';
import { resolveMapFrame } from '../map/map-frame.ts';
import { resolveMapLayers } from '../map/map-layers.ts';
import { createMapToDraw } from '../map/map-to-draw.ts';
import { mapParameters } from '../request/parameters.ts';
import type { GetLegendGraphicRequest } from '../request/request.ts';

/** Returns undefined if the request describes no map (`bbox`, `srs` or `crs`, `srcwidth` and `srcheight`). */
export async function countRuleFeatures(
  context: WmsContext,
  { map, version }: GetLegendGraphicRequest,
  layer: MapLayer,
  document: StyledLayerDescriptor,
): Promise<RuleCounts | undefined> {
  if (map === undefined) return undefined;
  const { services, settings, signal } = context;
  const named = await resolveMapLayers(context, map);
  const maps = named.map((each) => each.map);
  // Legend versions are independent of the service version: the name of the parameter determines the axis order.
  const isOlder = mapParameters.crs.aliases.some((name) => context.parameters.has(name));
  const frame = await resolveMapFrame(isOlder ? '1.1.1' : version, map, maps, settings);
  const drawn = createMapToDraw(context, map, named, frame);
  // Counts all styles of the document, because a legend shows all of them.
  const models = document.layers.flatMap(({ styles }) => styles).filter((each) => each.kind === 'userStyle');
  const layers = drawn.layers
    .filter((each) => each.layer.qualifiedName === layer.qualifiedName)
    .flatMap((each) => models.map((model) => ({ ...each, style: { ...each.style, model } })));
  return countPublished(services, { ...drawn, layers }, signal);
}
