/** Limits the work of a translation, so that no style sheet can block the server. */
import type { CssLimits } from '../model/css-limits.ts';

/** Aborts a translation; internal to this module. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

export class Budget {
  readonly #limits: CssLimits;
  #steps = 0;
  #rules = 0;

  constructor(limits: CssLimits) {
    this.#limits = limits;
  }

  spendSteps(count: number): void {
    this.#steps += count;
    if (this.#steps > this.#limits.maxSteps)
      throw new TooComplex(`comparing their conditions takes more than the limit of ${this.#limits.maxSteps} steps`);
  }

  spendRule(): void {
    this.#rules += 1;
    if (this.#rules > this.#limits.maxTranslatedRules)
      throw new TooComplex(`they produce more than the limit of ${this.#limits.maxTranslatedRules} rules`);
  }
}
