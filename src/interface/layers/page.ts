/** The page of a layer: what it looks like, where it lies, and the way to all that it is made of. */
import type { LayerView } from '../../catalog/layers/layers.ts';
import { hrefOf } from '../../http/formats/href.ts';
import { type Html, html, text } from '../../http/formats/html-page.ts';
import type { OutputNode, ResourcePath, WriteContext } from '../../http/formats/output-tree.ts';
import { anchor, nodeHtml } from '../../http/formats/write-html.ts';
import { extentFigure } from '../resources/extent-figure.ts';
import { mapFigure } from '../resources/map-figure.ts';
import { resourcePath, storePath } from '../resources/representation.ts';
import { stylePath } from '../styles/representation.ts';

/** A layer for whoever may see its map, or may not. */
export interface LayerOnPage extends LayerView {
  readonly isSeen?: boolean;
}

export function layerPageContent(entry: OutputNode, view: LayerOnPage, context: WriteContext): Html {
  const { layer, resource, store, workspace, defaultStyle } = view;
  const isSeen = view.isSeen === true && layer.enabled && resource.enabled && defaultStyle !== null;
  const map = { name: `${workspace.name}:${layer.name}`, bounds: resource.latLonBounds, isSeen };
  const link = (path: ResourcePath, label: string) => anchor(hrefOf(path, 'html', context), label);
  const title = resource.title === null ? [] : [html`<p>${text(resource.title)}</p>`];
  return html`${title}
<div class="looks">${mapFigure(map, context)}${defaultStyle === null ? [] : [swatch(defaultStyle, context)]}${extentFigure(resource.latLonBounds)}</div>
<p>Shows ${link(resourcePath(view), resource.name)} of the store ${link(storePath({ store, workspace }), store.name)} in the workspace ${link(['workspaces', workspace.name], workspace.name)}.</p>
${nodeHtml(entry, context)}`;
}

/** What a style draws, and the way to it. */
function swatch({ name, workspace }: NonNullable<LayerView['defaultStyle']>, context: WriteContext): Html {
  const path = stylePath(name, workspace);
  return html`<figure><img class="swatch" src="${text(`${context.urlOf(path)}/.png?width=48&height=32`)}" alt="What its style draws">
<figcaption>${anchor(hrefOf(path, 'html', context), name)}</figcaption></figure>`;
}
