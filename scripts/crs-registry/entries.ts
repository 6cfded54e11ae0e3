/** Brings the two lists together: for each code one entry, understood as far as we can compute with it. */
import type { CrsModel, ProjectedCrs } from '../../src/data/crs/crs-model.ts';
import { authorityOf, horizontalPart, readCrs } from '../../src/data/crs/wkt/read-crs.ts';
import { parseWkt } from '../../src/data/crs/wkt/wkt-node.ts';
import { type EpsgEntry, type EsriEntry, readEpsgEntries, readEsriEntries } from './sources.ts';

type Area = readonly [west: number, south: number, east: number, north: number];

interface Named {
  readonly code: string;
  readonly name: string;
  readonly area: Area;
}

export interface Entry<M extends CrsModel = CrsModel> extends Named {
  readonly model: M;
  /** What Esri calls it and its datum. */
  readonly otherNames: readonly string[];
  readonly flags: string;
  /** Whether Esri puts it on another base, so that only its name leads here. */
  readonly isKnownByName: boolean;
}

export interface LayeredEntry extends Named {
  readonly horizontal: string;
}

export interface OtherEntry extends Named {
  readonly wkt: string;
}

export interface Entries {
  readonly systems: readonly Entry[];
  readonly layered: readonly LayeredEntry[];
  readonly other: readonly OtherEntry[];
}

/** What they were called in earlier editions of the EPSG dataset or are called by other writers. */
const FORMER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'EPSG:4171': ['RGF93', 'Reseau Geodesique Francais 1993'],
  'EPSG:4258': ['European Terrestrial Reference System 1989 ensemble'],
  'EPSG:4326': ['WGS84', 'WGS_1984', 'World Geodetic System 1984', 'World Geodetic System 1984 ensemble'],
};

/** From here on the codes of the list are not EPSG's, whatever it says. */
const FIRST_FOREIGN_CODE = 32_768;
const WORLD: Area = [-180, -90, 180, 90];

export function collectEntries(): Entries {
  const esri = readEsriEntries().filter((entry) => entry.deprecated !== 'codechange' && isFlatOnEarth(entry.wkt));
  const esriByCode = new Map(esri.map((entry) => [codeOf(entry), entry]));
  const esriBases = new Map(
    esri.filter((entry) => entry.wkt.startsWith('GEOGCS')).map((each) => [each.name, codeOf(each)]),
  );
  const systems: Entry[] = [];
  const layered: LayeredEntry[] = [];
  const other: OtherEntry[] = [];

  const epsg = readEpsgEntries().filter((entry) => Number(entry.code) < FIRST_FOREIGN_CODE);
  const geographicByName = new Map(
    epsg.filter((each) => each.kind === 'CRS-GEOGCRS').map((each) => [each.name, each.code]),
  );
  for (const entry of epsg) {
    const named = { code: `EPSG:${entry.code}`, name: entry.name, area: areaOf(entry) };
    if (entry.kind === 'CRS-COMPOUNDCRS' || entry.kind === 'CRS-GEOG3DCRS') {
      const horizontal = horizontalOf(entry) ?? geographicByName.get(entry.name);
      if (horizontal !== undefined) layered.push({ ...named, horizontal });
    } else if (entry.kind === 'CRS-PROJCRS' || entry.kind === 'CRS-GEOGCRS') {
      const twin = esriByCode.get(named.code);
      const model = modelOf(entry, twin, esriBases);
      if (model !== undefined) {
        const otherNames = [...namesOf(twin), ...(FORMER_NAMES[named.code] ?? [])];
        const isKnownByName = model.kind === 'projected' && hasOtherBase(model, twin, esriBases);
        systems.push({ ...named, model, otherNames, flags: flagsOf(entry, twin), isKnownByName });
      } else if (entry.wkt !== null) other.push({ ...named, wkt: entry.wkt });
    }
  }

  const seen = new Set(epsg.map((entry) => `EPSG:${entry.code}`));
  for (const entry of esri) {
    const code = codeOf(entry);
    // What Esri no longer recommends under a number of EPSG's is not always what EPSG means by it.
    const isWanted = !seen.has(code) && entry.deprecated === 'no';
    const model = isWanted ? understood(entry.wkt, esriBases) : undefined;
    if (model === undefined) continue;
    const name = entry.description.replace(/\s*\[.*\]$/, '');
    const more = { otherNames: namesOf(entry), flags: flagsOf(undefined, entry), isKnownByName: false };
    systems.push({ code, name, area: esriArea(entry), model: { ...model, name, code }, ...more });
  }
  return { systems, layered, other };
}

