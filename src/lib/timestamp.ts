/** Moments as this field writes them: `2026-11-15 01:27:09.071 UTC`. */

export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', ' UTC');
}
