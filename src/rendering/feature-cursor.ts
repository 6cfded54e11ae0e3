/** The feature of a batch that is looked at, by the names that a style has for its attributes. */
import { type FeatureValues, featureIdentifier, type StyleValue } from '../data/filter/evaluate.ts';
import type { FeatureBatch } from '../data/vector/packed-features.ts';

export class FeatureCursor {
  readonly #names: readonly string[];
  readonly #columns = new Map<string, number>();
  #batch: FeatureBatch | undefined;
  #index = 0;
  #values: FeatureValues | undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  moveTo(batch: FeatureBatch, index: number): void {
    this.#batch = batch;
    this.#index = index;
    this.#values = undefined;
  }

  /** Null for what is not there. */
  value(name: string): StyleValue {
    return this.#batch?.columns[this.#columnOf(name)]?.[this.#index] ?? null;
  }

  /** All of them by their names, with the id where it is looked at. */
  values(): FeatureValues {
    if (this.#values !== undefined) return this.#values;
    const values: Record<string, StyleValue> = {};
    for (const [column, name] of this.#names.entries()) {
      values[name] = this.#batch?.columns[column]?.[this.#index] ?? null;
    }
    const id = this.#batch?.ids?.[this.#index];
    if (id !== undefined) values[featureIdentifier] = id;
    this.#values = values;
    return values;
  }

  /** A name may be a path, or have a prefix: its last step counts then. */
  #columnOf(name: string): number {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const local = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
    const exact = this.#names.indexOf(name);
    const column = exact >= 0 ? exact : this.#names.indexOf(local);
    this.#columns.set(name, column);
    return column;
  }
}
