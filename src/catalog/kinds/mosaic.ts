/**
 * The part of a coverage store that makes it a mosaic: what its definition says, which version of which index of granules
 * belongs to it, and its coverages. Granules are no records: a version of the index is there for others once the record
 * names it.
 */

import type { Secret } from '../../lib/identity/secret.ts';
import type { GranuleSchema } from '../../raster/granules/port/port.ts';
import type { MosaicDefinition } from '../../raster/mosaic/definition.ts';
import type { Band } from '../../raster/port/port.ts';

export const MOSAIC_TYPE = 'ImageMosaic';

/** As clients write it. */
export function isMosaicType(type: string | null | undefined): boolean {
  return type?.trim().toLowerCase() === MOSAIC_TYPE.toLowerCase();
}

/** What the addresses of its uploads end with. */
export const MOSAIC_FORMAT = 'imagemosaic';

export interface Mosaic {
  /** Where the index is stands in `index`, since there are secrets in what the definition says of it. */
  readonly definition: Omit<MosaicDefinition, 'index'>;
  readonly index: IndexStorage;
  /** The version of the index that readers see; 0 as long as nothing was ever written. */
  readonly indexVersion: number;
  /** Those that granules were found of, in the order they were found. */
  readonly coverages: readonly MosaicCoverage[];
}

/** The key names the index for good, whatever becomes of the name of its store. */
export type IndexStorage =
  | { readonly kind: 'embedded'; readonly key: string }
  /** Without the secret parameters, which the store has sealed among its own. */
  | { readonly kind: 'postgis'; readonly key: string; readonly parameters: Readonly<Record<string, string>> };

/** What a version of an index is called among the files that records name. It is no hash, as other files are. */
export function formatVersionName(key: string, version: number): string {
  return `granules ${key} ${version}`;
}

export function parseVersionName(name: string): { readonly key: string; readonly version: number } | undefined {
  const [, key, version] = /^granules (\S+) (\d+)$/.exec(name) ?? [];
  return key === undefined ? undefined : { key, version: Number(version) };
}

/** What says where an index is, with the name of its store. */
export interface IndexHolder {
  readonly name: string;
  readonly sealedParameters: Readonly<Record<string, Secret>>;
  readonly mosaic: Pick<Mosaic, 'index'>;
}

/** A coverage of a mosaic, with what its first granule says of all of them. */
export interface MosaicCoverage {
  readonly name: string;
  readonly schema: GranuleSchema;
  /** Types of the samples of its bands, with a comma between: granules of others are left out. */
  readonly bandTypes: string;
  readonly title: string | null;
  /** The size of a sample in the system of the footprints. */
  readonly resolution: readonly [x: number, y: number];
  readonly bands: readonly MosaicBand[];
  /** Units of its domains, by their names, where the data says so. */
  readonly units: Readonly<Record<string, string>>;
}

/** Without its palette, and with the value for no data as text: some are no numbers that JSON has. */
export type MosaicBand = Omit<Band, 'palette' | 'noData'> & { readonly noData?: string };

export function findMosaicCoverage({ coverages }: Mosaic, name: string): MosaicCoverage | undefined {
  return coverages.find((coverage) => coverage.name === name);
}
