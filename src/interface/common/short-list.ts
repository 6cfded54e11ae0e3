/** A short list on a page: the first items of a collection that has a page of its own. */
import { buildHref } from '../../http/serialization/href.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { ResourcePath, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor } from '../../http/serialization/write-html.ts';

/** Maximum number of items in a short list. */
export const SHOWN_ITEMS = 50;

/** Requests one item more than it shows, to detect that there are more. */
export const FETCHED_ITEMS = SHOWN_ITEMS + 1;

export interface ShortItem {
  readonly name: string;
  readonly path: ResourcePath;
}

export interface ShortList {
  readonly title: string;
  readonly items: readonly ShortItem[];
  /** Path of the page that lists all items. */
  readonly all: ResourcePath;
  readonly empty: string;
}

export function buildShortList({ title, items, all, empty }: ShortList, context: WriteContext): Html {
  const names = new Set(items.map(({ name }) => name));
  const buildLink = ({ name, path }: ShortItem) => {
    // Names such as `a.html` next to `a`: the page of `a` needs a URL that differs from the other resource.
    const siblings = names.has(`${name}.html`) ? [`${path.at(-1)}.html`] : [];
    return html`<li>${writeAnchor(buildHref(path, 'html', context, siblings), name)}</li>`;
  };
  const listed =
    items.length === 0
      ? html`<p class="empty">${text(empty)}</p>`
      : html`<ul class="items columns">${items.slice(0, SHOWN_ITEMS).map(buildLink)}</ul>`;
  const more = items.length > SHOWN_ITEMS ? `First ${SHOWN_ITEMS} shown. Show all` : 'Show all';
  return html`<h2>${text(title)}</h2>
${listed}
<p>${writeAnchor(buildHref(all, 'html', context), more)}</p>
`;
}
