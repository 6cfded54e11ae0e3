/** The first few of many: what a page shows of a collection that has a page of its own. */
import { buildHref } from '../../http/serialization/href.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { ResourcePath, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor } from '../../http/serialization/write-html.ts';

/** More than that nobody looks through on a page about something else. */
export const SHOWN_ITEMS = 50;

/** One more than is shown tells that there are more. */
export const FETCHED_ITEMS = SHOWN_ITEMS + 1;

export interface ShortItem {
  readonly name: string;
  readonly path: ResourcePath;
}

export interface ShortList {
  readonly title: string;
  /** As many as were asked for. */
  readonly items: readonly ShortItem[];
  /** The page of all of them. */
  readonly all: ResourcePath;
  readonly empty: string;
}

export function buildShortList({ title, items, all, empty }: ShortList, context: WriteContext): Html {
  const names = new Set(items.map(({ name }) => name));
  const buildLink = ({ name, path }: ShortItem) => {
    // `a.html` beside `a`: the address of the page of `a` would be that of the other.
    const siblings = names.has(`${name}.html`) ? [`${path.at(-1)}.html`] : [];
    return html`<li>${writeAnchor(buildHref(path, 'html', context, siblings), name)}</li>`;
  };
  const listed =
    items.length === 0
      ? html`<p class="empty">${text(empty)}</p>`
      : html`<ul class="items columns">${items.slice(0, SHOWN_ITEMS).map(buildLink)}</ul>`;
  const more = items.length > SHOWN_ITEMS ? `The first ${SHOWN_ITEMS}; see all` : 'All of them';
  return html`<h2>${text(title)}</h2>
${listed}
<p>${writeAnchor(buildHref(all, 'html', context), more)}</p>
`;
}
