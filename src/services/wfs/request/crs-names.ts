/** CRS names in the WFS, and the axis order they imply. */
import { type NamedCrs, readCrsName, writeCrsName } from '../../../crs/axis-order.ts';
import { type CrsSpelling, isNoCrs, NO_CRS } from '../../../crs/model/crs-code.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { WrittenCrs } from '../../../formats/port/port.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { WfsVersion } from './request.ts';

/** The CRS notation of each version, in lists and by default. */
const spellings: Readonly<Record<WfsVersion, CrsSpelling>> = {
  '1.0.0': 'short',
  '1.1.0': 'experimental-urn',
  '2.0.0': 'urn',
};

/** Formats `EPSG:4326` in the notation of a version, with the axis order that clients expect. */
export function formatCrsForVersion(version: WfsVersion, code: string): string {
  return writeCrsName({ code, isLongitudeFirst: false }, spellings[version]);
}

/** Returns the output CRS: the requested one, or that of the type in the notation of the version. */
export async function resolveWrittenCrs(
  version: WfsVersion,
  srsName: string | undefined,
  published: CrsReference,
): Promise<WrittenCrs> {
  // On a plane without a CRS, all data keeps its coordinates.
  if (isNoCrs(srsName)) return { reference: published, name: NO_CRS, isNorthFirst: false };
  if (srsName !== undefined) {
    const named = await readCrsName(srsName);
    if (named === undefined) {
      const expected = 'expected a coordinate reference system such as urn:ogc:def:crs:EPSG::4326';
      throw problem('ows-parameter-invalid', { parameter: 'srsName', value: srsName, expected, field: 'srsName' });
    }
    return toWrittenCrs(named);
  }
  const named =
    published.code === undefined ? undefined : await readCrsName(formatCrsForVersion(version, published.code));
  return named === undefined ? { reference: published, isNorthFirst: false } : toWrittenCrs(named);
}

function toWrittenCrs(named: NamedCrs): WrittenCrs {
  const { code, isNorthFirst } = named;
  return { reference: { code }, name: writeCrsName(named, selectSpelling(named)), isNorthFirst };
}

/** Replaces names without an axis order by one with it, and newer URIs by the equivalent URN. */
function selectSpelling({ spelling, code, isLongitudeFirst }: NamedCrs): CrsSpelling {
  switch (spelling) {
    case 'urn':
    case 'experimental-urn':
      return spelling;
    case 'uri':
      return 'urn';
    case 'short':
    case 'gml-uri':
      if (isLongitudeFirst) return 'urn';
      return code.startsWith('EPSG:') ? 'gml-uri' : 'short';
  }
}
