/** What a transaction needs of the storage around it. */

/** A transaction whose end was not heard: what tells it from others, and the last change that it has made. */
export interface UnconfirmedCommit {
  readonly nonce: string;
  readonly sequence: number | undefined;
  readonly cause: unknown;
}

export interface TransactionHost {
  readonly nonce: string;
  /** Finds out whether it was kept; throws if not, or if that cannot be found out. */
  checkCommit(commit: UnconfirmedCommit): Promise<void>;
  /** Told when all of it is durable: resolved when snapshots show it, and never rejected. */
  onCommitted(): Promise<void>;
}
