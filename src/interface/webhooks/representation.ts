/** The documents for webhooks, with their delivery state. */
import type { DeliveryFailure, DeliveryState } from '../../catalog/webhooks/delivery-state.ts';
import type { Webhook } from '../../catalog/webhooks/webhook.ts';
import { type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import type { Field, FieldReader, WritableField } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeNodeHtml, writeRecordTable } from '../../http/serialization/write-html.ts';

/** A webhook and its delivery state. */
export interface WebhookWithState {
  readonly webhook: Webhook;
  readonly state: DeliveryState;
}

const { text: textField, flag, secret } = createFieldBuilders<WebhookWithState>();

export const webhookDocument = defineDocument(
  'webhook',
  {
    name: textField(({ webhook }) => webhook.name, { required: true, description: 'Unique.', example: 'ci' }),
    url: textField(({ webhook }) => webhook.url, {
      required: true,
      description: 'URL that receives the events; the URL checks must allow it now and at each delivery.',
      example: 'https://ci.example/hook',
    }),
    secret: secret({ description: 'Secret that signs deliveries. Never returned.', example: 'correct horse' }),
    enabled: flag(({ webhook }) => webhook.enabled, { description: 'Whether events are sent; default: true.' }),
    kinds: textsField(({ webhook }) => webhook.kinds, 'kind', 'Send only resources of these kinds; empty for all.'),
    paths: textsField(
      ({ webhook }) => webhook.paths,
      'path',
      'Send only resources at or below these paths; empty for all.',
    ),
    expand: flag(({ webhook }) => webhook.expand, {
      description: 'Whether events contain the fields of each resource before and after the change.',
    }),
    position: positionField(),
    failure: failureField(),
  },
  { title: ({ webhook }) => `Webhook ${webhook.name}` },
);

/** The page also links to the delivery attempts. */
export const webhookPage: DocumentWriter<WebhookWithState> = {
  root: webhookDocument.root,
  schema: webhookDocument.schema,
  write(shown) {
    const written = webhookDocument.write(shown);
    return { ...written, page: { writeContent: (context) => buildWebhookPage(shown, written.node, context) } };
  },
};

function buildWebhookPage({ webhook }: WebhookWithState, node: OutputNode, context: WriteContext): Html {
  const deliveries = `${context.buildUrl(['webhooks', webhook.name, 'deliveries'])}.html`;
  return html`<p>${writeAnchor(deliveries, 'Deliveries')}</p>
${writeNodeHtml(node, context)}`;
}

export const webhookListing = createListWriter<Webhook>('webhooks', {
  itemName: 'webhook',
  title: 'Webhooks',
  name: ({ name }) => name,
  path: ({ name }) => ['webhooks', name],
});

export const deliveriesDocument: DocumentWriter<DeliveryState> = {
  root: 'deliveries',
  schemaName: 'Deliveries',
  schema: {
    type: 'object',
    properties: {
      deliveries: {
        type: 'array',
        description: 'The last 100 attempts, newest first.',
        items: {
          type: 'object',
          properties: {
            event: { type: 'integer', description: 'Number of the change.' },
            at: { type: 'string', format: 'date-time' },
            attempt: { type: 'integer' },
            status: { description: 'Status of the response; null if there was none.' },
            ms: { type: 'integer' },
            message: { type: 'string', description: 'Reason of the failure.' },
          },
        },
      },
    },
  },
  write: ({ deliveries }) => ({
    root: 'deliveries',
    title: 'Deliveries',
    node: {
      kind: 'sequence',
      members: deliveries.map(({ event, atMs, attempt, status, ms, message }) => ({
        name: 'delivery',
        node: {
          kind: 'object',
          members: [
            toValueMember('event', event),
            toValueMember('at', new Date(atMs).toISOString()),
            toValueMember('attempt', attempt),
            toValueMember('status', status),
            toValueMember('ms', ms),
            ...(message === undefined ? [] : [toValueMember('message', message)]),
          ],
        },
      })),
    },
    page: { writeContent: () => buildDeliveriesPage(deliveries) },
  }),
};

function buildDeliveriesPage(deliveries: DeliveryState['deliveries']): Html {
  if (deliveries.length === 0) return html`<p class="empty">No deliveries yet.</p>`;
  const headings = ['Change', 'Time (UTC)', 'Attempt', 'Status', 'Milliseconds', 'Failure'];
  const rows = deliveries.map(({ event, atMs, attempt, status, ms, message }) =>
    [event, new Date(atMs).toISOString(), attempt, status ?? '–', ms, message ?? ''].map((each) => html`${text(each)}`),
  );
  return writeRecordTable(headings, rows);
}

function toValueMember(name: string, of: string | number | null): OutputMember {
  return { name, node: { kind: 'value', value: of } };
}

/** A list of texts, which is always an array in JSON. */
function textsField(
  of: (resource: WebhookWithState) => readonly string[],
  itemName: string,
  description: string,
): WritableField<WebhookWithState, readonly string[]> {
  return {
    read: readTexts,
    write: (resource) => ({ kind: 'sequence', members: of(resource).map((each) => toValueMember(itemName, each)) }),
    required: false,
    schema: { type: 'array', items: { type: 'string' }, description },
  };
}

function readTexts(
  nodes: readonly InputNode[],
  { reportError: complain }: FieldReader,
): readonly string[] | null | undefined {
  if (nodes.length === 1 && nodes[0]?.kind === 'nil') {
    return null;
  }
  if (nodes.some(({ kind }) => kind !== 'scalar')) {
    complain('expected a list of texts');
    return undefined;
  }
  return nodes.map((node) => node.text);
}

function positionField(): Field<WebhookWithState, never> {
  return {
    write: ({ state }) => ({ kind: 'value', value: state.position }),
    required: false,
    schema: { type: 'integer', readOnly: true, description: 'The last acknowledged change.' },
  };
}

function failureField(): Field<WebhookWithState, never> {
  return {
    write: ({ state }) => (state.failure === null ? { kind: 'value', value: null } : buildFailureNode(state.failure)),
    required: false,
    schema: { readOnly: true, description: 'Start, number and reason of the current failures, or null.' },
  };
}

function buildFailureNode({ sinceMs, attempts, status, message }: DeliveryFailure): OutputNode {
  return {
    kind: 'object',
    members: [
      toValueMember('since', new Date(sinceMs).toISOString()),
      toValueMember('attempts', attempts),
      toValueMember('status', status),
      toValueMember('message', message),
    ],
  };
}
