/** Systems of the Esri list that the database does not contain yet: the list is released more often. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CrsModel } from '../../src/crs/model/crs-model.ts';
import { readCrs } from '../../src/crs/wkt/read-crs.ts';
import { parseWkt } from '../../src/crs/wkt/wkt-node.ts';
import type { Area } from './entries.ts';

interface Novelty {
  readonly code: string;
  readonly name: string;
  readonly area: Area;
  readonly model: CrsModel;
}

/** An entry of the `@esri/proj-codes` package. */
interface EsriEntry {
  readonly wkid: number;
  readonly description: string;
  readonly authority: string;
  readonly deprecated: string;
  readonly wkt: string;
  readonly extent?: readonly {
    readonly slat: number;
    readonly nlat: number;
    readonly llon: number;
    readonly rlon: number;
  }[];
}

const WORLD: Area = [-180, -90, 180, 90];

export function readNovelties(isKnown: (code: string) => boolean): readonly Novelty[] {
  const found: Novelty[] = [];
  for (const entry of [
    ...readEntries('pe_list_geogcs.json', 'GeographicCoordinateSystems'),
    ...readEntries('pe_list_projcs.json', 'ProjectedCoordinateSystems'),
  ]) {
    const code = `${entry.authority.toUpperCase()}:${entry.wkid}`;
    if (isKnown(code) || entry.deprecated !== 'no' || !isFlatOnEarth(entry.wkt)) continue;
    const node = parseWkt(entry.wkt);
    const model = node === undefined ? undefined : readCrs(node);
    if (model === undefined) continue;
    const [extent] = entry.extent ?? [];
    const area: Area = extent === undefined ? WORLD : [extent.llon, extent.slat, extent.rlon, extent.nlat];
    found.push({ code, name: entry.description.replace(/\s*\[.*\]$/, ''), area, model });
  }
  return found;
}

function readEntries(file: string, member: string): readonly EsriEntry[] {
  const path = fileURLToPath(import.meta.resolve(`@esri/proj-codes/${file}`));
  const content = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, readonly EsriEntry[]>>;
  return content[member] ?? [];
}

/** Skip planets and moons, and systems with heights, which have a 2D equivalent. */
function isFlatOnEarth(wkt: string): boolean {
  const semiMajor = Number(/SPHEROID\["[^"]*",([\d.]+)/.exec(wkt)?.[1]);
  return semiMajor > 6_300_000 && semiMajor < 6_400_000 && !wkt.includes('LINUNIT');
}
