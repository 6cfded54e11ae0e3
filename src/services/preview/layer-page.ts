/** The page of a layer: map, styles, legend, feature information and client addresses. */
import { cascadedLayerKinds } from '../../catalog/kinds/cascaded-layer.ts';
import { createHomeCrumb, type Html, html, page, text } from '../../http/serialization/html-page.ts';
import type { PublishedMap } from '../access/published-map.ts';
import {
  formatLegendUrl,
  formatThumbnailUrl,
  listProgramSnippets,
  listProgramUrls,
  type NamedAddress,
} from './addresses.ts';

export interface LayerPageContent {
  readonly root: string;
  readonly map: PublishedMap;
  /** The default style first; empty for a group. */
  readonly styles: readonly string[];
}

/** The width of the image for browsers without scripts. */
const WIDTH = 640;

export function writeLayerPage({ root, map, styles }: LayerPageContent): string {
  const { title, abstract, qualifiedName, latLonBounds: box } = map;
  const assets = `${root}/ogc/assets`;
  const content = html`<link rel="stylesheet" href="${text(`${assets}/map.css`)}">
<link rel="stylesheet" href="${text(`${assets}/preview.css`)}">
<p><span class="note">${text(qualifiedName)}</span> ${text(abstract)}</p>
<div id="map" data-wms="${text(`${root}/wms`)}" data-layer="${text(qualifiedName)}" data-box="${text(box === null ? '' : [box.minX, box.minY, box.maxX, box.maxY].join(','))}" data-queryable="${text(String(map.isQueryable))}" role="img" aria-label="A map of the layer"></div>
<noscript><img class="still" src="${text(formatThumbnailUrl(root, map, WIDTH))}" alt="A map of the layer"></noscript>
<div class="looks">${writeStyleSelect(styles)}${writeLegend(root, map, styles[0])}</div>
<div id="found" aria-live="polite"><p class="empty">${text(map.isQueryable ? 'Click the map to see the features at a position.' : 'This layer does not support feature information.')}</p></div>
<h2>Use in other clients</h2>
<table>${listProgramUrls(root, map).map(writeUrlRow)}</table>
${listProgramSnippets(root, map).map(writeSnippet)}
<script src="${text(`${assets}/ol.js`)}" defer></script>
<script src="${text(`${assets}/preview.js`)}" defer></script>`;
  const crumbs = [createHomeCrumb(`${root}/`), { label: 'Preview', url: `${root}/preview` }, { label: title }];
  return page({ title, crumbs, alternates: [] }, content);
}

function writeStyleSelect(styles: readonly string[]): Html {
  if (styles.length < 2) return html``;
  const options = styles.map((name) => html`<option value="${text(name)}">${text(name)}</option>`);
  return html`<label>Style <select id="style">${options}</select></label>`;
}

function writeLegend(root: string, map: PublishedMap, style: string | undefined): Html {
  // WMTS servers provide no legends.
  if (map.kind === 'group' || map.resource.kind === cascadedLayerKinds.WMTS.kind) return html``;
  return html`<figure><img id="legend" src="${text(formatLegendUrl(root, map, style ?? ''))}" alt="Legend of the layer"><figcaption>Legend</figcaption></figure>`;
}

function writeUrlRow({ label, note, text: address }: NamedAddress): Html {
  return html`<tr><th>${text(label)} <small>${text(note)}</small></th><td><code>${text(address)}</code></td></tr>`;
}

function writeSnippet({ label, text: lines }: NamedAddress): Html {
  return html`<h3>${text(label)}</h3><pre class="source">${text(lines)}</pre>`;
}
