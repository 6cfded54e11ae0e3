/** The context of all writing functions, which collects what a MapLibre style cannot express. */

/** More losses are counted only. */
const MAX_LOSSES = 50;

export class MbWriteContext {
  readonly #losses = new Set<string>();

  /** Reports a part that the style does not express: `dashes of a computed width`. */
  reportLoss(what: string): void {
    if (this.#losses.size < MAX_LOSSES) this.#losses.add(what);
  }

  listLosses(): readonly string[] {
    return [...this.#losses];
  }
}
