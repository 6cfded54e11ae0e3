/** The page of coordinate reference systems: a search, codes with names, and links to the other pages. */
import type { CodePage } from '../../crs/registry/list-codes.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeRecordTable } from '../../http/serialization/write-html.ts';

export function buildCodesPage(listed: CodePage, context: WriteContext): Html {
  const { search, codes, offset, total } = listed;
  const address = `${context.buildUrl(['crs'])}.html`;
  const rows = codes.map(({ code, name }) => [
    writeAnchor(`${context.buildUrl(['crs', code])}.html`, code),
    html`${text(name)}`,
  ]);
  const range = `${(offset + 1).toLocaleString('en')} to ${(offset + codes.length).toLocaleString('en')} of ${total.toLocaleString('en')}`;
  const content =
    codes.length === 0
      ? html`<p class="empty">No coordinate reference systems match. ${writeAnchor(address, 'Show all')}</p>`
      : html`<p>${text(range)}</p>
${writeRecordTable(['Code', 'Name'], rows)}`;
  return html`<form method="get" action="${text(address)}" role="search"><label>Search <input type="search" name="search" value="${text(search ?? '')}" placeholder="part of a code or name"></label> <button>Search</button></form>
${content}
${buildPageLinks(listed, address)}`;
}

function buildPageLinks({ authority, query, search, offset, limit, total }: CodePage, address: string): Html {
  const writePageLink = (start: number, label: string) => {
    const asked = Object.entries({ authority, query, search, limit, offset: Math.max(0, start) });
    const sent = asked.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)] as [string, string]]));
    return writeAnchor(`${address}?${new URLSearchParams(sent)}`, label);
  };
  const steps = [
    ...(offset > 0 ? [writePageLink(offset - limit, '← Previous page')] : []),
    ...(offset + limit < total ? [writePageLink(offset + limit, 'Next page →')] : []),
  ];
  return html`<p>${steps.flatMap((step, index) => (index === 0 ? [step] : [html` · `, step]))}</p>`;
}
