/** Creates maps with the decorations of their layout and the watermark, for images, animations and documents. */
import type { MapToDraw } from '../../maps/draw-published.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import type { WmsContext } from '../context/context.ts';
import type { MapFrame } from '../map/map-frame.ts';
import type { NamedMap } from '../map/map-layers.ts';
import { createMapToDraw } from '../map/map-to-draw.ts';
import { mapFormatOptions } from '../request/parameters.ts';
import type { RequestedMap } from '../request/request.ts';

/** Reads the modules of decorations only for maps that have some. */
export async function createDecoratedMap(
  context: WmsContext,
  map: RequestedMap,
  named: readonly NamedMap[],
  frame: MapFrame,
): Promise<MapToDraw> {
  const drawn = createMapToDraw(context, map, named, frame);
  const { layout } = mapFormatOptions.parameters;
  const isPlain = readParameter(map.formatOptions, layout) === undefined && !context.settings.watermark.isEnabled;
  if (isPlain) return drawn;
  const { decorateMap } = await import('./resolve-decorations.ts');
  return decorateMap(context, { requested: map, named, drawn });
}
