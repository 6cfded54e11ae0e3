/** The frame of every page: one stylesheet, the way back up, and nothing a browser could run. */
import { createHash } from 'node:crypto';

/** Text of a page, already escaped; only `escapeHtml` and `html` make it. */
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

/** A template whose values are escaped unless they are pages' parts already: `` html`<b>${name}</b>` ``. */
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
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6875; --line: #d9dfe5; --paper: #fff; --accent: #0b5c8a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --soft: #9aa7b4; --line: #33404d; --paper: #161c22; --accent: #6cb8e6; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
nav, footer { color: var(--soft); font-size: .9rem; }
nav ol { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .4rem; }
nav li + li::before { content: "/"; margin-right: .4rem; }
h1 { font-size: 1.6rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
ul.items { padding-left: 1.2rem; }
ul.items li { margin: .15rem 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; }
.note { color: var(--soft); font-size: .85rem; border: 1px solid var(--line); border-radius: .6rem; padding: 0 .5rem; margin-left: .4rem; }
.empty { color: var(--soft); }
footer { margin-top: 2rem; }
`;

/** What a browser may do with our pages: apply this stylesheet, and nothing else. */
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
  readonly url: string;
}

export interface PageFrame {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** The same resource in other formats. */
  readonly alternates: readonly Crumb[];
}

export function page(frame: PageFrame, content: Html): string {
  const crumbs = frame.crumbs.map((crumb) => html`<li><a href="${text(crumb.url)}">${text(crumb.label)}</a></li>`);
  const alternates = frame.alternates.map((each) => html` <a href="${text(each.url)}">${text(each.label)}</a>`);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(frame.title)} · Graticule</title>
<style>${stylesheet as Html}</style>
</head>
<body>
<nav aria-label="Breadcrumb"><ol>${crumbs}</ol></nav>
<main>
<h1>${text(frame.title)}</h1>
${content}
</main>
<footer>${alternates.length === 0 ? text('') : html`Also as${alternates}`}</footer>
</body>
</html>
`;
}
