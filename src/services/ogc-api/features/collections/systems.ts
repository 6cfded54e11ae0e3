/** The coordinate reference systems of a collection (OGC API Features, part 2). */
import { type NamedCrs, readCrsName, writeCrsName } from '../../../../crs/axis-order.ts';
import { formatChoices } from '../../../../lib/text/wording.ts';
import { listMembersNamed } from '../../../../lib/values/value-tree.ts';
import type { FeatureAccess } from '../../../access/feature-access.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import { createParameterProblem } from '../../common/parameters.ts';

export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** CRSs that web maps and European clients expect. */
const COMMON_CODES = ['EPSG:4326', 'EPSG:3857', 'EPSG:4258'];

/** Lists CRS84, then the stored CRS, then those configured for the layer or the service. */
export function listSystems({ crs, records }: PublishedType, settings: FeatureAccess['settings']): readonly string[] {
  const { type } = records;
  const ofService = settings['srs'];
  const listed =
    typeof ofService === 'object' && ofService !== null && !type.overridingServiceSRS
      ? listMembersNamed(ofService, 'string').filter((each) => typeof each === 'string')
      : [];
  const codes = [crs.code ?? [], COMMON_CODES, listed, type.responseSRS]
    .flat()
    .map((code) => code.trim().toUpperCase());
  const known = codes
    .filter((code) => /^(?:EPSG:)?\d{1,9}$/.test(code))
    .map((code) => code.replace(/^(?!EPSG:)/, 'EPSG:'));
  const addresses = known.map((code) => writeCrsName({ code, isLongitudeFirst: false }, 'uri'));
  return [...new Set([CRS84, ...addresses])];
}

/** Returns the stored CRS; undefined if it has no code. */
export function findStorageSystem({ crs }: PublishedType): string | undefined {
  return crs.code === undefined ? undefined : writeCrsName({ code: crs.code, isLongitudeFirst: false }, 'uri');
}

/** Returns one of the offered CRSs, or throws a Problem. */
export async function getNamedSystem(parameter: string, name: string, offered: readonly string[]): Promise<NamedCrs> {
  const found = offered.includes(name) ? await readCrsName(name) : undefined;
  if (found === undefined) {
    throw createParameterProblem(parameter, name, formatChoices(offered));
  }
  return found;
}
