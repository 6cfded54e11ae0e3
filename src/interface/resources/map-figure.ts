/** The map on a page, drawn by our WMS, with a link to the interactive preview. */
import type { Bounds } from '../../crs/bounds.ts';
import { formatThumbnailBox } from '../../crs/thumbnail-box.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor } from '../../http/serialization/write-html.ts';

/** In pixels; as wide as the extent figure next to it. */
const WIDTH = 320;

export interface MapFigureOptions {
  /** The name in map requests, with its workspace. */
  readonly name: string;
  readonly bounds: Bounds | null;
  /** Whether the user can see the map, as far as known; the WMS checks the request itself. */
  readonly isSeen: boolean;
}

/** No map without bounds, as for tables without geometry. */
export function buildMapFigure({ name, bounds, isSeen }: MapFigureOptions, context: WriteContext): readonly Html[] {
  if (!isSeen || bounds === null) return [];
  // Next to the REST root.
  const root = context.buildUrl([]).replace(/\/[^/]*$/, '');
  const query = new URLSearchParams({
    ...{ layers: name, width: String(WIDTH), format: 'image/png' },
    bbox: formatThumbnailBox(bounds),
  });
  return [
    html`<figure><img class="extent" src="${text(`${root}/wms/reflect?${query}`)}" alt="${text(`Map of ${name}`)}">
<figcaption>${writeAnchor(`${root}/preview?${new URLSearchParams({ layer: name })}`, 'Open the map')}</figcaption></figure>`,
  ];
}
