/** Finds the code of a coordinate reference system in WKT, such as the `.prj` file of a shapefile. */

import { createLruCache } from '../lib/cache/lru-cache.ts';
import { areSameEllipsoid, haveSameFigure, haveSameProjection, normalizeCrsName } from './model/compare-models.ts';
import type { GeocentricCrs, GeographicCrs, ProjectedCrs } from './model/crs-model.ts';
import type { CrsReference } from './model/crs-reference.ts';
import { type CrsRegistry, loadRegistry, type RegisteredCrs } from './registry/registry.ts';
import { getHorizontalPart, hasHeights, readAuthority, readCrs } from './wkt/read-crs.ts';
import { parseWkt, readNodeText, type WktNode } from './wkt/wkt-node.ts';

/** The root keywords of coordinate reference systems in WKT 1 and WKT 2. */
const ROOTS =
  /^(?:GEOGCS|PROJCS|COMPD_CS|GEOCCS|LOCAL_CS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS|PROJCRS|PROJECTEDCRS|COMPOUNDCRS|BOUNDCRS|ENGCRS|ENGINEERINGCRS)$/;

/** Datum names that state only the ellipsoid. */
const UNKNOWN_DATUM =
  /^(?:unknown|unnamed|undefined|notspecified|wgs84)?(?:datum)?(?:basedupon|basedon)?(?:the)?(?:wgs84|wgs1984)?(?:ellipsoid|spheroid)?(?:datum)?$/;

/** Characters of WKT whose matches are kept: about 2,000 systems, more than the data of one installation has. */
const MAX_KEPT_CHARACTERS = 2_000_000;

const kept = createLruCache<CrsReference>(MAX_KEPT_CHARACTERS);

/** Layers of one source usually have the same WKT, and a match by numbers takes a fifth of a millisecond. */
export async function matchWkt(text: string): Promise<CrsReference> {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const found = await findMatch(text);
  kept.set(text, found, text.length);
  return found;
}

/**
 * Matches by the code in the WKT; else by datum and name if all numbers agree; else by the numbers alone. Without a
 * match the WKT is kept; text that is not WKT results in an empty reference.
 */
async function findMatch(text: string): Promise<CrsReference> {
  const wkt = text
    .replaceAll('\0', '')
    .replace(/^\uFEFF/, '')
    .trim();
  const node = parseWkt(wkt);
  if (node === undefined || !ROOTS.test(node.keyword)) return {};
  const registry = await loadRegistry();
  const horizontal = getHorizontalPart(node);
  for (const code of [readAuthority(node), readAuthority(horizontal)]) {
    if (code !== undefined && registry.find(code) !== undefined) return { code, wkt };
  }
  const code = findCompoundCode(node, findCode(horizontal, registry), registry);
  return code === undefined ? { wkt } : { code, wkt };
}

/** Returns the code of the compound system if it has one and the name matches; else the code of the horizontal part. */
function findCompoundCode(node: WktNode, below: string | undefined, registry: CrsRegistry): string | undefined {
  const isCompound = node.keyword === 'COMPD_CS' || node.keyword === 'COMPOUNDCRS';
  if (!isCompound || below === undefined) return below;
  const name = readNodeText(node) ?? '';
  return rankCandidates(registry.listCompoundByName(name, below), name)[0]?.code ?? below;
}

function findCode(node: WktNode, registry: CrsRegistry): string | undefined {
  const model = readCrs(node);
  switch (model?.kind) {
    case 'geographic':
      return findGeographic(model, hasHeights(node), registry)[0]?.code;
    case 'geocentric':
      return findGeocentric(model, registry);
    case 'projected':
      return findProjected(model, registry);
    case undefined: {
      // A system without a model can be matched only by its name.
      const name = readNodeText(node) ?? '';
      return rankCandidates(registry.listOtherByName(name), name)[0]?.code;
    }
  }
}

function findProjected(model: ProjectedCrs, registry: CrsRegistry): string | undefined {
  for (const base of findBases(model.base, registry)) {
    const candidates = registry.listProjectedOnBase(base.code, model.projection.method);
    const same = candidates.filter((entry) => isSameProjected(entry, model));
    if (same.length === 0) continue;
    // A system of this name may have been moved to its own datum since.
    const moved = same.some((entry) => isNamed(entry, model.name)) ? [] : registry.listByFormerName(model.name);
    const [best] = rankCandidates(
      moved.filter((entry) => !entry.isDeprecated && isSameProjected(entry, model, haveSameFigure)),
      model.name,
    );
    return (best ?? rankCandidates(same, model.name)[0])?.code;
  }
  // The datum name is unknown, or other programs do not distinguish it; the name and the numbers of the system match.
  const named = registry
    .listProjectedByName(model.name)
    .filter((entry) => isSameProjected(entry, model, haveSameFigure));
  return rankCandidates(named, model.name)[0]?.code;
}

