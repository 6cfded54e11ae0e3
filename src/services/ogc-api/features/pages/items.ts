/** Pages of features: a table of them with paging and a map, and a page for each. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { DocumentLink } from '../../../../data/encode/port.ts';
import type { Attribute, Feature, FeatureTypeDescription } from '../../../../data/vector/port.ts';
import { type Html, html, text } from '../../../../http/formats/html-page.ts';
import { pathPart } from '../../common/link.ts';
import { withParameters } from '../../common/parameters.ts';
import type { FoundItem, ItemsPage } from '../items.ts';
import { noPlace } from '../items-query.ts';
import type { FeaturesVisit } from '../visit.ts';
import { crumbsTo } from './documents.ts';
import { anchor, featuresPage, mapOf } from './frame.ts';
import { valueText } from './value.ts';

/** A table that somebody looks at; programs page through more. */
export async function itemsPage(visit: FeaturesVisit, found: ItemsPage): Promise<string> {
  const { type, description } = found;
  const address = `${visit.addressOf(type)}/items`;
  const rowOf = rowsOf(description, (id) => `${address}/${pathPart(id)}?f=html`);
  const rows: Html[] = [];
  for await (const batch of found.batches) {
    for (const [index, feature] of batch.entries()) {
      if (index % ROWS_AT_ONCE === 0) await othersFirst();
      rows.push(rowOf(feature));
    }
  }
  const links = found.links();
  return featuresPage(visit, {
    title: type.title,
    crumbs: crumbsTo(visit, type, ['Features']),
    alternates: alternatesIn(links),
    content: html`${summary(rows.length, found.numberMatched())}
${paging(links)}
${mapOf(visit, type, `${address}${withParameters(visit.parameters, { f: 'geojson', crs: undefined })}`)}
${table(rows, description, sortLink(visit, address))}
${paging(links)}`,
  });
}

/** Rows are made in turns with what others want. */
const ROWS_AT_ONCE = 200;

function alternatesIn(links: readonly DocumentLink[]) {
  return links
    .filter(({ rel }) => rel === 'alternate')
    .map(({ href, title }) => ({ label: title?.replace('This document as ', '') ?? 'other', url: href }));
}

function summary(shown: number, all: number | undefined): Html {
  const of = all === undefined || all === shown ? '' : ` of ${all.toLocaleString('en')}`;
  return html`<p>${text(`${shown.toLocaleString('en')}${of} ${(all ?? shown) === 1 ? 'feature' : 'features'}`)}</p>`;
}

function paging(links: readonly DocumentLink[]): Html {
  const to = (rel: string, label: string) => {
    const link = links.find((each) => each.rel === rel);
    return link === undefined ? [] : [html`<a rel="${text(rel)}" href="${text(link.href)}">${text(label)}</a>`];
  };
  const steps = [...to('prev', '← The page before'), ...to('next', 'The next page →')];
  return steps.length === 0
    ? html``
    : html`<p class="pages">${steps.flatMap((step, index) => (index === 0 ? [step] : [html` · `, step]))}</p>`;
}

function table(rows: readonly Html[], { attributes }: FeatureTypeDescription, heading: (name: string) => Html): Html {
  if (rows.length === 0) {
    return html`<p class="empty">No features fit.</p>`;
  }
  const heads = attributes
    .filter(({ kind }) => kind === 'value')
    .map((attribute) => (isSortable(attribute) ? heading(attribute.name) : html`<th>${text(attribute.name)}</th>`));
  return html`<div class="wide"><table><thead><tr><th>Id</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** The row of a feature, with all that is no geometry. */
function rowsOf({ attributes }: FeatureTypeDescription, addressOf: (id: string) => string): (feature: Feature) => Html {
  const shown = attributes
    .map((attribute, index) => ({ attribute, index }))
    .filter(({ attribute }) => attribute.kind === 'value');
  return ({ id, values }) => {
    const cells = shown.map(
      ({ index, attribute }) => html`<td>${text(valueText(values[index] ?? null, attribute))}</td>`,
    );
    return html`<tr data-id="${text(id)}"><td>${anchor(addressOf(id), id)}</td>${cells}</tr>`;
  };
}

function isSortable(attribute: Attribute): boolean {
  return attribute.kind === 'value' && attribute.type !== 'bytes';
}

/** Another click turns the order around. */
function sortLink({ parameters }: FeaturesVisit, address: string): (name: string) => Html {
  const current = parameters.get('sortby');
  return (name) => {
    const sortby = current === name ? `-${name}` : name;
    const sign = current === name ? ' ↑' : current === `-${name}` ? ' ↓' : '';
    const query = withParameters(parameters, { sortby, ...noPlace });
    return html`<th><a href="${text(`${address}${query}`)}">${text(name)}</a>${text(sign)}</th>`;
  };
}

export function itemPage(visit: FeaturesVisit, { type, description, feature, links }: FoundItem): string {
  const rows = description.attributes.map(
    (attribute, index) =>
      html`<tr><th>${text(attribute.name)}</th><td>${text(valueText(feature.values[index] ?? null, attribute))}</td></tr>`,
  );
  const address = `${visit.addressOf(type)}/items/${pathPart(feature.id)}`;
  return featuresPage(visit, {
    title: feature.id,
    crumbs: crumbsTo(visit, type, ['Features', feature.id]),
    alternates: alternatesIn(links),
    content: html`${mapOf(visit, type, `${address}?f=geojson`)}
<table>${rows}</table>`,
  });
}
