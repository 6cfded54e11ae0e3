/** Opens the deliveries to webhooks, and logs failures and recoveries. */
import type { FastifyBaseLogger } from 'fastify';
import { openClaimedDeliveries } from '../../catalog/webhooks/claimed-deliveries.ts';
import type { DeliveryTimes } from '../../catalog/webhooks/deliver-events.ts';
import type { Deliveries } from '../../catalog/webhooks/deliveries.ts';
import { type DeliveryStates, openDeliveryStates } from '../../catalog/webhooks/delivery-state.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import type { Events } from '../../interface/changes/events.ts';
import { createWebhookEvents } from '../../interface/webhooks/webhook-events.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { ChangeFeed } from '../../records/change-feed.ts';
import type { Sealer } from '../../security/core/sealer.ts';
import type { Claims } from '../../storage/nodes/claims.ts';
import type { Storage } from '../../storage/port/port.ts';
import { limits } from '../settings/limits.ts';

export function openWebhooks(parts: {
  readonly storage: Pick<Storage, 'notes' | 'log'>;
  readonly catalog: Catalog;
  readonly feed: ChangeFeed;
  readonly events: Events;
  readonly urlGate: UrlGate;
  readonly sealer: Sealer;
  readonly claims: Claims;
  readonly world: {
    readonly logger: FastifyBaseLogger;
    readonly clock: () => number;
    readonly webhookTimes?: DeliveryTimes;
  };
  /** The address of the server for receivers. */
  readonly restUrl: () => string;
}): { readonly deliveries: Deliveries; readonly deliveryStates: DeliveryStates } {
  const { storage, catalog, feed, events, urlGate, sealer, restUrl } = parts;
  const { logger, clock, webhookTimes: times = limits.webhooks } = parts.world;
  const deliveryStates = openDeliveryStates(storage.notes, storage.log);
  const world: Parameters<typeof openClaimedDeliveries>[0] = {
    catalog,
    feed,
    states: deliveryStates,
    events: createWebhookEvents(events, restUrl),
    urlGate,
    sealer,
    clock,
    now: () => performance.now(),
    times,
    report: ({ name: webhook }, failure) =>
      failure === null
        ? logger.info({ webhook }, 'delivery of events to a webhook resumed')
        : logger.warn({ webhook, reason: failure }, 'delivery of events to a webhook failed'),
    failed: (reason) => logger.error({ err: reason }, 'the delivery of events stopped with an error'),
  };
  return { deliveries: openClaimedDeliveries(world, parts.claims, limits.claims), deliveryStates };
}
