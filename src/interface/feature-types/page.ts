/** The page of a feature type: extent, entry, a table of attributes, and the first features. */
import type { FeatureType } from '../../catalog/kinds/feature-type.ts';
import type { PublishedAttribute } from '../../catalog/kinds/published-attribute.ts';
import type { FirstFeatures } from '../../catalog/stores/store-data.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { buildHref } from '../../http/serialization/href.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputNode, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeNodeHtml } from '../../http/serialization/write-html.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Feature } from '../../vector/port/port.ts';
import { drawExtentFigure } from '../resources/extent-figure.ts';
import { buildMapFigure } from '../resources/map-figure.ts';
import type { ResourceRepresentation } from '../resources/representation.ts';

/** Data shown on the page. */
export type DataSample =
  | ({ readonly kind: 'features' } & FirstFeatures)
  /** The data could not be read, or the user has no permission for it. */
  | { readonly kind: 'none'; readonly reason: string };

export function buildFeatureTypePage(
  entry: OutputNode,
  shown: ResourceRepresentation<FeatureType>,
  sample: DataSample,
  context: WriteContext,
): Html {
  const { resource, workspace } = shown;
  const layer = buildHref(['workspaces', workspace.name, 'layers', resource.name], 'html', context);
  const isSeen = resource.enabled && sample.kind === 'features';
  const map = { name: `${workspace.name}:${resource.name}`, bounds: resource.latLonBounds, isSeen };
  return html`<div class="looks">${buildMapFigure(map, context)}${drawExtentFigure(resource.latLonBounds)}</div>
<p>Shown by the layer ${writeAnchor(layer, resource.name)}.</p>
<h2>Attributes</h2>
${buildAttributeTable(resource.attributes)}
<h2>First features</h2>
${buildSampleTable(resource.attributes, sample)}
<h2>Settings</h2>
${writeNodeHtml(omitAttributes(entry), context)}`;
}

/** The attributes have a table of their own. */
function omitAttributes(entry: OutputNode): OutputNode {
  return entry.kind === 'object'
    ? { ...entry, members: entry.members.filter(({ name }) => name !== 'attributes') }
    : entry;
}

function buildAttributeTable(attributes: readonly PublishedAttribute[]): Html {
  if (attributes.length === 0) {
    return html`<p class="empty">None.</p>`;
  }
  const rows = attributes.map((attribute) => {
    const { name, type, nillable, source = '', description = '' } = attribute;
    const length = attribute.kind === 'value' && attribute.maxLength ? ` (${attribute.maxLength})` : '';
    const inner = attribute.kind === 'value' ? attribute.attributes : undefined;
    const typeText = inner === undefined ? `${type}${length}` : inner.map((each) => each.name).join(', ');
    const cells = [typeText, nillable ? 'yes' : 'no', source, description];
    return html`<tr><th scope="row">${text(name)}</th>${cells.map((cell) => html`<td>${text(cell)}</td>`)}</tr>`;
  });
  return buildWideTable(['Name', 'Type', 'Nullable', 'Source', 'Description'], rows);
}

function buildSampleTable(attributes: readonly PublishedAttribute[], sample: DataSample): Html {
  if (sample.kind === 'none') {
    return html`<p class="empty">${text(sample.reason)}</p>`;
  }
  const places = attributes.flatMap(({ name, source = name }) => {
    const place = sample.attributes.findIndex((each) => each.name === source);
    return place < 0 ? [] : [{ name, place }];
  });
  if (sample.features.length === 0 || places.length === 0) {
    return html`<p class="empty">No features.</p>`;
  }
  const rows = sample.features.map(
    ({ id, values }) =>
      html`<tr><th scope="row">${text(id)}</th>${places.map(({ place }) => html`<td>${text(formatValue(values[place]))}</td>`)}</tr>`,
  );
  return buildWideTable(['Feature', ...places.map(({ name }) => name)], rows);
}

function buildWideTable(headings: readonly string[], rows: readonly Html[]): Html {
  const head = headings.map((heading) => html`<th scope="col">${text(heading)}</th>`);
  return html`<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** The part of a value that fits a cell. */
function formatValue(value: Feature['values'][number] | undefined): string {
  if (value === null || value === undefined) {
    return '';
  }
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? '' : value.toISOString().replace(/T00:00:00\.000Z$/, '');
  }
  if (value instanceof Uint8Array) {
    return `${value.length} bytes`;
  }
  return typeof value === 'object' ? formatGeometry(value) : excerpt(String(value));
}

function formatGeometry({ type, ordinates, dimension, members }: Geometry): string {
  const positions = ordinates.length / dimension.length;
  if (members !== undefined) {
    return `${type} of ${members.length} ${members.length === 1 ? 'part' : 'parts'}`;
  }
  return positions === 1
    ? `${type} ${[...ordinates].map((each) => Number(each.toFixed(6))).join(' ')}`
    : `${type} of ${positions} positions`;
}
