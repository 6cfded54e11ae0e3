/** The page of all that somebody may see: a small map of each, and a way to find one by its name. */
import { type Html, html, page, text } from '../../http/serialization/html-page.ts';
import type { PublishedMap } from '../access/published-map.ts';
import { formatPreviewUrl, formatThumbnailUrl } from './addresses.ts';

export interface ListPageContent {
  readonly root: string;
  readonly search: string;
  /** Counted from 1. */
  readonly number: number;
  readonly maps: readonly PublishedMap[];
  readonly hasMore: boolean;
}

/** Of the small maps. */
const WIDTH = 240;

export function writeListPage(list: ListPageContent): string {
  const { root, search, maps } = list;
  const content = html`<link rel="stylesheet" href="${text(`${root}/ogc/assets/preview.css`)}">
<form method="get" action="${text(`${root}/preview`)}" role="search"><label>Find <input type="search" name="search" value="${text(search)}" placeholder="part of a name"></label> <button>Find</button></form>
${maps.length === 0 ? writeEmptyList(search) : html`<ul class="cards">${maps.map((map) => writeCard(root, map))}</ul>`}
${writePageLinks(list)}`;
  return page({ title: 'Preview', crumbs: [{ label: 'Preview' }], alternates: [] }, content);
}

/** For somebody who asks for what is not there, or not for them. */
export function writeUnknownPage(root: string, name: string): string {
  const crumbs = [{ label: 'Preview', url: `${root}/preview` }, { label: name }];
  const content = html`<p class="empty">There is no layer of that name that you may see.</p>`;
  return page({ title: 'Nothing to see', crumbs, alternates: [] }, content);
}

function writeEmptyList(search: string): Html {
  return search === ''
    ? html`<p class="empty">There is nothing that you may see. Whoever has a name and a password may see more.</p>`
    : html`<p class="empty">Nothing is called so.</p>`;
}

function writeCard(root: string, map: PublishedMap): Html {
  const kind = map.kind === 'group' ? html` <span class="note">group</span>` : html``;
  return html`<li><a href="${text(formatPreviewUrl(root, map))}"><img src="${text(formatThumbnailUrl(root, map, WIDTH))}" alt="" loading="lazy" width="${text(WIDTH)}"><b>${text(map.title)}</b></a><small>${text(map.qualifiedName)}${kind}</small></li>`;
}

function writePageLinks({ root, search, number, hasMore }: ListPageContent): Html {
  const writePageLink = (page: number, label: string) => {
    const query = new URLSearchParams({ ...(search === '' ? {} : { search }), page: String(page) });
    return html`<a href="${text(`${root}/preview?${query}`)}">${text(label)}</a>`;
  };
  const steps = [
    ...(number > 1 ? [writePageLink(number - 1, '← The page before')] : []),
    ...(hasMore ? [writePageLink(number + 1, 'The next page →')] : []),
  ];
  return steps.length === 0
    ? html``
    : html`<p class="pages">${steps.flatMap((step, index) => (index === 0 ? [step] : [html` · `, step]))}</p>`;
}
