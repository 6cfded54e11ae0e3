/** Delivers to webhooks on one of several nodes; another node takes over when that one fails. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Catalog } from '../../records/catalog.ts';
import type { Claim, Claims } from '../../storage/nodes/claims.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';

const CLAIM = 'webhooks';

export interface ClaimTimes {
  /** How long the claim of an unresponsive node blocks other nodes. */
  readonly claimMs: number;
  readonly renewMs: number;
}

type DeliveriesOptions = Parameters<typeof openDeliveries>[0];

export type ClaimedDeliveriesOptions = Omit<DeliveriesOptions, 'isOurs' | 'catalog'> & {
  readonly catalog: DeliveriesOptions['catalog'] & Pick<Catalog, 'refresh'>;
};

export function openClaimedDeliveries(
  world: ClaimedDeliveriesOptions,
  claims: Claims,
  { claimMs, renewMs }: ClaimTimes,
): Deliveries {
  const { feed, states, catalog } = world;
  const pause = (signal: AbortSignal) => wait(renewMs, undefined, { signal, ref: false }).catch(() => undefined);

  async function deliverUntilLost(claim: Claim): Promise<void> {
    const lost = new AbortController();
    const ended = AbortSignal.any([feed.ended, lost.signal]);
    /** If the database does not respond, another node may have taken over the claim. */
    const checkClaim = async (isHeld: Promise<boolean>): Promise<boolean> => {
      const isOurs = await isHeld.catch(() => false);
      if (!isOurs) lost.abort();
      return isOurs;
    };
    const deliveries = openDeliveries({
      ...world,
      feed: { ...feed, ended },
      isOurs: () => checkClaim(claim.isHeld()),
      states: {
        ...states,
        async save(webhook, state) {
          const isSaved = await states.save(webhook, state, claim.fence);
          // Another node has the claim, or has delivered further.
          if (!isSaved) lost.abort();
          return isSaved;
        },
      },
    });
    while (!ended.aborted) {
      await pause(ended);
      if (!ended.aborted) await checkClaim(claim.renew(claimMs));
    }
    await deliveries.ended;
    await claim.release().catch(() => undefined);
  }

  async function claimAndRefresh(): Promise<Claim | undefined> {
    const claim = await claims.claim(CLAIM, claimMs);
    // Read the positions that the previous holder has saved.
    if (claim !== undefined) await catalog.refresh();
    return claim;
  }

  async function run(): Promise<void> {
    while (!feed.ended.aborted) {
      const claim = await claimAndRefresh().catch(() => undefined);
      if (claim === undefined) await pause(feed.ended);
      else await deliverUntilLost(claim);
    }
  }

  return { ended: run() };
}