function findGeocentric(model: GeocentricCrs, registry: CrsRegistry): string | undefined {
  const { name, base } = model;
  const same = registry
    .listGeocentricByName([name, base.datum])
    .filter(
      (entry) => entry.model?.kind === 'geocentric' && areSameEllipsoid(entry.model.base.ellipsoid, base.ellipsoid),
    );
  return rankCandidates(same, name, base.datum)[0]?.code;
}

/** Returns all candidates, the most likely first. */
function findGeographic(model: GeographicCrs, heights: boolean, registry: CrsRegistry): readonly RegisteredCrs[] {
  const named = registry.listGeographicByName([model.name, model.datum]);
  const same = named.filter((entry) => entry.model?.kind === 'geographic' && haveSameFigure(entry.model, model));
  const likely = same.filter((entry) => entry.hasHeights === heights);
  const unlikely = same.filter((entry) => entry.hasHeights !== heights);
  return likely.length + unlikely.length > 0
    ? [likely, unlikely].flatMap((each) => rankCandidates(each, model.name, model.datum))
    : listPlainWgs84(model, registry);
}

function findBases(model: GeographicCrs, registry: CrsRegistry): readonly RegisteredCrs[] {
  return [...findGeographic(model, false, registry), ...listPlainWgs84(model, registry)];
}

function listPlainWgs84(model: GeographicCrs, registry: CrsRegistry): readonly RegisteredCrs[] {
  const worldwide = registry.find('EPSG:4326');
  return worldwide?.model?.kind === 'geographic' && isPlainWgs84(model, worldwide.model) ? [worldwide] : [];
}

function isPlainWgs84(model: GeographicCrs, wgs84: GeographicCrs): boolean {
  const isItsEllipsoid = Math.abs(model.ellipsoid.inverseFlattening - wgs84.ellipsoid.inverseFlattening) < 1e-7;
  return isItsEllipsoid && haveSameFigure(model, wgs84) && UNKNOWN_DATUM.test(normalizeCrsName(model.datum));
}

function isNamed(entry: RegisteredCrs, name: string): boolean {
  return [entry.name, ...entry.otherNames].some((each) => normalizeCrsName(each) === normalizeCrsName(name));
}

function isSameProjected(
  entry: RegisteredCrs,
  model: ProjectedCrs,
  isSameBase: (a: GeographicCrs, b: GeographicCrs) => boolean = () => true,
): boolean {
  if (entry.model?.kind !== 'projected') return false;
  return haveSameProjection(entry.model, model) && isSameBase(entry.model.base, model.base);
}

/**
 * Systems that a vendor has deprecated come last. Then by the number of matching names, where the name of the system
 * counts more than that of the datum; then recommended systems; then the usual axis order; then the lower code.
 */
function rankCandidates(entries: readonly RegisteredCrs[], ...names: readonly string[]): readonly RegisteredCrs[] {
  const wanted = names.map(normalizeCrsName);
  const computeScore = (entry: RegisteredCrs): number => {
    const own = [entry.name, ...entry.otherNames, ...(entry.model?.kind === 'geographic' ? [entry.model.datum] : [])];
    const plain = own.map(normalizeCrsName);
    const fitting = wanted.filter((name) => plain.includes(name)).length;
    const isOwnName = plain.includes(wanted[0] ?? '');
    const isEpsg = entry.code.startsWith('EPSG:');
    const isUsualOrder = entry.isNorthFirst === (entry.model?.kind === 'geographic');
    const rank = [
      isEpsg || !entry.isDeprecated,
      fitting > 1,
      fitting > 0,
      isOwnName,
      isEpsg,
      !entry.isDeprecated,
      normalizeCrsName(entry.name) === wanted[0],
      isUsualOrder,
    ];
    return rank.reduce((sum, holds) => sum * 2 + (holds ? 1 : 0), 0);
  };
  return entries
    .map((entry) => ({ entry, score: computeScore(entry), number: Number(entry.code.split(':')[1]) }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .map(({ entry }) => entry);
}
