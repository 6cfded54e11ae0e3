/** Collects numbers up to a limit; beyond it, an even sample of them. */

/** 8 MB, and as much for the weights. */
const MAX_VALUES = 1_000_000;

export class NumberSample {
  readonly #values: Float64Array;
  readonly #weights: Float64Array | undefined;
  #length = 0;
  #total = 0;
  /** One in this many values is kept. */
  #stride = 1;
  #minimum = Number.POSITIVE_INFINITY;
  #maximum = Number.NEGATIVE_INFINITY;

  constructor({ hasWeights, limit = MAX_VALUES }: { readonly hasWeights: boolean; readonly limit?: number }) {
    this.#values = new Float64Array(limit);
    this.#weights = hasWeights ? new Float64Array(limit) : undefined;
  }

  get isComplete(): boolean {
    return this.#stride === 1;
  }

  add(value: number, weight = 1): void {
    if (!Number.isFinite(value)) return;
    this.#minimum = Math.min(this.#minimum, value);
    this.#maximum = Math.max(this.#maximum, value);
    this.#total += 1;
    if ((this.#total - 1) % this.#stride !== 0) return;
    if (this.#length === this.#values.length) this.#halve();
    if ((this.#total - 1) % this.#stride !== 0) return;
    this.#values[this.#length] = value;
    if (this.#weights !== undefined) this.#weights[this.#length] = weight;
    this.#length += 1;
  }

  /** The buffers are transferred afterwards, so nothing can be added any more. */
  finish(): {
    readonly values: Float64Array<ArrayBuffer>;
    readonly weights?: Float64Array<ArrayBuffer>;
    readonly extremes: readonly [minimum: number, maximum: number];
  } {
    return {
      values: this.#values.slice(0, this.#length),
      ...(this.#weights === undefined ? {} : { weights: this.#weights.slice(0, this.#length) }),
      extremes: [this.#minimum, this.#maximum],
    };
  }

  #halve(): void {
    this.#stride *= 2;
    this.#length = Math.ceil(this.#length / 2);
    for (let index = 0; index < this.#length; index += 1) {
      this.#values[index] = this.#values[index * 2] ?? 0;
      if (this.#weights !== undefined) this.#weights[index] = this.#weights[index * 2] ?? 0;
    }
  }
}
