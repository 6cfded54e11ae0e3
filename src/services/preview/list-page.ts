/** The page of all visible layers and groups, with thumbnails and a search. */
import { createHomeCrumb, type Html, html, page, text } from '../../http/serialization/html-page.ts';
import type { PublishedMap } from '../access/published-map.ts';
import { formatPreviewUrl, formatThumbnailUrl } from './addresses.ts';

export interface ListPageContent {
  readonly root: string;
  readonly search: string;
  /** Starts at 1. */
  readonly number: number;
  readonly maps: readonly PublishedMap[];
  readonly hasMore: boolean;
}

/** The width of thumbnails. */
const WIDTH = 240;

export function writeListPage(list: ListPageContent): string {
  const { root, search, maps } = list;
  const content = html`<link rel="stylesheet" href="${text(`${root}/ogc/assets/preview.css`)}">
<form method="get" action="${text(`${root}/preview`)}" role="search"><label>Search <input type="search" name="search" value="${text(search)}" placeholder="part of a name"></label> <button>Search</button></form>
${maps.length === 0 ? writeEmptyList(search) : html`<ul class="cards">${maps.map((map) => writeCard(root, map))}</ul>`}
${writePageLinks(list)}`;
  return page(
    { title: 'Preview', crumbs: [createHomeCrumb(`${root}/`), { label: 'Preview' }], alternates: [] },
    content,
  );
}

/** For missing and hidden layers. */
export function writeUnknownPage(root: string, name: string): string {
  const crumbs = [createHomeCrumb(`${root}/`), { label: 'Preview', url: `${root}/preview` }, { label: name }];
  const content = html`<p class="empty">The layer does not exist, or you do not have access to it.</p>`;
  return page({ title: 'Layer not found', crumbs, alternates: [] }, content);
}

function writeEmptyList(search: string): Html {
  return search === ''
    ? html`<p class="empty">No layers are available to you. Sign in to see more.</p>`
    : html`<p class="empty">No layers match your search.</p>`;
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
    ...(number > 1 ? [writePageLink(number - 1, '← Previous page')] : []),
    ...(hasMore ? [writePageLink(number + 1, 'Next page →')] : []),
  ];
  return steps.length === 0
    ? html``
    : html`<p class="pages">${steps.flatMap((step, index) => (index === 0 ? [step] : [html` · `, step]))}</p>`;
}
