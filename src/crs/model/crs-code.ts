/** Reads the spellings of a code that clients and files use: `EPSG:4326`, a URN, a URL, or the bare number. */

/** How a system is named: `EPSG:4326`, the two kinds of URN, the address of its definition, or the address of GML 2. */
export type CrsSpelling = 'short' | 'urn' | 'experimental-urn' | 'uri' | 'gml-uri';

export interface SpelledCrs {
  /** As the registry has it. */
  readonly code: string;
  readonly spelling: CrsSpelling;
  /** Whether it is one of the names that say themselves that longitude comes first, such as `CRS:84`. */
  readonly isLongitudeFirst: boolean;
}

const patterns: readonly (readonly [CrsSpelling, RegExp])[] = [
  ['short', /^([a-z]+):(\d{1,9})$/i],
  ['urn', /^urn:ogc:def:crs:([a-z]+):[\d.]*:(\d{1,9})$/i],
  ['experimental-urn', /^urn:x-ogc:def:crs:([a-z]+):(?:[\d.]*:)?(\d{1,9})$/i],
  ['uri', /^https?:\/\/www\.opengis\.net\/def\/crs\/([a-z]+)\/[\d.]+\/(\d{1,9})$/i],
  ['gml-uri', /^https?:\/\/www\.opengis\.net\/gml\/srs\/(epsg)\.xml#(\d{1,9})$/i],
  ['short', /^()(\d{1,9})$/],
];

/** WGS 84 with longitude first, which is how all data is kept here; the `h` stands for heights. */
const longitudeFirst: readonly (readonly [CrsSpelling, RegExp])[] = [
  ['short', /^(?:CRS:84|OGC:(?:1\.3:)?CRS84)(h?)$/i],
  ['urn', /^urn:ogc:def:crs:OGC:[\d.]*:CRS84(h?)$/i],
  ['experimental-urn', /^urn:x-ogc:def:crs:OGC:(?:[\d.]*:)?CRS84(h?)$/i],
  ['uri', /^https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/[\d.]+\/CRS84(h?)$/i],
];

/** Numbers under which the web's Mercator went around before it had one. */
const WEB_MERCATOR = new Set([
  'EPSG:900913',
  'EPSG:102100',
  'EPSG:102113',
  'ESRI:102100',
  'ESRI:102113',
  'OSGEO:41001',
]);

/** Undefined when the text is no code. Whether there is such a code is not asked. */
export function readSpelledCrs(text: string): SpelledCrs | undefined {
  const trimmed = text.trim();
  for (const [spelling, pattern] of longitudeFirst) {
    const match = pattern.exec(trimmed);
    if (match !== null) return { code: match[1] ? 'EPSG:4979' : 'EPSG:4326', spelling, isLongitudeFirst: true };
  }
  for (const [spelling, pattern] of patterns) {
    const match = pattern.exec(trimmed);
    if (match === null) continue;
    const [, authority, number] = match;
    const code = `${authority?.toUpperCase() || 'EPSG'}:${Number(number)}`;
    return { code: WEB_MERCATOR.has(code) ? 'EPSG:3857' : code, spelling, isLongitudeFirst: false };
  }
  return undefined;
}

/** The code as the registry has it; undefined when the text is no code. */
export function parseCrsCode(text: string): string | undefined {
  return readSpelledCrs(text)?.code;
}
