/** Routes for webhooks, to which the server posts the changes. */
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
import { deliveriesDocument, webhookDocument, webhookListing, webhookPage } from './representation.ts';

export function webhookRoutes(): RouteTable<Services> {
  return family(
    'Webhooks',
    {
      description:
        'Receivers of changes. Each change is posted as one signed event, in order, and retried until it is accepted.',
      formats: ['json', 'html'],
      formatGroup: 'additions',
      exactNames: { webhook: ({ catalog }, { webhook = '' }) => webhookExists(catalog, webhook) },
    },
    [
      list('/webhooks', 'List the webhooks', { returns: webhookListing }, async ({ services }, page) => ({
        entries: await listWebhooks(services.catalog, page),
      })),

      post(
        '/webhooks',
        'Create a webhook for all changes from now on',
        {
          accepts: webhookDocument,
          rejectsUnknownQuery: true,
          problems: ['name-illegal', 'webhook-exists', 'url-refused'],
        },
        async ({ services, principal, body }) => {
          const { name } = await createWebhook(toWebhookServices(services), principal, body);
          return { location: ['webhooks', name], text: name };
        },
      ),

      get(
        '/webhooks/:webhook',
        'Read a webhook and its delivery state',
        { returns: webhookPage, versioned: true, rejectsUnknownQuery: true, problems: ['webhook-unknown'] },
        async ({ services, params }) => {
          const webhook = await findWebhook(services.catalog, params.webhook);
          const state = await services.deliveryStates.load(webhook);
          return { resource: { webhook, state }, version: webhook.version, variant: formatVariant(state) };
        },
      ),

      put(
        '/webhooks/:webhook',
        'Change, rename, disable or enable a webhook, which keeps its position',
        {
          accepts: webhookDocument,
          rejectsUnknownQuery: true,
          problems: ['webhook-unknown', 'name-illegal', 'name-emptied', 'webhook-exists', 'url-refused'],
        },
        ({ services, principal, params, body, precondition }) =>
          changeWebhook(toWebhookServices(services), principal, params.webhook, { draft: body, precondition }),
      ),

      del(
        '/webhooks/:webhook',
        'Delete a webhook',
        { rejectsUnknownQuery: true, problems: ['webhook-unknown'] },
        ({ services, principal, params, precondition }) =>
          deleteWebhook(services.catalog, principal, params.webhook, { precondition }),
      ),

      get(
        '/webhooks/:webhook/deliveries',
        'Read the last delivery attempts, newest first',
        { returns: deliveriesDocument, rejectsUnknownQuery: true, problems: ['webhook-unknown'] },
        async ({ services, params }) => ({
          resource: await services.deliveryStates.load(await findWebhook(services.catalog, params.webhook)),
        }),
      ),
    ],
  );
}

/** The delivery state changes while the webhook itself does not. */
function formatVariant({ position, failure }: DeliveryState): string {
  return failure === null ? String(position) : `${position}_${failure.sinceMs}_${failure.attempts}`;
}

function toWebhookServices({ catalog, urlGate, security, recordKinds }: Services): WebhookServices {
  return { catalog, urlGate, sealer: security.sealer, eventKinds: [...recordKinds.keys()] };
}
