/** What the reader of style sheets refuses to go beyond. */

export interface CssLimits {
  /** Levels of nested rules, and of functions in values; both are read by recursion. */
  readonly maxDepth: number;
  /** Rules after nesting and commas are resolved: three nested rules of ten alternatives each are a thousand. */
  readonly maxRules: number;
  /** Rules of the translated style; the combinations of ten rules that may all match at once are a thousand. */
  readonly maxTranslatedRules: number;
  /** Comparisons of conditions; some tens of nanoseconds each. */
  readonly maxSteps: number;
}

export const cssLimits: CssLimits = {
  maxDepth: 40,
  maxRules: 50_000,
  maxTranslatedRules: 50_000,
  maxSteps: 4_000_000,
};
