/** Pages of features: a table with paging and a map, and a page for each feature. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { DocumentLink } from '../../../../formats/port/port.ts';
import type { Geometry } from '../../../../geometry/geometry.ts';
import { type Html, html, text } from '../../../../http/serialization/html-page.ts';
import type { Attribute, Feature, FeatureTypeDescription, Value } from '../../../../vector/port/port.ts';
import { encodePathPart } from '../../common/link.ts';
import { formatQuery, readParameter } from '../../common/parameters.ts';
import type { FeaturesContext } from '../collections/features-context.ts';
import type { FoundItem } from '../collections/item.ts';
import { itemParameters, itemsParameters, noPosition } from '../collections/items-parameters.ts';
import type { ItemsPage } from '../collections/written-collection.ts';
import { createCrumbs } from './documents.ts';
import { writeAnchor, writeFeaturesPage, writeMap } from './frame.ts';

/** Larger results are for programs, which page through JSON. */
export async function writeItemsPage(visit: FeaturesContext, found: ItemsPage): Promise<string> {
  const { type, description } = found;
  const address = `${visit.formatCollectionUrl(type)}/items`;
  const writeRow = createRowWriter(
    description,
    (id) => `${address}/${encodePathPart(id)}${formatItemQuery(visit, 'html')}`,
  );
  const rows: Html[] = [];
  for await (const batch of found.batches) {
    for (const [index, feature] of batch.entries()) {
      if (index % ROWS_PER_TURN === 0) await othersFirst();
      rows.push(writeRow(feature));
    }
  }
  const links = found.links();
  return writeFeaturesPage(visit, {
    title: type.title,
    crumbs: createCrumbs(visit, type, ['Features']),
    alternates: listAlternates(links),
    content: html`${writeSummary(rows.length, found.numberMatched())}
${writePaging(links)}
${writeMap(visit, type, `${address}${formatQuery(visit.parameters, { f: 'geojson', crs: undefined })}`)}
${writeTable(rows, description, createSortLinkWriter(visit, address))}
${writePaging(links)}`,
  });
}

/** Features of an SQL view depend on its parameter values. */
function formatItemQuery({ parameters }: FeaturesContext, f: 'html' | 'geojson'): string {
  const { name } = itemParameters.viewparams;
  return formatQuery({ all: [] }, { f, [name]: parameters.get(name) });
}

/** Yields to other requests after this many rows. */
const ROWS_PER_TURN = 200;

function listAlternates(links: readonly DocumentLink[]) {
  return links
    .filter(({ rel }) => rel === 'alternate')
    .map(({ href, title }) => ({
      label: title?.replace(/^(?:This document|All features) as /, '') ?? 'other',
      url: href,
    }));
}

function writeSummary(shown: number, all: number | undefined): Html {
  const of = all === undefined || all === shown ? '' : ` of ${all.toLocaleString('en')}`;
  return html`<p>${text(`${shown.toLocaleString('en')}${of} ${(all ?? shown) === 1 ? 'feature' : 'features'}`)}</p>`;
}

function writePaging(links: readonly DocumentLink[]): Html {
  const writePageLink = (rel: string, label: string) => {
    const link = links.find((each) => each.rel === rel);
    return link === undefined ? [] : [html`<a rel="${text(rel)}" href="${text(link.href)}">${text(label)}</a>`];
  };
  const steps = [...writePageLink('prev', '← Previous page'), ...writePageLink('next', 'Next page →')];
  return steps.length === 0
    ? html``
    : html`<p class="pages">${steps.flatMap((step, index) => (index === 0 ? [step] : [html` · `, step]))}</p>`;
}

function writeTable(
  rows: readonly Html[],
  { attributes }: FeatureTypeDescription,
  heading: (name: string) => Html,
): Html {
  if (rows.length === 0) {
    return html`<p class="empty">No features match.</p>`;
  }
  const heads = attributes
    .filter(({ kind }) => kind === 'value')
    .map((attribute) => (isSortable(attribute) ? heading(attribute.name) : html`<th>${text(attribute.name)}</th>`));
  return html`<div class="wide"><table><thead><tr><th>Id</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Writes the row of a feature without its geometries. */
function createRowWriter(
  { attributes }: FeatureTypeDescription,
  formatItemUrl: (id: string) => string,
): (feature: Feature) => Html {
  const shown = attributes
    .map((attribute, index) => ({ attribute, index }))
    .filter(({ attribute }) => attribute.kind === 'value');
  return ({ id, values }) => {
    const cells = shown.map(
      ({ index, attribute }) => html`<td>${text(formatValue(values[index] ?? null, attribute))}</td>`,
    );
    return html`<tr data-id="${text(id)}"><td>${writeAnchor(formatItemUrl(id), id)}</td>${cells}</tr>`;
  };
}

function isSortable(attribute: Attribute): boolean {
  return attribute.kind === 'value' && attribute.type !== 'bytes';
}

/** A second click reverses the order. */
function createSortLinkWriter({ parameters }: FeaturesContext, address: string): (name: string) => Html {
  const current = readParameter(parameters, itemsParameters.sortby);
  return (name) => {
    const sortby = current === name ? `-${name}` : name;
    const sign = current === name ? ' ↑' : current === `-${name}` ? ' ↓' : '';
    const query = formatQuery(parameters, { sortby, ...noPosition });
    return html`<th><a href="${text(`${address}${query}`)}">${text(name)}</a>${text(sign)}</th>`;
  };
}

export function writeItemPage(visit: FeaturesContext, { type, description, feature, links }: FoundItem): string {
  const rows = description.attributes.map(
    (attribute, index) =>
      html`<tr><th>${text(attribute.name)}</th><td>${text(formatValue(feature.values[index] ?? null, attribute))}</td></tr>`,
  );
  const address = `${visit.formatCollectionUrl(type)}/items/${encodePathPart(feature.id)}`;
  return writeFeaturesPage(visit, {
    title: feature.id,
    crumbs: createCrumbs(visit, type, ['Features', feature.id]),
    alternates: listAlternates(links),
    content: html`${writeMap(visit, type, `${address}${formatItemQuery(visit, 'geojson')}`)}
<table>${rows}</table>`,
  });
}

/** Longer texts are truncated. */
const MAX_TEXT = 500;

/** Formats values for tables. */
function formatValue(value: Value | Geometry, attribute: Attribute): string {
  if (value === null) {
    return '';
  }
  if (value instanceof Date) {
    const moment = Number.isNaN(value.getTime()) ? '' : value.toISOString();
    return attribute.kind === 'value' && attribute.type === 'date' ? moment.slice(0, 10) : moment;
  }
  if (value instanceof Uint8Array) {
    return `${value.length} bytes`;
  }
  if (typeof value === 'object') {
    const positions = value.ordinates.length / value.dimension.length;
    return positions === 0 ? value.type : `${value.type}, ${positions} ${positions === 1 ? 'position' : 'positions'}`;
  }
  const shown = String(value);
  return shown.length > MAX_TEXT ? `${shown.slice(0, MAX_TEXT)}…` : shown;
}
