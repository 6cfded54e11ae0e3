/** Reads the spellings of a code that clients and files use: `EPSG:4326`, a URN, a URL, or the bare number. */

const PATTERNS: readonly RegExp[] = [
  /^([a-z]+):(\d{1,9})$/i,
  /^urn:(?:x-)?ogc:def:crs:([a-z]+):[\d.]*:(\d{1,9})$/i,
  /^https?:\/\/www\.opengis\.net\/def\/crs\/([a-z]+)\/[\d.]+\/(\d{1,9})$/i,
  /^https?:\/\/www\.opengis\.net\/gml\/srs\/(epsg)\.xml#(\d{1,9})$/i,
  /^(\d{1,9})$/,
];

/** WGS 84 with longitude first, which is how all data is kept here. */
const LONGITUDE_FIRST =
  /^(?:CRS:84|OGC:CRS84|urn:ogc:def:crs:OGC:[\d.]*:CRS84|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/[\d.]+\/CRS84)$/i;

/** Numbers under which the web's Mercator went around before it had one. */
const WEB_MERCATOR = new Set([
  'EPSG:900913',
  'EPSG:102100',
  'EPSG:102113',
  'ESRI:102100',
  'ESRI:102113',
  'OSGEO:41001',
]);

/** The code as the registry has it; undefined when the text is no code. Whether there is such a code is not asked. */
export function parseCrsCode(text: string): string | undefined {
  const trimmed = text.trim();
  if (LONGITUDE_FIRST.test(trimmed)) return 'EPSG:4326';
  for (const pattern of PATTERNS) {
    const match = pattern.exec(trimmed);
    if (match === null) continue;
    const [, first = '', second] = match;
    const code = second === undefined ? `EPSG:${Number(first)}` : `${first.toUpperCase()}:${Number(second)}`;
    return WEB_MERCATOR.has(code) ? 'EPSG:3857' : code;
  }
  return undefined;
}