function codeOf(entry: EsriEntry): string {
  return `${entry.authority.toUpperCase()}:${entry.wkid}`;
}

function modelOf(
  entry: EpsgEntry,
  twin: EsriEntry | undefined,
  esriBases: ReadonlyMap<string, string>,
): CrsModel | undefined {
  const node = entry.wkt === null ? undefined : parseWkt(entry.wkt);
  const model = node === undefined ? undefined : readCrs(node);
  // Only Esri's text tells the two directions of this projection apart.
  const isTold = model !== undefined && !(model.kind === 'projected' && model.projection.method === 'krovak');
  if (isTold) return model;
  const esriModel = twin === undefined ? undefined : understood(twin.wkt, esriBases);
  return esriModel === undefined ? model : { ...esriModel, name: entry.name, code: `EPSG:${entry.code}` };
}

/** Esri's text names the base and gives no code for it. */
function understood(wkt: string, esriBases: ReadonlyMap<string, string>): CrsModel | undefined {
  const node = parseWkt(wkt);
  const model = node === undefined ? undefined : readCrs(node);
  if (model?.kind !== 'projected') return model;
  const code = esriBases.get(model.base.name);
  return code === undefined ? undefined : { ...model, base: { ...model.base, code } };
}

function hasOtherBase(
  model: ProjectedCrs,
  twin: EsriEntry | undefined,
  esriBases: ReadonlyMap<string, string>,
): boolean {
  const esriModel = twin === undefined ? undefined : understood(twin.wkt, esriBases);
  return esriModel?.kind === 'projected' && esriModel.base.code !== model.base.code;
}

function horizontalOf(entry: EpsgEntry): string | undefined {
  const node = entry.wkt === null ? undefined : parseWkt(entry.wkt);
  return node === undefined ? undefined : authorityOf(horizontalPart(node))?.replace('EPSG:', '');
}

function namesOf(entry: EsriEntry | undefined): readonly string[] {
  if (entry === undefined) return [];
  const datum = /^GEOGCS.*?DATUM\["([^"]+)"/.exec(entry.wkt)?.[1];
  return datum === undefined ? [entry.name] : [entry.name, datum];
}

/** What is only in Esri's list under a number of EPSG's is either new or no longer recommended by EPSG. */
function flagsOf(entry: EpsgEntry | undefined, twin: EsriEntry | undefined): string {
  const northFirst = isNorthFirst(entry, twin) ? 'y' : '';
  return entry === undefined && twin?.authority === 'EPSG' ? `${northFirst}d` : northFirst;
}

function isNorthFirst(entry: EpsgEntry | undefined, twin: EsriEntry | undefined): boolean {
  if (entry?.kind === 'CRS-GEOGCRS') return true;
  const first = /CS\[(?:Cartesian|ellipsoidal),2\],AXIS\["[^"]*",(\w+)/.exec(
    twin?.wkt2.split('CONVERSION').at(-1) ?? '',
  )?.[1];
  if (first !== undefined) return first === 'north' && twin?.authority === 'EPSG';
  // The list writes axes only where they are east and north.
  return entry?.wkt !== null && entry?.wkt !== undefined && !entry.wkt.includes('AXIS[');
}

function areaOf(entry: EpsgEntry): Area {
  const [north, west, south, east] = entry.bbox;
  return [west, south, east, north];
}

function esriArea(entry: EsriEntry): Area {
  const [extent] = entry.extent ?? [];
  return extent === undefined ? WORLD : [extent.llon, extent.slat, extent.rlon, extent.nlat];
}

/** Planets and moons have no place on a map of the Earth, and systems with heights have a twin without. */
function isFlatOnEarth(wkt: string): boolean {
  const semiMajor = Number(/(?:SPHEROID)\["[^"]*",([\d.]+)/.exec(wkt)?.[1]);
  return semiMajor > 6_300_000 && semiMajor < 6_400_000 && !wkt.includes('LINUNIT');
}
