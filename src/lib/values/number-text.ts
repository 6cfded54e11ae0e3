/**
 * Formats a finite number like `String`. V8 caches the results of `String`, so the texts of a long response would be
 * promoted to the old generation and fill the memory.
 */
export function formatNumber(value: number): string {
  return JSON.stringify(value);
}
