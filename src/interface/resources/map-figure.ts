/** The map of what a page is about, drawn by our WMS: a picture, and the way to the page where it can be moved. */
import type { Bounds } from '../../crs/bounds.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor } from '../../http/serialization/write-html.ts';

/** In pixels; as wide as the figure of the extent beside it. */
const WIDTH = 320;

export interface MapFigureOptions {
  /** As requests for maps name it, with its workspace. */
  readonly name: string;
  readonly bounds: Bounds | null;
  /** Whether whoever looks at the page may see it, as far as that is known; the map itself is refused to others. */
  readonly isSeen: boolean;
}

/** None where nothing could be seen: tables without geometries have no bounds. */
export function buildMapFigure({ name, bounds, isSeen }: MapFigureOptions, context: WriteContext): readonly Html[] {
  if (!isSeen || bounds === null) return [];
  // Beside the root of REST, wherever that is.
  const root = context.buildUrl([]).replace(/\/[^/]*$/, '');
  const query = new URLSearchParams({ layers: name, width: String(WIDTH), format: 'image/png' });
  return [
    html`<figure><img class="extent" src="${text(`${root}/wms/reflect?${query}`)}" alt="${text(`A map of ${name}`)}">
<figcaption>${writeAnchor(`${root}/preview?${new URLSearchParams({ layer: name })}`, 'Look at the map')}</figcaption></figure>`,
  ];
}
