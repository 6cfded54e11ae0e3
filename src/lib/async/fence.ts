/**
 * A fencing token of a claim or lock: the storage rejects a change with this token once another node holds the lock.
 */
export interface Fence {
  /** The name of the claim or lock. */
  readonly what: string;
  /** A random value for each acquisition, so that it differs from other holders on the same node too. */
  readonly holder: string;
}
