/** Webhooks: where the server posts the changes to. */
import type { DeliveryState } from '../../catalog/webhooks/delivery-state.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  type WebhookServices,
  webhookExists,
} from '../../catalog/webhooks/webhooks.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { deliveriesDocument, webhookDocument, webhookListing } from './representation.ts';

export function webhookRoutes(): RouteTable<Services> {
  return family(
    'Webhooks',
    {
      description: 'Where the changes are posted to, each as one signed event, in order and until it is taken.',
      formats: ['json'],
      formatGroup: 'about',
      exactNames: { webhook: ({ catalog }, { webhook = '' }) => webhookExists(catalog, webhook) },
    },
    [
      list('/webhooks', 'List the webhooks', { answers: webhookListing }, async ({ services }, page) => ({
        entries: await listWebhooks(services.catalog, page),
      })),

      post(
        '/webhooks',
        'Create a webhook, which hears of what is changed from then on',
        {
          takes: webhookDocument,
          refusesUnknownQuery: true,
          problems: ['name-illegal', 'webhook-exists', 'url-refused'],
        },
        async ({ services, principal, body }) => {
          const { name } = await createWebhook(toWebhookServices(services), principal, body);
          return { location: ['webhooks', name], text: name };
        },
      ),

      get(
        '/webhooks/:webhook',
        'Read a webhook, and how far its deliveries have got',
        { answers: webhookDocument, versioned: true, refusesUnknownQuery: true, problems: ['webhook-unknown'] },
        async ({ services, params }) => {
          const webhook = await findWebhook(services.catalog, params.webhook);
          const state = await services.deliveryStates.load(webhook);
          return { resource: { webhook, state }, version: webhook.version, variant: formatVariant(state) };
        },
      ),

      put(
        '/webhooks/:webhook',
        'Change or rename a webhook, or switch it off and on: it goes on from where it was',
        {
          takes: webhookDocument,
          refusesUnknownQuery: true,
          problems: ['webhook-unknown', 'name-illegal', 'name-emptied', 'webhook-exists', 'url-refused'],
        },
        ({ services, principal, params, body, precondition }) =>
          changeWebhook(toWebhookServices(services), principal, params.webhook, body, { precondition }),
      ),

      del(
        '/webhooks/:webhook',
        'Delete a webhook',
        { refusesUnknownQuery: true, problems: ['webhook-unknown'] },
        ({ services, principal, params, precondition }) =>
          deleteWebhook(services.catalog, principal, params.webhook, { precondition }),
      ),

      get(
        '/webhooks/:webhook/deliveries',
        'Read the last attempts to deliver, newest first',
        { answers: deliveriesDocument, refusesUnknownQuery: true, problems: ['webhook-unknown'] },
        async ({ services, params }) => ({
          resource: await services.deliveryStates.load(await findWebhook(services.catalog, params.webhook)),
        }),
      ),
    ],
  );
}

/** How far the deliveries have got: that goes on while the webhook stays the same. */
function formatVariant({ position, failure }: DeliveryState): string {
  return failure === null ? String(position) : `${position}_${failure.sinceMs}_${failure.attempts}`;
}

function toWebhookServices({ catalog, urlGate, security }: Services): WebhookServices {
  return { catalog, urlGate, sealer: security.sealer };
}
