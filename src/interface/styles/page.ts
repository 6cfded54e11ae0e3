/** The page of a style: its entry, a sample image and its source. */
import type { ListedLayer } from '../../catalog/layers/list-layers.ts';
import { buildHref } from '../../http/serialization/href.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputNode, ResourcePath, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeNodeHtml } from '../../http/serialization/write-html.ts';
import type { StyleLanguage } from '../../styling/content/style-format.ts';
import { SHOWN_ITEMS } from '../common/short-list.ts';

export type StyleSource =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'text';
      readonly language: StyleLanguage;
      /** Truncated if it is long. */
      readonly text: string;
      readonly isCut: boolean;
    };

/** The parts of the page besides the entry. */
export interface StylePageFacts {
  readonly source: StyleSource;
  /** The layers that use the style; the first ones. */
  readonly layers: readonly ListedLayer[];
}

export function buildStylePage(
  entry: OutputNode,
  path: ResourcePath,
  { source, layers }: StylePageFacts,
  context: WriteContext,
): Html {
  const table = html`${writeNodeHtml(entry, context)}${buildLayerLinks(layers, context)}`;
  if (source.kind === 'none') {
    return html`${table}
<p class="empty">No content yet.</p>`;
  }
  const url = context.buildUrl(path);
  const renditions = [...new Set([source.language, 'sld', 'mbstyle', 'zip'])];
  const links = renditions.map((name) => html` <a href="${text(`${url}/.${name}`)}">${text(name.toUpperCase())}</a>`);
  const rest = source.isCut ? [html`<p class="empty">The content is longer than shown.</p>`] : [];
  return html`<p><img class="swatch" src="${text(`${url}/.png?width=48&height=32`)}" alt="Sample of the style"></p>
${table}
<h2>Content</h2>
<p>Download:${links}</p>
<pre class="source">${text(source.text)}</pre>
${rest}`;
}

function buildLayerLinks(layers: readonly ListedLayer[], context: WriteContext): readonly Html[] {
  if (layers.length === 0) {
    return [];
  }
  const items = layers.slice(0, SHOWN_ITEMS).map(({ name, workspace }) => {
    const url = buildHref(['workspaces', workspace, 'layers', name], 'html', context);
    return html`<li>${writeAnchor(url, `${workspace}:${name}`)}</li>`;
  });
  const more = layers.length > SHOWN_ITEMS ? [html`<p class="empty">More layers use this style.</p>`] : [];
  return [html`<h2>Layers that use this style</h2>\n<ul class="items columns">${items}</ul>${more}`];
}
