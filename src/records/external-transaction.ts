/** The interface of an external database transaction for the code that commits it. */

/** An uncommitted transaction in another database. */
export interface ExternalTransaction {
  commit(): Promise<void>;
  /** Discards the transaction, also after a failed commit. */
  rollback(): Promise<void>;
  /**
   * Announces that other code commits or rolls back later, after the current work ends. Absent if that is not
   * supported.
   */
  handOver?(): void;
  /**
   * Makes the work visible to the rest of a dry run only, and returns the function that discards it. Absent if other
   * readers would see it.
   */
  tryOut?(): Promise<() => Promise<void>>;
}
