/** What only one of several nodes may do at a time. */
import { createOneAtATime, type OneAtATime } from '../lib/one-at-a-time.ts';

export interface Claims {
  /** Whether this node may do something from now on, for so long; whoever goes on with it asks again before that ends. */
  hold(what: string, forMs: number): Promise<boolean>;
  /** So that another may at once. */
  letGo(what: string): Promise<void>;
  /** Work of the same key runs one after the other, on whichever node. */
  readonly inTurn: OneAtATime;
}

/** For a server that is alone. */
export function claimsOfOne(): Claims {
  return { hold: async () => true, letGo: async () => undefined, inTurn: createOneAtATime() };
}
