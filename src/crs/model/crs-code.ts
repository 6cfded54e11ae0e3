/** Parses the spellings of a CRS code: `EPSG:4326`, a URN, a URL, or the bare number. */

/** The spelling of a name: `EPSG:4326`, two kinds of URN, the URI of its definition, or the URI of GML 2. */
export type CrsSpelling = 'short' | 'urn' | 'experimental-urn' | 'uri' | 'gml-uri';

export interface SpelledCrs {
  /** The code in the registry. */
  readonly code: string;
  readonly spelling: CrsSpelling;
  /** Whether the name itself implies longitude first, such as `CRS:84`. */
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

/** WGS 84 with longitude first, which is the internal order of all data; the `h` means ellipsoidal heights. */
const longitudeFirst: readonly (readonly [CrsSpelling, RegExp])[] = [
  ['short', /^(?:CRS:84|OGC:(?:1\.3:)?CRS84)(h?)$/i],
  ['urn', /^urn:ogc:def:crs:OGC:[\d.]*:CRS84(h?)$/i],
  ['experimental-urn', /^urn:x-ogc:def:crs:OGC:(?:[\d.]*:)?CRS84(h?)$/i],
  ['uri', /^https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/[\d.]+\/CRS84(h?)$/i],
];

/** Unofficial codes of Web Mercator from before it had an EPSG code. */
const WEB_MERCATOR = new Set([
  'EPSG:900913',
  'EPSG:102100',
  'EPSG:102113',
  'ESRI:102100',
  'ESRI:102113',
  'OSGEO:41001',
]);

/** Returns undefined if the text is not a code. Does not check whether the code exists. */
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

/** Returns the code as in the registry; undefined if the text is not a code. */
export function parseCrsCode(text: string): string | undefined {
  return readSpelledCrs(text)?.code;
}

/** GeoServer's code of a plane whose relation to the earth is unknown. It means that data has no CRS. */
export const NO_CRS = 'EPSG:404000';

export function isNoCrs(text: string | null | undefined): boolean {
  return text != null && parseCrsCode(text) === NO_CRS;
}
