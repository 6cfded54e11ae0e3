/**
 * The axis order of coordinates in requests and responses. It depends on the spelling of the CRS name and on the order
 * of the authority in the registry; it is never derived from the type of the CRS. Inside the server x always precedes
 * y: only readers and writers of documents use this module.
 */
import { type CrsSpelling, readSpelledCrs, type SpelledCrs } from './model/crs-code.ts';
import { findCrs } from './resolve-crs.ts';

/** The meaning of a name such as `EPSG:4326`: x first in most protocols, but authority order in WMS 1.3.0. */
export type ShortNameOrder = 'east-first' | 'as-authority';

export interface NamedCrs extends SpelledCrs {
  /** Whether y precedes x in coordinates under this name. */
  readonly isNorthFirst: boolean;
}

/** Returns undefined for an unknown name. */
export async function readCrsName(
  text: string,
  shortNames: ShortNameOrder = 'east-first',
): Promise<NamedCrs | undefined> {
  const spelled = readSpelledCrs(text);
  if (spelled === undefined) return undefined;
  const definition = await findCrs(spelled.code);
  if (definition === undefined) return undefined;
  const isNorthFirst = isAuthorityOrder(spelled, shortNames) && definition.axisOrder === 'north-east';
  return { ...spelled, isNorthFirst };
}

function isAuthorityOrder({ spelling, isLongitudeFirst }: SpelledCrs, shortNames: ShortNameOrder): boolean {
  if (isLongitudeFirst) return false;
  switch (spelling) {
    case 'short':
      return shortNames === 'as-authority';
    case 'gml-uri':
      return false;
    case 'urn':
    case 'experimental-urn':
    case 'uri':
      return true;
  }
}

/** Returns the name of a CRS in a spelling, for documents. */
export function writeCrsName({ code, isLongitudeFirst }: Omit<SpelledCrs, 'spelling'>, spelling: CrsSpelling): string {
  const [authority = '', number = ''] = isLongitudeFirst
    ? ['OGC', code === 'EPSG:4979' ? 'CRS84h' : 'CRS84']
    : code.split(':');
  switch (spelling) {
    case 'short':
      return `${authority}:${number}`;
    case 'urn':
      return `urn:ogc:def:crs:${authority}:${isLongitudeFirst ? '1.3' : ''}:${number}`;
    case 'experimental-urn':
      return `urn:x-ogc:def:crs:${authority}:${number}`;
    case 'uri':
      return `http://www.opengis.net/def/crs/${authority}/${isLongitudeFirst ? getCrs84Version(number) : '0'}/${number}`;
    case 'gml-uri':
      // This list contains only EPSG codes, and its order is always longitude first.
      return `http://www.opengis.net/gml/srs/epsg.xml#${code.slice(code.indexOf(':') + 1)}`;
  }
}

function getCrs84Version(name: string): string {
  return name === 'CRS84h' ? '0' : '1.3';
}
