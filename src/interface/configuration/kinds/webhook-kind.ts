/** The configuration kind for webhooks, without their delivery state. */
import type { DeliveryState } from '../../../catalog/webhooks/delivery-state.ts';
import { webhookKind } from '../../../catalog/webhooks/webhook.ts';
import { encodePath } from '../../changes/record-path.ts';
import { webhookDocument } from '../../webhooks/representation.ts';
import { createFieldMapping, type Fields, KEPT_SECRET } from '../model/fields.ts';
import { type ConfigurationKind, mapRecords } from '../model/kind.ts';
import { createResourceOperations } from '../model/operations.ts';

const defaults: Fields = { enabled: true, kinds: [], paths: [], expand: false };
const webhookFields = createFieldMapping(webhookDocument, ['name'], defaults);

const emptyDeliveryState: DeliveryState = { position: 0, reached: 0, failure: null, deliveries: [] };

export const webhookRow: ConfigurationKind = {
  kind: webhookKind.kind,
  patterns: ['/webhooks/:webhook'],
  fieldNames: webhookFields.names,
  secrets: webhookFields.secrets,
  defaults,
  every: ({ every }) =>
    mapRecords(every(webhookKind), (webhook) => ({
      path: encodePath(['webhooks', webhook.name]),
      fields: () => ({
        ...webhookFields.toFields({ webhook, state: emptyDeliveryState }),
        secret: webhook.sealedSecret === null ? null : KEPT_SECRET,
      }),
    })),
  ...createResourceOperations(webhookDocument.root),
};
