/** Draws the legends of the layers of a map. */
import { Problem } from '../../../lib/problems/problem.ts';
import { STANDARD_DPI } from '../../../rendering/shapes/frame.ts';
import { toOptionalProperty } from '../../ows/parameters.ts';
import { formatMapName, type WmsContext } from '../context/context.ts';
import { getLegendGraphic } from '../legend/get-legend-graphic.ts';
import type { NamedMap } from '../map/map-layers.ts';
import type { GetLegendGraphicRequest, RequestedMap } from '../request/request.ts';

/** A legend of more layers does not fit on a map. */
const MAX_LEGENDS = 20;
const SAMPLE_PIXELS = 20;

export interface LegendResolution {
  /** The scale denominator of the map. */
  readonly scale: number;
  /** The number of pixels per pixel of 0.28 mm. */
  readonly density: number;
}

/**
 * Returns PNG files, from the uppermost layer to the lowest. A style that was sent with the map has one legend for its
 * whole document.
 */
export async function drawMapLegends(
  context: WmsContext,
  { requested, named }: { readonly requested: RequestedMap; readonly named: readonly NamedMap[] },
  onlyLayers: string,
  { scale, density }: LegendResolution,
): Promise<readonly Uint8Array[]> {
  const only = onlyLayers.split(',').flatMap((name) => name.trim() || []);
  const shown = named.filter(
    ({ name, map }) => only.length === 0 || [name, map.name, map.qualifiedName].some((each) => only.includes(each)),
  );
  const options = new Map([
    ['forcetitles', 'on'],
    ['dpi', String(density * STANDARD_DPI)],
  ]);
  const common: Omit<GetLegendGraphicRequest, 'layers' | 'styles'> = {
    ...{ kind: 'GetLegendGraphic', version: '1.1.1', format: 'image/png', isTransparent: true, scale },
    ...{ width: SAMPLE_PIXELS, height: SAMPLE_PIXELS, options },
  };
  const requests: readonly GetLegendGraphicRequest[] =
    requested.sentStyle === undefined
      ? shown.toReversed().map((each) => ({
          ...common,
          layers: [formatMapName(context, each.map)],
          styles: [requested.layers[named.indexOf(each)]?.style],
        }))
      : [{ ...common, layers: [], styles: [], ...toOptionalProperty('sentStyle', requested.sentStyle) }];
  const pictures: Uint8Array[] = [];
  for (const request of requests.slice(0, MAX_LEGENDS)) {
    const picture = await drawLegend(context, request);
    if (picture !== undefined) pictures.push(picture);
  }
  return pictures;
}

/** A layer without a legend, such as one of another server that is unavailable, does not prevent the map. */
async function drawLegend(context: WmsContext, request: GetLegendGraphicRequest): Promise<Uint8Array | undefined> {
  try {
    // Warnings of the map have been sent already.
    const { body } = await getLegendGraphic({ ...context, warn: () => undefined }, request);
    return body instanceof Uint8Array ? body : undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    context.warn(`The legend of '${request.layers[0] ?? 'the style'}' is not drawn: ${error.message}`);
    return undefined;
  }
}
