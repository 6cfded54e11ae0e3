/** What only one of several nodes may do at a time. */
import type { Fence } from '../../lib/async/fence.ts';
import { createKeyedMutex, type KeyedMutex } from '../../lib/async/keyed-mutex.ts';

/** A claim that was taken and has to be renewed. Once it is lost it stays lost, also if it is free again. */
export interface Claim {
  /** For writes that must not happen after another node has taken the claim; undefined for a server that is alone. */
  readonly fence: Fence | undefined;
  /** Whether it is still held. */
  isHeld(): Promise<boolean>;
  /** Holds it for this long from now on; false if it was lost. */
  renew(forMs: number): Promise<boolean>;
  /** So that another node can take it at once. */
  release(): Promise<void>;
}

export interface Claims {
  /** Whether this node may do something for this long; it may ask again before that ends. For work without a fence. */
  hold(what: string, forMs: number): Promise<boolean>;
  /** Undefined while another node holds it. */
  claim(what: string, forMs: number): Promise<Claim | undefined>;
  /** Work of the same key runs one after the other, on whichever node. */
  readonly runExclusive: KeyedMutex;
}

/** For a server that is alone. */
export function createSingleNodeClaims(): Claims {
  const claim: Claim = {
    fence: undefined,
    isHeld: async () => true,
    renew: async () => true,
    release: async () => undefined,
  };
  return { hold: async () => true, claim: async () => claim, runExclusive: createKeyedMutex() };
}
