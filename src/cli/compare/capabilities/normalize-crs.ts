/** Writes the different names of a coordinate reference system in one form: `EPSG:4326`, `CRS:84`. */

const forms = [
  /^urn:(?:x-)?ogc:def:crs:([^:]+):[^:]*:([^:]+)$/i,
  /^https?:\/\/www\.opengis\.net\/def\/crs\/([^/]+)\/[^/]*\/([^/]+)$/i,
  /^https?:\/\/www\.opengis\.net\/gml\/srs\/([^.]+)\.xml#(.+)$/i,
  /^([^:/]+):([^:/]+)$/,
];

export function normalizeCrs(name: string): string {
  const trimmed = name.trim();
  for (const form of forms) {
    const [, authority, code] = form.exec(trimmed) ?? [];
    if (authority === undefined || code === undefined) continue;
    const normalized = `${authority}:${code}`.toUpperCase();
    return normalized === 'OGC:CRS84' ? 'CRS:84' : normalized;
  }
  return trimmed.toUpperCase();
}
