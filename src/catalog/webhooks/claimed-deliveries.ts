/** Deliveries to webhooks where several nodes run: one of them delivers, and another goes on when that one is gone. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Claims } from '../../storage/claims.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';

const CLAIM = 'webhooks';

export interface ClaimTimes {
  /** How long a node that says nothing any more keeps others from going on. */
  readonly claimMs: number;
  readonly renewMs: number;
}

export function openClaimedDeliveries(
  world: Parameters<typeof openDeliveries>[0],
  claims: Claims,
  { claimMs, renewMs }: ClaimTimes,
): Deliveries {
  const { feed } = world;

  /** A database that cannot be asked might have given it to another meanwhile. */
  const isOurs = () => claims.hold(CLAIM, claimMs).catch(() => false);

  async function deliverUntilLost(): Promise<void> {
    const lost = new AbortController();
    const ended = AbortSignal.any([feed.ended, lost.signal]);
    const deliveries = openDeliveries({ ...world, feed: { ...feed, ended } });
    while (!ended.aborted) {
      await wait(renewMs, undefined, { signal: ended, ref: false }).catch(() => undefined);
      if (!ended.aborted && !(await isOurs())) lost.abort();
    }
    await deliveries.ended;
  }

  async function run(): Promise<void> {
    while (!feed.ended.aborted) {
      if (await isOurs()) await deliverUntilLost();
      else await wait(renewMs, undefined, { signal: feed.ended, ref: false }).catch(() => undefined);
    }
    await claims.letGo(CLAIM).catch(() => undefined);
  }

  return { ended: run() };
}
