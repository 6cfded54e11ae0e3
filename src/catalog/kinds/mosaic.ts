/**
 * The mosaic part of a coverage store: its definition, its index with the current version, and its coverages. Granules
 * are not records: a version of the index becomes visible when the record refers to it.
 */

import type { Secret } from '../../lib/identity/secret.ts';
import type { GranuleSchema } from '../../raster/granules/port/port.ts';
import type { MosaicDefinition } from '../../raster/mosaic/definition.ts';
import type { Band } from '../../raster/port/port.ts';

export const MOSAIC_TYPE = 'ImageMosaic';

/** Returns whether the type is that of a mosaic, in any case. */
export function isMosaicType(type: string | null | undefined): boolean {
  return type?.trim().toLowerCase() === MOSAIC_TYPE.toLowerCase();
}

/** The format in the URLs of its uploads. */
export const MOSAIC_FORMAT = 'imagemosaic';

export interface Mosaic {
  /** Without the index location, which is in `index`, since the definition contains its secrets. */
  readonly definition: Omit<MosaicDefinition, 'index'>;
  readonly index: IndexStorage;
  /** The version of the index that readers see; 0 until the first write. */
  readonly indexVersion: number;
  /** The coverages of its granules, in the order in which they were found. */
  readonly coverages: readonly MosaicCoverage[];
}

/** The key identifies the index permanently, independent of the store name. */
export type IndexStorage =
  | { readonly kind: 'embedded'; readonly key: string }
  /** Without the secret parameters, which the store keeps encrypted among its own. */
  | { readonly kind: 'postgis'; readonly key: string; readonly parameters: Readonly<Record<string, string>> };

/**
 * Formats the name of an index version for the list of files that records refer to. Unlike other entries, it is not a
 * hash.
 */
export function formatVersionName(key: string, version: number): string {
  return `granules ${key} ${version}`;
}

export function parseVersionName(name: string): { readonly key: string; readonly version: number } | undefined {
  const [, key, version] = /^granules (\S+) (\d+)$/.exec(name) ?? [];
  return key === undefined ? undefined : { key, version: Number(version) };
}

/** The location of an index and the name of its store. */
export interface IndexHolder {
  readonly name: string;
  readonly sealedParameters: Readonly<Record<string, Secret>>;
  readonly mosaic: Pick<Mosaic, 'index'>;
}

/** A coverage of a mosaic, with the properties of its first granule. */
export interface MosaicCoverage {
  readonly name: string;
  readonly schema: GranuleSchema;
  /** The sample types of its bands, comma-separated: granules with other types are skipped. */
  readonly bandTypes: string;
  readonly title: string | null;
  /** The sample size in the CRS of the footprints. */
  readonly resolution: readonly [x: number, y: number];
  readonly bands: readonly MosaicBand[];
  /** The units of its domains by name, where the data defines them. */
  readonly units: Readonly<Record<string, string>>;
}

/** Without the palette, and with the no-data value as text, since some are not representable in JSON. */
export type MosaicBand = Omit<Band, 'palette' | 'noData'> & { readonly noData?: string };

export function findMosaicCoverage({ coverages }: Mosaic, name: string): MosaicCoverage | undefined {
  return coverages.find((coverage) => coverage.name === name);
}
