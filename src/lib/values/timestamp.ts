/** Formats a moment as `2026-11-15 01:27:09.071 UTC`, the format of GeoServer. */

export function formatTimestamp(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, -1)} UTC`;
}
