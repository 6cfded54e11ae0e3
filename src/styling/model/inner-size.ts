/** Measures the parts of a style model, which can be far larger than its document: one value can be part of many. */

/** Maps visit every part of a style in the thread of all requests. */
const MAX_PARTS = 250_000;

/** Readers, writers and painters are recursive. */
const MAX_DEPTH = 1_000;

/** Returns the limit that a model exceeds, as a phrase. */
export function findExcess(model: object): string | undefined {
  let partCount = 0;
  const measure = (part: object, depth: number): string | undefined => {
    partCount += 1;
    if (partCount > MAX_PARTS) return `the style has more than ${MAX_PARTS} parts; simplify its expressions`;
    if (depth > MAX_DEPTH) return `an expression has more than ${MAX_DEPTH} nested parts; simplify it`;
    for (const key in part) {
      const inner: unknown = part[key as keyof typeof part];
      const excess = typeof inner === 'object' && inner !== null ? measure(inner, depth + 1) : undefined;
      if (excess !== undefined) return excess;
    }
    return undefined;
  };
  return measure(model, 0);
}
