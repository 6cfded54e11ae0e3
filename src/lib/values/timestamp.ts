/** Moments as this field writes them: `2026-11-15 01:27:09.071 UTC`. */

export function formatTimestamp(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, -1)} UTC`;
}
