/** The page of a layer: its map, its styles to choose from with their legend, what is where one clicks, and how others get it. */
import { cascadedLayerKinds } from '../../catalog/kinds/cascaded-layer.ts';
import { type Html, html, page, text } from '../../http/serialization/html-page.ts';
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
  /** The default one first; none of a group. */
  readonly styles: readonly string[];
}

/** Of the picture for browsers that run no scripts. */
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
<div id="found" aria-live="polite"><p class="empty">${text(map.isQueryable ? 'Click on the map to see what is there.' : 'This layer tells nothing of what is where one clicks.')}</p></div>
<h2>In other programs</h2>
<table>${listProgramUrls(root, map).map(writeUrlRow)}</table>
${listProgramSnippets(root, map).map(writeSnippet)}
<script src="${text(`${assets}/ol.js`)}" defer></script>
<script src="${text(`${assets}/preview.js`)}" defer></script>`;
  const crumbs = [{ label: 'Preview', url: `${root}/preview` }, { label: title }];
  return page({ title, crumbs, alternates: [] }, content);
}

function writeStyleSelect(styles: readonly string[]): Html {
  if (styles.length < 2) return html``;
  const options = styles.map((name) => html`<option value="${text(name)}">${text(name)}</option>`);
  return html`<label>Style <select id="style">${options}</select></label>`;
}

function writeLegend(root: string, map: PublishedMap, style: string | undefined): Html {
  // Other tile servers draw no legends.
  if (map.kind === 'group' || map.resource.kind === cascadedLayerKinds.WMTS.kind) return html``;
  return html`<figure><img id="legend" src="${text(formatLegendUrl(root, map, style ?? ''))}" alt="What the signs mean"><figcaption>Legend</figcaption></figure>`;
}

function writeUrlRow({ label, note, text: address }: NamedAddress): Html {
  return html`<tr><th>${text(label)} <small>${text(note)}</small></th><td><code>${text(address)}</code></td></tr>`;
}

function writeSnippet({ label, text: lines }: NamedAddress): Html {
  return html`<h3>${text(label)}</h3><pre class="source">${text(lines)}</pre>`;
}
