/** Webhooks in the configuration; how far their deliveries have got is no part of it. */
import type { DeliveryState } from '../../catalog/webhooks/delivery-state.ts';
import { webhookKind } from '../../catalog/webhooks/webhook.ts';
import { pathOf } from '../record-address.ts';
import { webhookDocument } from '../webhooks/representation.ts';
import { describedFields, type Fields, KEPT_SECRET } from './fields.ts';
import { type ConfigurationKind, eachOf } from './kind.ts';
import { resourceWriting } from './operations.ts';

const defaults: Fields = { enabled: true, kinds: [], paths: [], expand: false };
const described = describedFields(webhookDocument, ['name'], defaults);

const notAsked: DeliveryState = { position: 0, reached: 0, failure: null, deliveries: [] };

export const webhookRow: ConfigurationKind = {
  kind: webhookKind.kind,
  patterns: ['/webhooks/:webhook'],
  fieldNames: described.names,
  secrets: described.secrets,
  defaults,
  every: ({ every }) =>
    eachOf(every(webhookKind), (webhook) => ({
      path: pathOf(['webhooks', webhook.name]),
      fields: () => ({
        ...described.of({ webhook, state: notAsked }),
        secret: webhook.sealedSecret === null ? null : KEPT_SECRET,
      }),
    })),
  ...resourceWriting(webhookDocument.root),
};
