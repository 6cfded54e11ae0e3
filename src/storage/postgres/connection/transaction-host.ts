/** The operations that a transaction needs from its storage. */

/** A transaction whose commit response was lost: its nonce and its last change. */
export interface UnconfirmedCommit {
  readonly nonce: string;
  readonly sequence: number | undefined;
  readonly cause: unknown;
}

export interface TransactionHost {
  readonly nonce: string;
  /** Finds out whether it was committed; throws if it was not, or if that is unknown. */
  checkCommit(commit: UnconfirmedCommit): Promise<void>;
  /** Called when everything is durable. Resolves when snapshots include it, and never rejects. */
  onCommitted(): Promise<void>;
}
