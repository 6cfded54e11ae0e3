/**
 * Which ordinate comes first in what clients send and read: that depends on how a system is spelled, and on what its
 * authority says, as the registry has it. Nothing is concluded from a system being geographic.
 *
 * Inside the server x comes before y, always: only readers and writers of documents ask here.
 */
import { type CrsSpelling, readSpelledCrs, type SpelledCrs } from './model/crs-code.ts';
import { findCrs } from './resolve-crs.ts';

/** What a name such as `EPSG:4326` means: x first in nearly everything, but the order of the authority in WMS 1.3.0. */
export type ShortNameOrder = 'east-first' | 'as-authority';

export interface NamedCrs extends SpelledCrs {
  /** Whether y comes before x in coordinates under this name. */
  readonly isNorthFirst: boolean;
}

/** Undefined for what names no system that is known. */
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

/** The name of a system in one of the spellings, for documents. */
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
      // There are no others than EPSG's in that list: longitude is first in it anyway.
      return `http://www.opengis.net/gml/srs/epsg.xml#${code.slice(code.indexOf(':') + 1)}`;
  }
}

function getCrs84Version(name: string): string {
  return name === 'CRS84h' ? '0' : '1.3';
}
