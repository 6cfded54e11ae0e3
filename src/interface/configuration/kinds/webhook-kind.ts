/** The configuration kind for webhooks, without their delivery state. */
import type { DeliveryState } from '../../../catalog/webhooks/delivery-state.ts';
import { webhookKind } from '../../../catalog/webhooks/webhook.ts';
import { encodePath } from '../../changes/record-path.ts';
import { webhookDocument } from '../../webhooks/representation.ts';
import { createFieldMapping, type Fields, isList, KEPT_SECRET } from '../model/fields.ts';
import { type ConfigurationKind, mapRecords } from '../model/kind.ts';
import { createResourceOperations, getResourceName } from '../model/operations.ts';

const defaults: Fields = { enabled: true, kinds: [], paths: [], expand: false };
const webhookFields = createFieldMapping(webhookDocument, ['name'], defaults);

const emptyDeliveryState: DeliveryState = { position: 0, reached: 0, failure: null, deliveries: [] };

export const webhookRow: ConfigurationKind = {
  kind: webhookKind.kind,
  patterns: ['/webhooks/:webhook'],
  fieldNames: webhookFields.names,
  secrets: webhookFields.secrets,
  readSecrets: async (catalog, address) => ({
    secret: (await catalog.find(webhookKind, null, getResourceName(address)))?.sealedSecret ?? null,
  }),
  defaults,
  // REST accepts a single text for a list of one.
  normalise: (fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        isList(defaults[name]) && typeof value === 'string' ? [value] : value,
      ]),
    ),
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
