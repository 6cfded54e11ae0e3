/** Looks at something on behalf of many: one look at a time, and each begins after all who share it have asked. */

export class CoalescedCheck {
  readonly #check: () => Promise<void>;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(look: () => Promise<void>) {
    this.#check = look;
  }

  /** Resolved when a look that began after this call has ended; rejected too when the one before it failed. */
  join(): Promise<void> {
    this.#next ??= this.#checkAfter(this.#current);
    return this.#next;
  }

  async #checkAfter(current: Promise<void> | undefined): Promise<void> {
    try {
      // Where nobody answers, those who wait are not kept waiting for another failure.
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
