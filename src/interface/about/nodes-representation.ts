/** The document that lists the nodes sharing one storage. */
import type { ListWriter } from '../../http/documents/listing.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { NodeEntry } from '../../storage/nodes/nodes.ts';

const fields = {
  name: { type: 'string' },
  version: { type: 'string' },
  position: { type: 'integer', description: 'The last change that the node has applied.' },
  alive: { type: 'boolean', description: 'Whether the node has reported recently.' },
  here: { type: 'boolean', description: 'Whether this node sent the response.' },
  started: { type: 'string', format: 'date-time' },
  seen: { type: 'string', format: 'date-time' },
  clockAheadMs: { type: 'integer' },
  cacheBytes: { type: 'integer' },
  cacheLimitBytes: { type: 'integer' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Sorted by name; names need not be unique. */
export const nodeListing: ListWriter<NodeEntry, readonly NodeEntry[]> = {
  root: 'nodes',
  getName: ({ name }) => name,
  schema: {
    type: 'object',
    properties: {
      nodes: {
        type: 'object',
        properties: { node: { type: 'array', items: { type: 'object', properties: fields, required: ['name'] } } },
      },
    },
    required: ['nodes'],
  },
  write: (nodes) => ({
    root: 'nodes',
    title: 'Nodes',
    node: {
      kind: 'list',
      itemName: 'node',
      items: nodes.map((node) => ({
        kind: 'object',
        members: Object.entries(toNodeValues(node)).map(([name, value]) => ({ name, node: { kind: 'value', value } })),
      })),
    },
    page: { writeContent: () => buildNodeTable(nodes) },
  }),
};

function toNodeValues(node: NodeEntry): Readonly<Record<keyof typeof fields, string | number | boolean>> {
  const { name, version, position, isAlive, isHere, clockAheadMs, cacheBytes, cacheLimitBytes } = node;
  const [started, seen] = [node.startedAtMs, node.seenAtMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  return {
    name,
    version,
    position,
    alive: isAlive,
    here: isHere,
    started,
    seen,
    clockAheadMs,
    cacheBytes,
    cacheLimitBytes,
  };
}

function buildNodeTable(nodes: readonly NodeEntry[]): Html {
  const headings = ['Node', 'Version', 'Last change', 'Reporting', 'Started', 'Clock offset', 'File cache'];
  const rows = nodes.map((node) => {
    const { version, position, seen, started, clockAheadMs, cacheBytes } = toNodeValues(node);
    const lastReport = node.isAlive ? 'now' : `last at ${seen}`;
    const megabytes = `${Math.ceil(Number(cacheBytes) / 1_048_576)} MB`;
    const cells = [version, position, lastReport, started, `${clockAheadMs} ms`, megabytes];
    const name = node.isHere ? `${node.name} (this node)` : node.name;
    return html`<tr><th scope="row">${text(name)}</th>${cells.map((cell) => html`<td>${text(String(cell))}</td>`)}</tr>`;
  });
  return html`<div class="wide"><table><thead><tr>${headings.map((each) => html`<th scope="col">${text(each)}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
