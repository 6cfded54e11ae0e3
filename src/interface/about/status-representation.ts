/** The documents for the module status. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { ListWriter } from '../../http/documents/listing.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { buildHref } from '../../http/serialization/href.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputMember, ResourcePath, WriteContext } from '../../http/serialization/output-tree.ts';
import type { ModuleStatus } from '../../operations/identity/module-status.ts';

const fields = {
  name: { type: 'string', examples: ['Catalog'] },
  module: { type: 'string', examples: ['graticule-catalog'] },
  component: { type: 'string' },
  version: { type: 'string' },
  message: { type: 'string' },
  isEnabled: { type: 'boolean', examples: [true] },
  isAvailable: { type: 'boolean', examples: [true] },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const moduleDocument: DocumentWriter<ModuleStatus> = {
  root: 'status',
  schema: { type: 'object', properties: { status: { type: 'object', properties: fields } }, required: ['status'] },
  write: (status) => ({
    root: 'status',
    title: status.name,
    node: { kind: 'object', members: toStatusMembers(status) },
  }),
};

/**
 * All modules: name and link as in every listing, plus the status fields. The root element is the one clients expect.
 */
export const moduleListing: ListWriter<ModuleStatus, readonly ModuleStatus[]> = {
  root: 'statuss',
  getName: ({ name }) => name,
  schema: {
    type: 'object',
    properties: {
      statuss: {
        type: 'object',
        properties: {
          status: {
            type: 'array',
            items: {
              type: 'object',
              properties: { ...fields, href: { type: 'string', format: 'uri' } },
              required: ['name', 'href'],
            },
          },
        },
      },
    },
    required: ['statuss'],
  },
  write: (statuses) => ({
    root: 'statuss',
    title: 'Modules',
    node: {
      kind: 'list',
      itemName: 'status',
      items: statuses.map((status) => ({
        kind: 'object',
        members: toStatusMembers(status),
        link: getModulePath(status),
      })),
    },
    page: { writeContent: (context) => buildModuleTable(statuses, context) },
  }),
};

function toStatusMembers(status: ModuleStatus): readonly OutputMember[] {
  const { name, module, component, version, message, enabled, available } = status;
  const values = { name, module, component, version, message, isEnabled: enabled, isAvailable: available };
  return Object.entries(values).map(([key, value]) => ({ name: key, node: { kind: 'value', value } }));
}

function getModulePath({ name }: ModuleStatus): ResourcePath {
  return ['about', 'status', name];
}

function buildModuleTable(statuses: readonly ModuleStatus[], context: WriteContext): Html {
  const headings = ['Module', 'Component', 'Version', 'Available', 'Enabled', 'Message'];
  const rows = statuses.map((status) => {
    const { name, component, version, available, enabled, message } = status;
    const link = html`<a href="${text(buildHref(getModulePath(status), 'html', context))}">${text(name)}</a>`;
    const cells = [component, version, formatYesNo(available), formatYesNo(enabled), message];
    return html`<tr><th scope="row">${link}</th>${cells.map((cell) => html`<td>${text(cell)}</td>`)}</tr>`;
  });
  return html`<div class="wide"><table><thead><tr>${headings.map((each) => html`<th scope="col">${text(each)}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function formatYesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
