/** The contents page: counts, first steps, and every family with its paths. */
import { buildHref } from '../../http/serialization/href.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor } from '../../http/serialization/write-html.ts';

export interface ContentsEntry {
  /** The path below the REST root, without the leading slash. */
  readonly path: string;
  readonly summary: string;
  readonly methods: readonly string[];
}

/** A count of records. */
export interface CatalogCount {
  readonly label: string;
  readonly count: number;
  /** The path of their listing, if there is one. */
  readonly path?: string;
}

export interface ContentsGroup {
  readonly family: string;
  readonly description: string;
  readonly entries: readonly ContentsEntry[];
}

export function buildContentsPage(
  groups: readonly ContentsGroup[],
  figures: readonly CatalogCount[],
  context: WriteContext,
): Html {
  return html`<ul class="figures">${figures.map((figure) => buildCountItem(figure, context))}</ul>
${buildFirstSteps(context.buildUrl([]))}
<h2>All resources</h2>
<p>For programs, append <code>.json</code> or <code>.xml</code> to each URL. All operations, with types and examples: ${writeAnchor(context.buildUrl(['openapi.json']), 'openapi.json')}.</p>
<div class="groups">${groups.map((group) => buildGroupSection(group, context))}</div>`;
}

function buildCountItem({ label, count, path }: CatalogCount, context: WriteContext): Html {
  const shown = path === undefined ? html`${text(label)}` : writeAnchor(getPageUrl(path, context), label);
  return html`<li><b>${text(count)}</b>${shown}</li>`;
}

function buildFirstSteps(root: string): Html {
  const steps = [
    [
      'Create a workspace',
      `curl -u admin -H 'Content-Type: text/xml' -d '<workspace><name>acme</name></workspace>' ${root}/workspaces`,
    ],
    [
      'Upload and publish data',
      `curl -u admin -T roads.zip -H 'Content-Type: application/zip' ${root}/workspaces/acme/datastores/roads/file.shp`,
    ],
    ['List the published layer', `curl -u admin ${root}/workspaces/acme/layers.json`],
  ] as const;
  const items = steps.map(([what, line]) => html`<li>${text(what)}<pre>${text(line)}</pre></li>`);
  return html`<h2>First steps</h2>
<ol class="steps">${items}</ol>`;
}

function buildGroupSection({ family, description, entries }: ContentsGroup, context: WriteContext): Html {
  const rows = entries.map(
    ({ path, summary, methods }) =>
      html`<div><dt>${writeAnchor(getPageUrl(path, context), path)}</dt><dd>${text(methods.join(', '))}</dd><dd class="rest">${text(summary)}</dd></div>`,
  );
  return html`<section><h2>${text(family)}</h2><p class="empty">${text(description)}</p><dl>${rows}</dl></section>`;
}

function getPageUrl(path: string, context: WriteContext): string {
  return buildHref(path.split('/'), 'html', context);
}
