/** Limits of a reader, so that no document can exhaust the server. */
export interface DocumentLimits {
  /**
   * Levels of nested elements, or of nested JSON arrays and objects; the root is the first.
   * Trees are walked by recursion, so this belongs in the tens or hundreds.
   */
  readonly maxDepth: number;
  /** Elements, attributes, members and items together. */
  readonly maxNodes: number;
}
