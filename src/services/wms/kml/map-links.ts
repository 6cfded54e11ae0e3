/** The documents of `/wms/kml` with links that virtual globes load. */
import { escapeText } from '../../../lib/xml/escape.ts';
import type { WmsContext } from '../context/context.ts';
import type { NamedMap } from '../map/map-layers.ts';
import type { RequestedMap } from '../request/request.ts';
import { writeLegendOverlay, writeNetworkLink } from './kml-elements.ts';
import { readKmlOptions } from './kml-options.ts';
import { createKmlAddress, createLegendAddress, listEntries, type MapEntry } from './map-addresses.ts';
import { writeSuperOverlayLink } from './super-overlay.ts';

/** The width and height of the map of a view; viewers scale its images to the screen. */
const VIEW_PIXELS = 2_048;

/** Writes one link per layer: to the map of the current view, or to the tiles of a super-overlay. */
export function writeKmlLinks(
  context: WmsContext,
  requested: RequestedMap,
  named: readonly NamedMap[],
  mode: 'refresh' | 'superoverlay',
): string {
  const entries = listEntries(requested, named);
  const { title, hasLegend } = readKmlOptions(context.parameters, requested.formatOptions);
  const links = entries.map((entry) =>
    mode === 'superoverlay' ? writeSuperOverlayLink(context, entry) : writeViewLink(context, entry),
  );
  const name = title ?? named.map(({ map }) => map.title).join(', ');
  return `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeText(name)}</name><open>1</open>
${links.join('')}${hasLegend ? writeLegendOverlay(createLegendAddress(context, entries)) : ''}</Document></kml>
`;
}

function writeViewLink(context: WmsContext, entry: MapEntry): string {
  const { map } = entry.named;
  const href = createKmlAddress(context, entry, { width: VIEW_PIXELS, height: VIEW_PIXELS });
  return writeNetworkLink({ title: map.title, href, lookAt: map.latLonBounds ?? undefined });
}
