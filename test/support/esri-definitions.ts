/** The coordinate reference systems that Esri publishes, as in .prj files. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** An entry of the `@esri/proj-codes` package. */
export interface EsriDefinition {
  readonly wkid: number;
  readonly name: string;
  readonly authority: string;
  readonly deprecated: string;
  readonly wkt: string;
}

export function esriDefinitions(): readonly EsriDefinition[] {
  const projected = readPackageJson('@esri/proj-codes/pe_list_projcs.json') as {
    readonly ProjectedCoordinateSystems: readonly EsriDefinition[];
  };
  const geographic = readPackageJson('@esri/proj-codes/pe_list_geogcs.json') as {
    readonly GeographicCoordinateSystems: readonly EsriDefinition[];
  };
  return [...geographic.GeographicCoordinateSystems, ...projected.ProjectedCoordinateSystems];
}

function readPackageJson(specifier: string): unknown {
  return JSON.parse(readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8'));
}
