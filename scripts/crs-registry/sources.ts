/** Reads the two published lists of coordinate reference systems that our registry is made from. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** An entry of the `epsg-index` package. */
export interface EpsgEntry {
  readonly code: string;
  readonly kind: string;
  readonly name: string;
  readonly wkt: string | null;
  readonly proj4: string | null;
  /** North, west, south, east. */
  readonly bbox: readonly [number, number, number, number];
}

/** An entry of the `@esri/proj-codes` package. */
export interface EsriEntry {
  readonly wkid: number;
  readonly name: string;
  readonly description: string;
  readonly authority: string;
  readonly deprecated: string;
  readonly wkt: string;
  readonly wkt2: string;
  readonly extent?: readonly {
    readonly slat: number;
    readonly nlat: number;
    readonly llon: number;
    readonly rlon: number;
  }[];
}

export function readEpsgEntries(): readonly EpsgEntry[] {
  return Object.values(readPackageJson('epsg-index/all.json') as Readonly<Record<string, EpsgEntry>>);
}

export function readEsriEntries(): readonly EsriEntry[] {
  const projected = readPackageJson('@esri/proj-codes/pe_list_projcs.json') as {
    readonly ProjectedCoordinateSystems: readonly EsriEntry[];
  };
  const geographic = readPackageJson('@esri/proj-codes/pe_list_geogcs.json') as {
    readonly GeographicCoordinateSystems: readonly EsriEntry[];
  };
  return [...geographic.GeographicCoordinateSystems, ...projected.ProjectedCoordinateSystems];
}

function readPackageJson(specifier: string): unknown {
  return JSON.parse(readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8'));
}
