/** Sees to it that the events go out to every webhook, for as long as the server runs. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Catalog } from '../../records/catalog.ts';
import type { DeliveryContext } from './deliver-events.ts';
import { webhookKind } from './webhook.ts';

/** New webhooks are looked for this often at most, while much is changed: what they begin with is in the log. */
const POLL_INTERVAL_MS = 200;

/** After a failure of our own: a disk that is full is not free a moment later. */
const RETRY_DELAY_MS = 30_000;

export interface Deliveries {
  /** Resolved when nothing is on its way any more, once the feed has ended. */
  readonly ended: Promise<void>;
}

export function openDeliveries(
  world: Omit<DeliveryContext, 'catalog'> & {
    readonly catalog: Pick<Catalog, 'get' | 'list' | 'count'>;
    /** Hears of what should not happen. */
    readonly failed: (reason: unknown) => void;
  },
): Deliveries {
  const { catalog, feed, states, failed } = world;
  const signal = feed.ended;
  const running = new Map<string, Promise<void>>();

  async function deliverWebhook(id: string): Promise<void> {
    try {
      // Loaded with the first webhook: most servers have none.
      const { deliverEvents } = await import('./deliver-events.ts');
      await deliverEvents(world, id);
    } catch (reason) {
      if (!signal.aborted) failed(reason);
      await wait(RETRY_DELAY_MS, undefined, { signal }).catch(() => {});
    } finally {
      running.delete(id);
    }
  }

  async function startNewWebhooks(): Promise<void> {
    if ((await catalog.count(webhookKind)) === 0) return;
    for (const { id } of await catalog.list(webhookKind, null)) {
      if (!running.has(id)) running.set(id, deliverWebhook(id));
    }
  }

  async function run(): Promise<void> {
    try {
      await states.deleteOrphans(async (id) => (await catalog.get(webhookKind, id)) !== undefined);
    } catch (reason) {
      failed(reason);
    }
    while (!signal.aborted) {
      const seen = feed.position();
      try {
        await startNewWebhooks();
      } catch (reason) {
        if (!signal.aborted) failed(reason);
      }
      await wait(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {});
      await feed.waitForChange(seen, { signal });
    }
    await Promise.all(running.values());
  }

  return { ended: run() };
}
