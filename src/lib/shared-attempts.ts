/** Wrong passwords that several servers count together. */

export interface CountedAttempts {
  readonly count: number;
  /** How long they still count. */
  readonly leftMs: number;
}

export interface SharedAttempts {
  /** What was counted under these keys by anybody, where that is anything. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, CountedAttempts>>;
  /** One more under each key; the first of them counts for so long, and all until then with it. */
  add(keys: readonly string[], windowMs: number): Promise<void>;
  /** So many fewer under each key. */
  forgive(keys: readonly string[], count: number): Promise<void>;
}
