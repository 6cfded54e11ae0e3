import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compat, ours, type SampleName, samples } from '../../../test/support/output-samples.ts';
import { contentSecurityPolicy, html } from './html-page.ts';
import { writeHtml } from './write-html.ts';

const frame = { crumbs: [{ label: 'REST', url: 'http://host/rest.html' }], alternates: [] };

/** Returns the content below the heading of a page. */
function content(page: string): string {
  return /<\/h1>\n([\s\S]*)\n<\/main>/.exec(page)?.[1] ?? '';
}

function row(heading: string, cell: string): string {
  return `<tr><th scope="row">${heading}</th><td>${cell}</td></tr>`;
}

function anchor(path: string, label: string): string {
  return `<a href="http://host/rest/${path}">${label}</a>`;
}

function items(...contents: readonly string[]): string {
  return `<ul class="items">${contents.map((each) => `<li>${each}</li>`).join('')}</ul>`;
}

const nothing = '<p class="empty">No items.</p>';

/** The HTML of each sample; it is the same in all dialects. */
const golden: Readonly<Record<SampleName, string>> = {
  values: `<table>${row('text', 'plain')}${row('empty', '')}${row('number', '1.5')}${row('flag', 'false')}${row('looksLikeNumber', '5432')}</table>`,
  markup: `<table>${row('text', '&lt;b a=&quot;1&quot;&gt;&#39;&amp;&#39; ]]&gt;\u0001&lt;/b&gt;')}</table>`,
  whitespace: `<table>${row('text', ' a\tb\r\nc ')}</table>`,
  underscore: `<table>${row('_default', 'true')}</table>`,
  emptyObject: '<table></table>',
  attributes: `<table>${row('key', 'a &quot;&lt;&amp;&gt;&quot;')}${row('other', '')}</table>`,
  attributesAndText: `<table>${row('key', 'port')}${row('value', '5432')}</table>`,
  attributesAndMembers: `<table>${row('class', 'dataStore')}${row('name', 'ws:roads')}</table>`,
  reference: `<table>${row('workspace', anchor('things/a%20b.html', 'a b'))}</table>`,
  collectionLink: `<table>${row('dataStores', anchor('workspaces/%C3%BC%26/datastores.html', 'datastores'))}</table>`,
  listingOfNone: nothing,
  listingOfOne: items(anchor('things/one.html', 'one')),
  listingOfTwo: items(anchor('things/one.html', 'one'), anchor('things/two.html', 'two')),
  listingOfTwins: items(
    anchor('things/a/.html', 'a'),
    anchor('things/a.html.html', 'a.html'),
    anchor('things/a.json.html', 'a.json'),
    anchor('things/a.xml.html', 'a.xml'),
  ),
  nestedListOfNone: `<table>${row('keywords', nothing)}</table>`,
  nestedListOfOne: `<table>${row('keywords', items('a'))}</table>`,
  nestedListOfTwo: `<table>${row('keywords', items('a', 'b'))}</table>`,
  mapOfOne: `<table>${row('metadata', `<table>${row('a&quot;b', '1&lt;2')}</table>`)}</table>`,
  mapOfTwo: `<table>${row('metadata', `<table>${row('port', '5432')}${row('__proto__', 'x')}</table>`)}</table>`,
  sequence: `<table>${row('first', 'a')}${row('second', anchor('things/b.html', 'b'))}</table>`,
  jsonWithoutRoot: 'unused',
  jsonWithAnotherRoot: nothing,
};

describe('a page', () => {
  it.each(Object.keys(golden) as SampleName[])('shows %s', (name) => {
    expect(content(writeHtml(samples[name], ours, frame))).toBe(golden[name]);
    expect(content(writeHtml(samples[name], compat, frame))).toBe(golden[name]);
  });

  it('repeats no text in links, and shows empty entries', () => {
    const value = (name: string, of: string) => ({ name, node: { kind: 'value', value: of } }) as const;
    const style = {
      kind: 'object',
      members: [value('name', 'acme:roads'), value('workspace', 'acme'), value('kind', 'css')],
      link: ['styles', 'roads'],
    } as const;
    const nothing = { kind: 'value', value: null } as const;

    const page = writeHtml(
      { root: 'styles', title: 'Styles', node: { kind: 'list', itemName: 'style', items: [style, nothing] } },
      ours,
      frame,
    );

    expect(content(page)).toContain('acme:roads</a> <span> css</span></li><li><span class="empty">–</span></li>');
  });

  it('shows a remark beside its link', () => {
    const item = { kind: 'object', members: [], link: ['things', 'a'], note: '<default>' } as const;
    const page = writeHtml(
      { root: 'things', title: 'Things', node: { kind: 'list', itemName: 'thing', items: [item] } },
      ours,
      frame,
    );

    expect(content(page)).toBe(items(`${anchor('things/a.html', 'a')} <span class="note">&lt;default&gt;</span>`));
  });

  it('escapes its title, breadcrumbs and other formats', () => {
    const page = writeHtml({ root: 'a', title: '<i>&', node: { kind: 'value', value: '' } }, ours, {
      crumbs: [{ label: '<u>', url: 'http://host/"><u>' }],
      alternates: [{ label: '<s>', url: 'http://host/"><s>' }],
    });

    expect(page).toContain('<title>&lt;i&gt;&amp; · Graticule</title>');
    expect(page).toContain('<h1>&lt;i&gt;&amp;</h1>');
    expect(page).toContain('<li><a href="http://host/&quot;&gt;&lt;u&gt;">&lt;u&gt;</a></li>');
    expect(page).toContain('<footer>Other formats: <a href="http://host/&quot;&gt;&lt;s&gt;">&lt;s&gt;</a></footer>');
    expect(page).not.toMatch(/<[ius]>/);
  });

  it('uses only the stylesheet that the content security policy allows', () => {
    const page = writeHtml(samples.values, ours, frame);
    const stylesheet = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
    const digest = createHash('sha256').update(stylesheet).digest('base64');

    expect(contentSecurityPolicy).toContain(`style-src 'sha256-${digest}'`);
    expect(contentSecurityPolicy).toContain("default-src 'none'");
    expect(contentSecurityPolicy).toContain("frame-ancestors 'none'");
    expect(page).not.toMatch(/<script|\son\w+=|\sstyle=/i);
  });

  it('can have custom content and reload itself', () => {
    const own = { writeContent: () => html`<p>own</p>`, refreshSeconds: 5 };
    const page = writeHtml({ ...samples.values, page: own }, ours, frame);

    expect(content(page)).toBe('<p>own</p>');
    expect(page).toContain('<meta http-equiv="refresh" content="5">');
  });
});
