/** What a transaction needs of the storage around it. */

/** A transaction whose end was not heard: what tells it from others, and the last change that it has made. */
export interface UnheardCommit {
  readonly nonce: string;
  readonly sequence: number | undefined;
  readonly cause: unknown;
}

export interface TransactionWorld {
  readonly nonce: string;
  /** Finds out whether it was kept; throws if not, or if that cannot be found out. */
  lookUp(commit: UnheardCommit): Promise<void>;
  /** Told when all of it is durable: resolved when snapshots show it, and never rejected. */
  committed(): Promise<void>;
}
