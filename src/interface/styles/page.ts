/** The page of a style: its entry, a picture of what it draws, and how it is written. */
import { type Html, html, text } from '../../http/formats/html-page.ts';
import type { OutputNode, ResourcePath, WriteContext } from '../../http/formats/output-tree.ts';
import { nodeHtml } from '../../http/formats/write-html.ts';

export type ShownSource =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'text';
      readonly language: 'sld' | 'css';
      /** The beginning, if there is much. */
      readonly text: string;
      readonly isCut: boolean;
    };

export function stylePageContent(
  entry: OutputNode,
  path: ResourcePath,
  source: ShownSource,
  context: WriteContext,
): Html {
  const table = nodeHtml(entry, context);
  if (source.kind === 'none') {
    return html`${table}
<p class="empty">No content yet.</p>`;
  }
  const url = context.urlOf(path);
  const renditions = source.language === 'css' ? ['css', 'sld', 'zip'] : ['sld', 'zip'];
  const links = renditions.map((name) => html` <a href="${text(`${url}/.${name}`)}">${text(name.toUpperCase())}</a>`);
  const rest = source.isCut ? [html`<p class="empty">And more.</p>`] : [];
  return html`<p><img class="swatch" src="${text(`${url}/.png?width=48&height=32`)}" alt="What the style draws"></p>
${table}
<h2>Content</h2>
<p>As${links}</p>
<pre class="source">${text(source.text)}</pre>
${rest}`;
}
