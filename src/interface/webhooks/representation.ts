/** Webhooks as documents, with how far their deliveries have got. */
import type { DeliveryFailure, DeliveryState } from '../../catalog/webhooks/delivery-state.ts';
import type { Webhook } from '../../catalog/webhooks/webhook.ts';
import { type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import type { Field, FieldReader, WritableField } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';

/** A webhook, and what became of its deliveries so far. */
export interface WebhookWithState {
  readonly webhook: Webhook;
  readonly state: DeliveryState;
}

const { text, flag, secret } = createFieldBuilders<WebhookWithState>();

export const webhookDocument = defineDocument(
  'webhook',
  {
    name: text(({ webhook }) => webhook.name, { required: true, description: 'Unique.', example: 'ci' }),
    url: text(({ webhook }) => webhook.url, {
      required: true,
      description: 'Where events are posted to; the URL checks must let it pass, now and at each delivery.',
      example: 'https://ci.example/hook',
    }),
    secret: secret({ description: 'What deliveries are signed with. It never comes back.', example: 'correct horse' }),
    enabled: flag(({ webhook }) => webhook.enabled, { description: 'Whether anything is sent; true by default.' }),
    kinds: textsField(({ webhook }) => webhook.kinds, 'kind', 'Only of these kinds; empty for all.'),
    paths: textsField(({ webhook }) => webhook.paths, 'path', 'Only what is at these paths, or below; empty for all.'),
    expand: flag(({ webhook }) => webhook.expand, {
      description: 'Whether events have the fields of each resource before and after the change.',
    }),
    position: positionField(),
    failure: failureField(),
  },
  { title: ({ webhook }) => `Webhook ${webhook.name}` },
);

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
            event: { type: 'integer', description: 'The number of the change.' },
            at: { type: 'string', format: 'date-time' },
            attempt: { type: 'integer' },
            status: { description: 'The status of the answer; null where none came.' },
            ms: { type: 'integer' },
            message: { type: 'string', description: 'Why it failed.' },
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
  }),
};

function toValueMember(name: string, of: string | number | null): OutputMember {
  return { name, node: { kind: 'value', value: of } };
}

/** A list of texts, which is an array in JSON however many there are. */
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
    complain('a list of texts was expected');
    return undefined;
  }
  return nodes.map((node) => node.text);
}

function positionField(): Field<WebhookWithState, never> {
  return {
    write: ({ state }) => ({ kind: 'value', value: state.position }),
    required: false,
    schema: { type: 'integer', readOnly: true, description: 'The last change that was acknowledged.' },
  };
}

function failureField(): Field<WebhookWithState, never> {
  return {
    write: ({ state }) => (state.failure === null ? { kind: 'value', value: null } : buildFailureNode(state.failure)),
    required: false,
    schema: { readOnly: true, description: 'Since when, how often and why deliveries fail, or null.' },
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
