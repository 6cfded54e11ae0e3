/** The limits of the style sheet reader. */

export interface CssLimits {
  /** The levels of nested rules and of functions in values; both are read recursively. */
  readonly maxDepth: number;
  /**
   * The rules after nesting and commas are resolved: three nested rules with ten alternatives each make a thousand.
   */
  readonly maxRules: number;
  /** The rules of the translated style: ten rules that can all match together make a thousand combinations. */
  readonly maxTranslatedRules: number;
  /** The comparisons of conditions, at tens of nanoseconds each. */
  readonly maxSteps: number;
}

export const cssLimits: CssLimits = {
  maxDepth: 40,
  maxRules: 50_000,
  maxTranslatedRules: 50_000,
  maxSteps: 4_000_000,
};
