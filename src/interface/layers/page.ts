/** The page of a layer: a map, its extent, and links to its resource, store, workspace and styles. */
import type { LayerView } from '../../catalog/layers/layers.ts';
import { buildHref } from '../../http/serialization/href.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputNode, ResourcePath, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeNodeHtml } from '../../http/serialization/write-html.ts';
import { drawExtentFigure } from '../resources/extent-figure.ts';
import { buildMapFigure } from '../resources/map-figure.ts';
import { getResourcePath, getStorePath } from '../resources/representation.ts';
import { getStylePath } from '../styles/representation.ts';

/** A layer, and whether the user can see its map. */
export interface LayerPageView extends LayerView {
  readonly isSeen?: boolean;
}

export function buildLayerPage(entry: OutputNode, view: LayerPageView, context: WriteContext): Html {
  const { layer, resource, store, workspace, defaultStyle } = view;
  const isSeen = view.isSeen === true && layer.enabled && resource.enabled && defaultStyle !== null;
  const map = { name: `${workspace.name}:${layer.name}`, bounds: resource.latLonBounds, isSeen };
  const buildLink = (path: ResourcePath, label: string) => writeAnchor(buildHref(path, 'html', context), label);
  const title = resource.title === null ? [] : [html`<p>${text(resource.title)}</p>`];
  return html`${title}
<div class="looks">${buildMapFigure(map, context)}${defaultStyle === null ? [] : [buildSwatch(defaultStyle, context)]}${drawExtentFigure(resource.latLonBounds)}</div>
<p>Shows ${buildLink(getResourcePath(view), resource.name)} of the store ${buildLink(getStorePath({ store, workspace }), store.name)} in the workspace ${buildLink(['workspaces', workspace.name], workspace.name)}.</p>
${writeNodeHtml(entry, context)}`;
}

/** A sample of a style with a link to it. */
function buildSwatch({ name, workspace }: NonNullable<LayerView['defaultStyle']>, context: WriteContext): Html {
  const path = getStylePath(name, workspace);
  return html`<figure><img class="swatch" src="${text(`${context.buildUrl(path)}/.png?width=48&height=32`)}" alt="Sample of the style">
<figcaption>${writeAnchor(buildHref(path, 'html', context), name)}</figcaption></figure>`;
}
