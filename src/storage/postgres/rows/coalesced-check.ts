/** Shares one check among many callers: one runs at a time, and each starts after all callers that share it. */

export class CoalescedCheck {
  readonly #check: () => Promise<void>;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(look: () => Promise<void>) {
    this.#check = look;
  }

  /** Resolves when a check that started after this call ends; also rejects if the check before it failed. */
  join(): Promise<void> {
    this.#next ??= this.#checkAfter(this.#current);
    return this.#next;
  }

  async #checkAfter(current: Promise<void> | undefined): Promise<void> {
    try {
      // If the database does not respond, callers do not wait for a second failure.
      await current;
    } finally {
      this.#next = undefined;
    }
    const own = this.#check().finally(() => {
      if (this.#current === own) this.#current = undefined;
    });
    this.#current = own;
    await own;
  }
}
