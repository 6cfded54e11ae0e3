/** The page of a coverage: extent, grid, bands and entry. */
import type { Coverage, CoverageBand } from '../../catalog/kinds/coverage.ts';
import { buildHref } from '../../http/serialization/href.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputNode, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeNodeHtml } from '../../http/serialization/write-html.ts';
import { drawExtentFigure } from '../resources/extent-figure.ts';
import { buildMapFigure } from '../resources/map-figure.ts';
import type { ResourceRepresentation } from '../resources/representation.ts';
import { formatSampleType } from './fields.ts';

/** A coverage, and whether the user can see its map. */
export interface CoveragePageView extends ResourceRepresentation<Coverage> {
  readonly isSeen?: boolean;
}

export function buildCoveragePage(entry: OutputNode, shown: CoveragePageView, context: WriteContext): Html {
  const { resource, workspace } = shown;
  const { width, height } = resource.grid;
  const layer = buildHref(['workspaces', workspace.name, 'layers', resource.name], 'html', context);
  const isSeen = shown.isSeen === true && resource.enabled;
  const map = { name: `${workspace.name}:${resource.name}`, bounds: resource.latLonBounds, isSeen };
  return html`<div class="looks">${buildMapFigure(map, context)}${drawExtentFigure(resource.latLonBounds)}</div>
<p>${text(`${width} columns and ${height} rows`)}, shown by the layer ${writeAnchor(layer, resource.name)}.</p>
<h2>Bands</h2>
${buildBandTable(resource.bands)}
<h2>Settings</h2>
${writeNodeHtml(omitBands(entry), context)}`;
}

/** The bands have a table of their own. */
function omitBands(entry: OutputNode): OutputNode {
  return entry.kind === 'object'
    ? { ...entry, members: entry.members.filter(({ name }) => name !== 'dimensions') }
    : entry;
}

/** Maximum number of bands on the page. */
const SHOWN_BANDS = 200;

function buildBandTable(bands: readonly CoverageBand[]): Html {
  const head = ['Band', 'Samples', 'From', 'To', 'No data', 'Unit', 'Description'];
  const rows = bands.slice(0, SHOWN_BANDS).map(({ name, type, minimum, maximum, nullValues, unit, description }) => {
    const cells = [formatSampleType(type), minimum ?? '', maximum ?? '', nullValues.join(', '), unit, description];
    return html`<tr><th scope="row">${text(name)}</th>${cells.map((cell) => html`<td>${text(cell ?? '')}</td>`)}</tr>`;
  });
  const more =
    bands.length > SHOWN_BANDS ? [html`<p>${text(`First ${SHOWN_BANDS} of ${bands.length} bands shown.`)}</p>`] : [];
  return html`<div class="wide"><table><thead><tr>${head.map((each) => html`<th scope="col">${text(each)}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>${more}`;
}
