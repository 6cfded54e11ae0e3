/** Claims for work that only one of several nodes may do at a time. */
import type { Fence } from '../../lib/async/fence.ts';
import { createKeyedMutex, type KeyedMutex } from '../../lib/async/keyed-mutex.ts';

/** A claim that must be renewed. Once it is lost it stays lost, even if it is free again. */
export interface Claim {
  /** For writes that must fail after another node has taken over the claim; undefined on a single node. */
  readonly fence: Fence | undefined;
  /** Returns whether the claim is still held. */
  isHeld(): Promise<boolean>;
  /** Extends the claim for this time from now; false if it was lost. */
  renew(forMs: number): Promise<boolean>;
  /** Lets another node claim it immediately. */
  release(): Promise<void>;
}

export interface Claims {
  /**
   * Returns whether this node may do the work for this time. It may call again before that ends. For work without a
   * fence.
   */
  hold(what: string, forMs: number): Promise<boolean>;
  /** Returns undefined while another node holds the claim. */
  claim(what: string, forMs: number): Promise<Claim | undefined>;
  /** Runs work with the same key one after the other, across all nodes. */
  readonly runExclusive: KeyedMutex;
}

/** For a single node. */
export function createSingleNodeClaims(): Claims {
  const claim: Claim = {
    fence: undefined,
    isHeld: async () => true,
    renew: async () => true,
    release: async () => undefined,
  };
  return { hold: async () => true, claim: async () => claim, runExclusive: createKeyedMutex() };
}
