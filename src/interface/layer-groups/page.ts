/** The page of a layer group: its extent, and links to its members. */
import type { LayerGroupView } from '../../catalog/layer-groups/layer-groups.ts';
import { buildHref } from '../../http/serialization/href.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputNode, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeNodeHtml } from '../../http/serialization/write-html.ts';
import { drawExtentFigure } from '../resources/extent-figure.ts';
import { buildMapFigure } from '../resources/map-figure.ts';

export function buildLayerGroupPage(entry: OutputNode, view: LayerGroupView, context: WriteContext): Html {
  const { group, workspace } = view;
  const name = workspace === null ? group.name : `${workspace.name}:${group.name}`;
  // Users see only the layers that they can read.
  const map = { name, bounds: group.latLonBounds, isSeen: group.enabled };
  const title = group.title === null ? [] : [html`<p>${text(group.title)}</p>`];
  const place =
    workspace === null
      ? html`A global layer group.`
      : html`A layer group of the workspace ${writeAnchor(buildHref(['workspaces', workspace.name], 'html', context), workspace.name)}.`;
  return html`${title}
<div class="looks">${buildMapFigure(map, context)}${drawExtentFigure(group.latLonBounds)}</div>
<p>${place}</p>
${writeNodeHtml(entry, context)}`;
}
