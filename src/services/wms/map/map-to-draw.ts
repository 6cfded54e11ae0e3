/** Converts a map request to the input of the renderer. */
import { excerpt } from '../../../lib/text/excerpt.ts';
import { formatMissingGlyphs } from '../../../styling/fonts/missing-glyphs.ts';
import { hideSecrets } from '../../../styling/graphics/hide-secrets.ts';
import type { MapToDraw } from '../../maps/draw-published.ts';
import { toOptionalProperty } from '../../ows/parameters.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import type { WmsContext } from '../context/context.ts';
import { mapFormatOptions, mapParameters } from '../request/parameters.ts';
import type { RequestedMap } from '../request/request.ts';
import type { MapFrame } from './map-frame.ts';
import type { NamedMap } from './map-layers.ts';
import { createMapLook } from './map-look.ts';

export function createMapToDraw(
  { settings, parameters, warn }: WmsContext,
  requested: RequestedMap,
  named: readonly NamedMap[],
  { system, box, width, height, clip, scaleDenominator }: MapFrame,
): MapToDraw {
  const timeout = Number(readParameter(requested.formatOptions, mapFormatOptions.parameters.timeout));
  const milliseconds = Math.min(settings.maxRenderingMs, timeout > 0 ? timeout : Number.POSITIVE_INFINITY);
  return {
    layers: named.flatMap(({ layers }) => layers),
    system,
    box,
    width,
    height,
    ...createMapLook(requested),
    ...toOptionalProperty('clip', clip),
    ...toOptionalProperty('scaleDenominator', scaleDenominator),
    ...(Number.isFinite(milliseconds) ? { milliseconds } : {}),
    onMissingBand: ({ coverage, band, bands }) =>
      warn(
        `The coverage '${coverage}' has no band '${excerpt(band)}', and is not drawn. Bands: ${bands.slice(0, 10).join(', ')}.`,
      ),
    onMissingGraphic: (href) => warn(`The picture '${shortenHref(href)}' is missing or not allowed, and is not drawn.`),
    onMissingGlyphs: (missing) => warn(formatMissingGlyphs(missing)),
    ...(isPartialMapAccepted(parameters)
      ? { onPartial: () => warn('The map is incomplete because the time limit was reached.') }
      : {}),
  };
}

/** Clients request partial maps with a value of the `exceptions` parameter. */
function isPartialMapAccepted(parameters: WmsContext['parameters']): boolean {
  const asked = readParameter(parameters, mapParameters.exceptions)?.toLowerCase();
  return asked === 'partialmap' || asked === 'application/vnd.gs.wms_partial';
}

/** Omits the content of `data:` addresses. */
function shortenHref(href: string): string {
  return excerpt(hideSecrets(href).replace(/^(data:[^,]*),.*$/s, '$1'));
}
