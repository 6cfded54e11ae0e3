/** Pages of the service itself: what there is, what it conforms to, and each collection. */
import { type Html, html, text } from '../../../../http/formats/html-page.ts';
import type { PublishedType } from '../../../door/published-type.ts';
import { conformsTo, titleOf } from '../documents.ts';
import { itemsFormats } from '../item-formats.ts';
import { storageSystem, systemsOf } from '../systems.ts';
import type { FeaturesVisit } from '../visit.ts';
import { anchor, featuresPage, mapOf } from './frame.ts';

export function landingPage(visit: FeaturesVisit, types: readonly PublishedType[]): string {
  const { title, description } = titleOf(visit);
  const { root } = visit;
  return featuresPage(visit, {
    title,
    crumbs: [],
    alternates: [{ label: 'JSON', url: `${root}?f=json` }],
    content: html`${paragraph(description)}
<h2>Collections</h2>
${collectionList(visit, types)}
<h2>For programs</h2>
<ul class="items">
<li>${anchor(`${root}?f=json`, root)}: the address to give to GIS programs, as OGC API Features.</li>
<li>${anchor(`${root}/api?f=html`, 'The API')}: every address and parameter; ${anchor(`${root}/api?f=json`, 'as OpenAPI 3.0')}.</li>
<li>${anchor(`${root}/conformance?f=html`, 'Conformance')}: which parts of the standard are spoken.</li>
</ul>`,
  });
}

function paragraph(said: string): Html {
  return said === '' ? html`` : html`<p>${text(said)}</p>`;
}

function collectionList(visit: FeaturesVisit, types: readonly PublishedType[]): Html {
  if (types.length === 0) {
    return html`<p class="empty">None that you may see.</p>`;
  }
  const items = types.map((type) => {
    const link = anchor(`${visit.addressOf(type)}?f=html`, type.title);
    const name = type.title === visit.idOf(type) ? html`` : html` <span class="note">${text(visit.idOf(type))}</span>`;
    const features = anchor(`${visit.addressOf(type)}/items?f=html`, 'features');
    return html`<li>${link}${name} · ${features}</li>`;
  });
  return html`<ul class="items">${items}</ul>`;
}

export function collectionsPage(visit: FeaturesVisit, types: readonly PublishedType[]): string {
  return featuresPage(visit, {
    title: 'Collections',
    crumbs: [{ label: 'Collections' }],
    alternates: [{ label: 'JSON', url: `${visit.root}/collections?f=json` }],
    content: collectionList(visit, types),
  });
}

export function conformancePage(visit: FeaturesVisit): string {
  return featuresPage(visit, {
    title: 'Conformance',
    crumbs: [{ label: 'Conformance' }],
    alternates: [{ label: 'JSON', url: `${visit.root}/conformance?f=json` }],
    content: html`<p>The parts of the standards that this server speaks:</p>
<ul class="items">${conformsTo.map((name) => html`<li>${text(name)}</li>`)}</ul>`,
  });
}

/** The way from the landing page to a collection, and on from it. */
export function crumbsTo(visit: FeaturesVisit, type: PublishedType, further: readonly string[] = []) {
  const address = visit.addressOf(type);
  return [
    { label: 'Collections', url: `${visit.root}/collections?f=html` },
    { label: type.title, ...(further.length === 0 ? {} : { url: `${address}?f=html` }) },
    ...further.map((label) => ({ label })),
  ];
}

export function collectionPage(visit: FeaturesVisit, type: PublishedType): string {
  const address = visit.addressOf(type);
  const box = type.latLonBounds;
  const rows: readonly (readonly [string, Html])[] = [
    ['Name', html`${text(visit.idOf(type))}`],
    ...(type.keywords.length === 0 ? [] : [['Keywords', html`${text(type.keywords.join(', '))}`] as const]),
    [
      'Extent',
      box === null
        ? html`unknown`
        : html`${text(`${[box.minX, box.minY].map(degrees).join(', ')} to ${[box.maxX, box.maxY].map(degrees).join(', ')}`)}`,
    ],
    ['Kept in', html`${text(storageSystem(type) ?? 'a system without a code')}`],
    [
      'Can be had in',
      html`<ul class="items">${systemsOf(type, visit.door.settings).map((each) => html`<li>${text(each)}</li>`)}</ul>`,
    ],
    [
      'Attributes',
      html`<ul class="items">${type.attributes.map(({ name, type: of }) => html`<li>${text(name)} <span class="note">${text(of)}</span></li>`)}</ul>`,
    ],
    [
      'As',
      html`<ul class="items">${itemsFormats.map((format) => html`<li>${anchor(`${address}/items?f=${format.name}`, format.title)}</li>`)}</ul>`,
    ],
  ];
  return featuresPage(visit, {
    title: type.title,
    crumbs: crumbsTo(visit, type),
    alternates: [{ label: 'JSON', url: `${address}?f=json` }],
    content: html`${paragraph(type.abstract)}
<p>${anchor(`${address}/items?f=html`, 'Look at the features')} · ${anchor(`${address}/queryables?f=html`, 'What they can be filtered by')}</p>
${mapOf(visit, type, `${address}/items?f=geojson&limit=${MAP_FEATURES}`)}
<table>${rows.map(([name, value]) => html`<tr><th>${text(name)}</th><td>${value}</td></tr>`)}</table>`,
  });
}

/** Enough to see what a collection is about, and soon drawn. */
const MAP_FEATURES = 500;

/** A hundred metres or so. */
function degrees(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}

export function queryablesPage(
  visit: FeaturesVisit,
  type: PublishedType,
  properties: Readonly<Record<string, object>>,
): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { type: of, format, description } = schema as Readonly<Record<string, string | undefined>>;
    const kind = [of, format].filter((each) => each !== undefined).join(', ');
    return html`<tr><th>${text(name)}</th><td>${text(kind)}</td><td>${text(description ?? '')}</td></tr>`;
  });
  const address = visit.addressOf(type);
  return featuresPage(visit, {
    title: `What ${type.title} can be filtered by`,
    crumbs: crumbsTo(visit, type, ['Queryables']),
    alternates: [{ label: 'JSON Schema', url: `${address}/queryables?f=json` }],
    content: html`<p>Each of them is a query parameter of ${anchor(`${address}/items?f=html`, 'the features')}, and a property in a filter.</p>
<table>${rows}</table>`,
  });
}
