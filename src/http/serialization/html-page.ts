/** The frame of every page: one stylesheet, breadcrumbs and no scripts. */
import { createHash } from 'node:crypto';

/** Escaped HTML; only `escapeHtml` and `html` create it. */
export type Html = string & { readonly escaped: unique symbol };

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): Html {
  return text.replace(/[&<>"']/g, (character) => replacements[character] ?? '') as Html;
}

/** A template that escapes its values unless they are HTML already: `` html`<b>${name}</b>` ``. */
export function html(literals: TemplateStringsArray, ...values: readonly (Html | HtmlText | readonly Html[])[]): Html {
  let page = literals[0] ?? '';
  values.forEach((value, index) => {
    page += (
      Array.isArray(value) ? value.join('') : value instanceof HtmlText ? escapeHtml(value.text) : value
    ) as string;
    page += literals[index + 1] ?? '';
  });
  return page as Html;
}

/** Marks plain text for `html`, which escapes it. */
export class HtmlText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function text(value: string | number | boolean): HtmlText {
  return new HtmlText(String(value));
}

const stylesheet = `
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6875; --line: #d9dfe5; --paper: #fff; --accent: #0b5c8a; --warm: #b77700; --hot: #c0392b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --soft: #9aa7b4; --line: #33404d; --paper: #161c22; --accent: #6cb8e6; --warm: #e0a83a; --hot: #ef6f61; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
nav, footer { color: var(--soft); font-size: .9rem; }
nav ol { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .4rem; }
nav li + li::before { content: "/"; margin-right: .4rem; }
h1 { font-size: 1.6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 1.8rem 0 .5rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
ul.items { padding-left: 1.2rem; }
ul.items li { margin: .15rem 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; width: 12rem; max-width: 24rem; overflow-wrap: break-word; }
td th { width: 8rem; }
.records th { width: auto; white-space: nowrap; }
td ul.items { margin: 0; }
.note { color: var(--soft); font-size: .85rem; border: 1px solid var(--line); border-radius: .6rem; padding: 0 .5rem; margin-left: .4rem; }
.empty { color: var(--soft); }
p, li, dd { overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; margin: 1rem 0; list-style: none; }
.figures li { flex: 1 1 7rem; border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .8rem; }
.figures b { display: block; font-size: 1.4rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.steps { padding-left: 1.2rem; }
.steps pre { margin: .3rem 0 .8rem; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .5rem; font: .85rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.columns { columns: 3 14rem; column-gap: 1.5rem; }
.columns li { break-inside: avoid; }
ul.columns > li { margin: 0; padding: .15rem 0; }
.looks { display: flex; flex-wrap: wrap; align-items: start; gap: 1rem; margin: 1rem 0; }
.looks figure { margin: 0; max-width: 100%; }
figcaption { color: var(--soft); font-size: .85rem; }
.extent { display: block; width: 20rem; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .5rem; }
.extent .lines { stroke: var(--line); }
.extent .frame { stroke: var(--soft); fill: none; }
.extent .box { stroke: var(--accent); fill: var(--accent); fill-opacity: .25; }
footer { margin-top: 2rem; }
.source { overflow-x: auto; max-height: 40rem; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; font: .85rem/1.4 ui-monospace, monospace; tab-size: 2; }
.swatch { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem; background: #fff; max-width: 100%; box-sizing: border-box; }
.wide { overflow-x: auto; }
.wide table { width: max-content; min-width: 100%; }
.wide th { width: auto; white-space: nowrap; }
.wide td { max-width: 24rem; }
.groups { columns: 2 22rem; column-gap: 1rem; }
.groups section { break-inside: avoid; border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; margin-bottom: 1rem; }
.groups h2 { font-size: 1rem; margin: 0 0 .3rem; }
.groups dl { margin: 0; }
.groups dl > div { display: grid; grid-template-columns: minmax(35%, 1fr) auto; gap: 0 1rem; padding: .3rem 0; border-top: 1px solid var(--line); }
.groups dt { overflow-wrap: anywhere; }
.groups dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.groups dd.rest { grid-column: 1 / -1; text-align: left; color: var(--soft); font-size: .85rem; }
.groups dd.bar { grid-column: 1 / -1; line-height: 1; padding: .15rem 0 .25rem; }
@media (max-width: 40rem) {
  body { margin-top: 1rem; }
  :is(table, tbody, tr, th, td):not(.wide *) { display: block; }
  tr:not(.wide *) { border-bottom: 1px solid var(--line); padding: .3rem 0; }
  :is(th, td):not(.wide *) { border: 0; padding: .1rem 0; width: auto; }
  td table:not(.wide *) { padding-left: .8rem; }
  th:not(.wide *) { max-width: none; font-size: .9rem; }
  .records thead { display: none; }
  .records td:empty { display: none; }
  .records td::before { content: attr(data-label) ": "; color: var(--soft); }
}
meter { display: block; width: 100%; height: .5rem; border: 0; border-radius: .25rem; background: var(--line); overflow: hidden; }
meter::-webkit-meter-bar { height: .5rem; border: 0; border-radius: .25rem; background: var(--line); }
meter::-webkit-meter-optimum-value { background: var(--accent); }
meter::-webkit-meter-suboptimum-value { background: var(--warm); }
meter::-webkit-meter-even-less-good-value { background: var(--hot); }
meter:-moz-meter-optimum::-moz-meter-bar { background: var(--accent); }
meter:-moz-meter-sub-optimum::-moz-meter-bar { background: var(--warm); }
meter:-moz-meter-sub-sub-optimum::-moz-meter-bar { background: var(--hot); }
`;

/** Allows browsers to apply this stylesheet only. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Crumb {
  readonly label: string;
  /** Undefined for a step without a page. */
  readonly url?: string;
}

/** The first breadcrumb of every page: the start page. */
export function createHomeCrumb(url: string): Crumb {
  return { label: 'Graticule', url };
}

export interface PageFrame {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** The same resource in other formats. */
  readonly alternates: readonly Crumb[];
  /** The interval after which a browser reloads the page. */
  readonly refreshSeconds?: number;
}

export function page(frame: PageFrame, content: Html): string {
  const [before, after] = writePageFrame(frame);
  return `${before}${content}${after}`;
}

/** Returns the parts of a page before and after its content. */
export function writePageFrame(frame: PageFrame): readonly [before: Html, after: Html] {
  const crumbs = frame.crumbs.map((crumb) => html`<li>${writeCrumbLink(crumb)}</li>`);
  const refresh =
    frame.refreshSeconds === undefined
      ? []
      : [html`\n<meta http-equiv="refresh" content="${text(frame.refreshSeconds)}">`];
  const alternates = frame.alternates.map((each) => html` ${writeCrumbLink(each)}`);
  const before = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${text(frame.title)} · Graticule</title>
<style>${stylesheet as Html}</style>
</head>
<body>
<nav aria-label="Breadcrumb"><ol>${crumbs}</ol></nav>
<main>
<h1>${text(frame.title)}</h1>
`;
  const after = html`
</main>
<footer>${alternates.length === 0 ? text('') : html`Other formats:${alternates}`}</footer>
</body>
</html>
`;
  return [before, after];
}

function writeCrumbLink({ label, url }: Crumb): Html {
  return url === undefined ? html`${text(label)}` : html`<a href="${text(url)}">${text(label)}</a>`;
}
