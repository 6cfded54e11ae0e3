/** The documents for the version report and the manifest. */
import type { ListWriter } from '../../http/documents/listing.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputList, OutputNode } from '../../http/serialization/output-tree.ts';
import type { AboutResource } from '../../operations/identity/resource-filter.ts';

function createAboutDocument(title: string): ListWriter<AboutResource, readonly AboutResource[]> {
  return {
    root: 'about',
    getName: ({ name }) => name,
    schema,
    write(resources) {
      const node: OutputList = { kind: 'list', itemName: 'resource', items: resources.map(buildResourceNode) };
      return {
        root: 'about',
        node,
        title,
        // The reference encodes this as a nested list, which collapses to an object when it has one item, not as a
        // listing.
        json: { root: null, node: { kind: 'object', members: [{ name: 'about', node }] } },
        page: { writeContent: () => buildResourceTable(resources) },
      };
    },
  };
}

const schema: JsonSchema = {
  type: 'object',
  properties: {
    about: {
      type: 'object',
      properties: {
        resource: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              '@name': { type: 'string', examples: ['Graticule'] },
              Version: { type: 'string', examples: ['1.0.0'] },
            },
            required: ['@name'],
            additionalProperties: { type: 'string' },
          },
        },
      },
    },
  },
  required: ['about'],
};

export const versionDocument = createAboutDocument('Versions');
export const manifestDocument = createAboutDocument('Manifest');

function buildResourceNode({ name, properties }: AboutResource): OutputNode {
  return {
    kind: 'object',
    attributes: { name },
    members: Object.entries(properties).map(([key, value]) => ({ name: key, node: { kind: 'value', value } })),
  };
}

/** The properties that most resources share have a column each; the others go into the last column. */
function buildResourceTable(resources: readonly AboutResource[]): Html {
  if (resources.length === 0) {
    return html`<p class="empty">No resource matches.</p>`;
  }
  const all = resources.flatMap(({ properties }) => Object.keys(properties));
  const common = [...new Set(all)].filter((key) => all.filter((each) => each === key).length * 2 > resources.length);
  const hasMore = all.some((key) => !common.includes(key));
  const headings = ['Name', ...common, ...(hasMore ? ['More'] : [])];
  const rows = resources.map(({ name, properties }) => {
    const others = Object.entries(properties).filter(([key]) => !common.includes(key));
    const more = others.map(([key, value]) => html`<div>${text(key)}: ${text(value)}</div>`);
    const cells = common.map((key) => html`<td>${text(properties[key] ?? '')}</td>`);
    return html`<tr><th scope="row">${text(name)}</th>${cells}${hasMore ? html`<td>${more}</td>` : html``}</tr>`;
  });
  const head = headings.map((heading) => html`<th scope="col">${text(heading)}</th>`);
  return html`<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
