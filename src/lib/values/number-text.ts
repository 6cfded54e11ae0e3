/** Numbers as text, for those who write millions of them. */

/**
 * What `String` gives for a finite number. The engine remembers what that has given, and so lets texts grow old that nobody
 * needs any more: a long answer would fill the memory with them.
 */
export function formatNumber(value: number): string {
  return JSON.stringify(value);
}
