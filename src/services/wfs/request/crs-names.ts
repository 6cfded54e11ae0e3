/** How a WFS names coordinate reference systems, and which order of axes that means. */
import { type NamedCrs, readCrsName, writeCrsName } from '../../../crs/axis-order.ts';
import type { CrsSpelling } from '../../../crs/model/crs-code.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { WrittenCrs } from '../../../formats/port/port.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { WfsVersion } from './request.ts';

/** What each version says in lists, and means where nothing is said. */
const spellings: Readonly<Record<WfsVersion, CrsSpelling>> = {
  '1.0.0': 'short',
  '1.1.0': 'experimental-urn',
  '2.0.0': 'urn',
};

/** `EPSG:4326` as lists of a version have it; with the order of axes that clients expect there. */
export function formatCrsForVersion(version: WfsVersion, code: string): string {
  return writeCrsName({ code, isLongitudeFirst: false }, spellings[version]);
}

/** The system that features are written in: the one that is asked for, or that of the type as the version has it. */
export async function resolveWrittenCrs(
  version: WfsVersion,
  srsName: string | undefined,
  published: CrsReference,
): Promise<WrittenCrs> {
  if (srsName !== undefined) {
    const named = await readCrsName(srsName);
    if (named === undefined) {
      const expected = 'a coordinate reference system such as urn:ogc:def:crs:EPSG::4326 was expected';
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

/** Names that say nothing of the order of axes are told by one that says it; newer URIs by the URN that means the same. */
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
