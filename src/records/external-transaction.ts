/** Work in a database that is not ours, as those see it who commit it. */

/** What was done in another database and is not certain there yet. */
export interface ExternalTransaction {
  commit(): Promise<void>;
  /** Leaves nothing of it; after a commit that failed as well. */
  rollback(): Promise<void>;
  /** Told that it is committed or rolled back by another, later than the work with it ends; absent where that cannot be. */
  handOver?(): void;
  /**
   * Lets the rest of a draft that is only tried see it, and nobody else; gives the way to be rid of it. Absent where others
   * would see it.
   */
  tryOut?(): Promise<() => Promise<void>>;
}
