/** Finds the code of a coordinate reference system that came as text, such as the `.prj` beside a shapefile. */

import { haveSameFigure, haveSameProjection, plainName } from './compare-models.ts';
import type { CrsModel, GeographicCrs, ProjectedCrs } from './crs-model.ts';
import type { CrsReference } from './crs-reference.ts';
import { type CrsRegistry, loadRegistry, type RegisteredCrs } from './registry.ts';
import { authorityOf, horizontalPart, readCrs } from './wkt/read-crs.ts';
import { parseWkt } from './wkt/wkt-node.ts';

/** The roots that stand for a coordinate reference system, in both generations of WKT. */
const ROOTS =
  /^(?:GEOGCS|PROJCS|COMPD_CS|GEOCCS|LOCAL_CS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS|PROJCRS|PROJECTEDCRS|COMPOUNDCRS|BOUNDCRS|ENGCRS|ENGINEERINGCRS)$/;

/** Datums whose writers only knew the ellipsoid. */
const UNKNOWN_DATUM =
  /^(?:unknown|unnamed|undefined|notspecified|wgs84)?(?:datum)?(?:basedupon|basedon)?(?:the)?(?:wgs84|wgs1984)?(?:ellipsoid|spheroid)?(?:datum)?$/;

/**
 * By the code in the text, if it has one; else by datum and name, where all the numbers agree; else by the numbers alone.
 * Where there is no code, the text is kept; text that defines nothing gives an empty reference.
 */
export async function matchWkt(text: string): Promise<CrsReference> {
  const wkt = text
    .replaceAll('\0', '')
    .replace(/^\uFEFF/, '')
    .trim();
  const node = parseWkt(wkt);
  if (node === undefined || !ROOTS.test(node.keyword)) return {};
  const registry = await loadRegistry();
  const horizontal = horizontalPart(node);
  for (const code of [authorityOf(node), authorityOf(horizontal)]) {
    if (code !== undefined && registry.find(code) !== undefined) return { code, wkt };
  }
  const model = readCrs(horizontal);
  const code = model === undefined ? undefined : findCode(model, registry);
  return code === undefined ? { wkt } : { code, wkt };
}

/** The code of a system that has been taken apart. */
function findCode(model: CrsModel, registry: CrsRegistry): string | undefined {
  if (model.kind === 'geographic') return findGeographic(model, registry)[0]?.code;
  for (const base of findGeographic(model.base, registry)) {
    const candidates = registry.projectedOn(base.code, model.projection.method);
    const [best] = ranked(
      candidates.filter((entry) => isSameProjected(entry, model)),
      model.name,
    );
    if (best !== undefined) return best.code;
  }
  // Its datum goes by a name we do not know, or is one that others do not tell apart; its own name and numbers are known.
  const named = registry.projectedNamed(model.name).filter((entry) => isSameProjected(entry, model, haveSameFigure));
  return ranked(named, model.name)[0]?.code;
}

/** All that may be meant, the likeliest first. */
function findGeographic(model: GeographicCrs, registry: CrsRegistry): readonly RegisteredCrs[] {
  const named = registry.geographicNamed([model.name, model.datum]);
  const same = named.filter((entry) => entry.model?.kind === 'geographic' && haveSameFigure(entry.model, model));
  if (same.length > 0) return ranked(same, model.name, model.datum);
  const worldwide = registry.find('EPSG:4326');
  return worldwide?.model?.kind === 'geographic' && isMerelyWgs84(model, worldwide.model) ? [worldwide] : [];
}

function isMerelyWgs84(model: GeographicCrs, wgs84: GeographicCrs): boolean {
  const isItsEllipsoid = Math.abs(model.ellipsoid.inverseFlattening - wgs84.ellipsoid.inverseFlattening) < 1e-7;
  return isItsEllipsoid && haveSameFigure(model, wgs84) && UNKNOWN_DATUM.test(plainName(model.datum));
}

function isSameProjected(
  entry: RegisteredCrs,
  model: ProjectedCrs,
  isSameBase: (a: GeographicCrs, b: GeographicCrs) => boolean = () => true,
): boolean {
  if (entry.model?.kind !== 'projected') return false;
  return haveSameProjection(entry.model, model) && isSameBase(entry.model.base, model.base);
}

/** By how many of the names fit; then what is still recommended; then east first, as data is; then the older number. */
function ranked(entries: readonly RegisteredCrs[], ...names: readonly string[]): readonly RegisteredCrs[] {
  const wanted = names.map(plainName);
  const score = (entry: RegisteredCrs): number => {
    const own = [entry.name, ...entry.otherNames, ...(entry.model?.kind === 'geographic' ? [entry.model.datum] : [])];
    const plain = own.map(plainName);
    const fitting = wanted.filter((name) => plain.includes(name)).length;
    const rank = [entry.code.startsWith('EPSG:'), !entry.isDeprecated, !entry.isNorthFirst];
    return fitting * 8 + rank.reduce((sum, holds, index) => sum + (holds ? 4 >> index : 0), 0);
  };
  return entries
    .map((entry) => ({ entry, score: score(entry), number: Number(entry.code.split(':')[1]) }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .map(({ entry }) => entry);
}
