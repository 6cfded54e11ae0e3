/** Delivers events to every webhook as long as the server runs. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Catalog } from '../../records/catalog.ts';
import type { DeliveryContext } from './deliver-events.ts';
import { webhookKind } from './webhook.ts';

/** The minimum interval between searches for new webhooks; no event is lost, since the log contains them. */
const POLL_INTERVAL_MS = 200;

/** The delay after an internal failure, such as a full disk. */
const RETRY_DELAY_MS = 30_000;

export interface Deliveries {
  /** Resolves when no delivery is in progress, after the feed has ended. */
  readonly ended: Promise<void>;
}

export function openDeliveries(
  world: Omit<DeliveryContext, 'catalog'> & {
    readonly catalog: Pick<Catalog, 'get' | 'list' | 'count'>;
    /** Receives unexpected errors. */
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
