/** Proof of a claim or lock that a change is made under: the storage rejects the change once another node holds it. */
export interface Fence {
  /** What is claimed or locked. */
  readonly what: string;
  /** Random, and new each time it is claimed or locked: differs from that of every other holder, on this node too. */
  readonly holder: string;
}
