/** The HTML pages of the service: landing page, conformance and collections. */
import { type Html, html, text } from '../../../../http/serialization/html-page.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import { conformsTo, readServiceTitle } from '../collections/documents.ts';
import type { FeaturesContext } from '../collections/features-context.ts';
import { itemsFormats } from '../collections/item-formats.ts';
import { findStorageSystem, listSystems } from '../collections/systems.ts';
import { writeAnchor, writeFeaturesPage, writeMap } from './frame.ts';

export function writeLandingPage(visit: FeaturesContext, types: readonly PublishedType[]): string {
  const { title, description } = readServiceTitle(visit);
  const { root } = visit;
  return writeFeaturesPage(visit, {
    title,
    crumbs: [],
    alternates: [{ label: 'JSON', url: `${root}?f=json` }],
    content: html`${writeParagraph(description)}
<h2>Collections</h2>
${writeCollectionList(visit, types)}
<h2>For developers</h2>
<ul class="items">
<li>${writeAnchor(`${root}?f=json`, root)}: the OGC API Features address for GIS clients.</li>
<li>${writeAnchor(`${root}/api?f=html`, 'API definition')}: every resource and parameter; ${writeAnchor(`${root}/api?f=json`, 'as OpenAPI 3.0')}.</li>
<li>${writeAnchor(`${root}/conformance?f=html`, 'Conformance')}: the supported parts of the standards.</li>
</ul>`,
  });
}

function writeParagraph(said: string): Html {
  return said === '' ? html`` : html`<p>${text(said)}</p>`;
}

function writeCollectionList(visit: FeaturesContext, types: readonly PublishedType[]): Html {
  if (types.length === 0) {
    return html`<p class="empty">No collections are available to you.</p>`;
  }
  const items = types.map((type) => {
    const link = writeAnchor(`${visit.formatCollectionUrl(type)}?f=html`, type.title);
    const name =
      type.title === visit.getCollectionId(type)
        ? html``
        : html` <span class="note">${text(visit.getCollectionId(type))}</span>`;
    const features = writeAnchor(`${visit.formatCollectionUrl(type)}/items?f=html`, 'features');
    return html`<li>${link}${name} · ${features}</li>`;
  });
  return html`<ul class="items">${items}</ul>`;
}

export function writeCollectionsPage(visit: FeaturesContext, types: readonly PublishedType[]): string {
  return writeFeaturesPage(visit, {
    title: 'Collections',
    crumbs: [{ label: 'Collections' }],
    alternates: [{ label: 'JSON', url: `${visit.root}/collections?f=json` }],
    content: writeCollectionList(visit, types),
  });
}

export function writeConformancePage(visit: FeaturesContext): string {
  return writeFeaturesPage(visit, {
    title: 'Conformance',
    crumbs: [{ label: 'Conformance' }],
    alternates: [{ label: 'JSON', url: `${visit.root}/conformance?f=json` }],
    content: html`<p>This server supports the following conformance classes:</p>
<ul class="items">${conformsTo.map((name) => html`<li>${text(name)}</li>`)}</ul>`,
  });
}

/** Creates the breadcrumbs from the landing page to a collection and below it. */
export function createCrumbs(visit: FeaturesContext, type: PublishedType, further: readonly string[] = []) {
  const address = visit.formatCollectionUrl(type);
  return [
    { label: 'Collections', url: `${visit.root}/collections?f=html` },
    { label: type.title, ...(further.length === 0 ? {} : { url: `${address}?f=html` }) },
    ...further.map((label) => ({ label })),
  ];
}

export function writeCollectionPage(visit: FeaturesContext, type: PublishedType): string {
  const address = visit.formatCollectionUrl(type);
  const box = type.latLonBounds;
  const rows: readonly (readonly [string, Html])[] = [
    ['Name', html`${text(visit.getCollectionId(type))}`],
    ...(type.keywords.length === 0 ? [] : [['Keywords', html`${text(type.keywords.join(', '))}`] as const]),
    [
      'Extent',
      box === null
        ? html`unknown`
        : html`${text(`${[box.minX, box.minY].map(formatDegrees).join(', ')} to ${[box.maxX, box.maxY].map(formatDegrees).join(', ')}`)}`,
    ],
    ['Stored CRS', html`${text(findStorageSystem(type) ?? 'a CRS without a code')}`],
    [
      'Available CRSs',
      html`<ul class="items">${listSystems(type, visit.featureAccess.settings).map((each) => html`<li>${text(each)}</li>`)}</ul>`,
    ],
    [
      'Attributes',
      html`<ul class="items">${type.attributes.map(({ name, type: of }) => html`<li>${text(name)} <span class="note">${text(of)}</span></li>`)}</ul>`,
    ],
    [
      'As',
      html`<ul class="items">${itemsFormats.map((format) => html`<li>${writeAnchor(`${address}/items?f=${format.name}`, format.title)}</li>`)}</ul>`,
    ],
  ];
  return writeFeaturesPage(visit, {
    title: type.title,
    crumbs: createCrumbs(visit, type),
    alternates: [{ label: 'JSON', url: `${address}?f=json` }],
    content: html`${writeParagraph(type.abstract)}
<p>${writeAnchor(`${address}/items?f=html`, 'Features')} · ${writeAnchor(`${address}/queryables?f=html`, 'Queryables')}</p>
${writeMap(visit, type, `${address}/items?f=geojson&limit=${MAP_FEATURES}`, box)}
<table>${rows.map(([name, value]) => html`<tr><th>${text(name)}</th><td>${value}</td></tr>`)}</table>`,
  });
}

/** Enough for an overview of a collection, and fast to draw. */
const MAP_FEATURES = 500;

/** About a hundred metres. */
function formatDegrees(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}

export function writeQueryablesPage(
  visit: FeaturesContext,
  type: PublishedType,
  properties: Readonly<Record<string, object>>,
): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { type: of, format, description } = schema as Readonly<Record<string, string | undefined>>;
    const kind = [of, format].filter((each) => each !== undefined).join(', ');
    return html`<tr><th>${text(name)}</th><td>${text(kind)}</td><td>${text(description ?? '')}</td></tr>`;
  });
  const address = visit.formatCollectionUrl(type);
  return writeFeaturesPage(visit, {
    title: `Queryables of ${type.title}`,
    crumbs: createCrumbs(visit, type, ['Queryables']),
    alternates: [{ label: 'JSON Schema', url: `${address}/queryables?f=json` }],
    content: html`<p>Each queryable is a query parameter of ${writeAnchor(`${address}/items?f=html`, 'the features')} and a property in filters.</p>
<table>${rows}</table>`,
  });
}
