/**
 * Versions of mosaic granules, which records list among their files: so the same retention rule applies to them as to
 * files.
 */
import type { FindNeededVersions } from '../../raster/granules/embedded/embedded-granules.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { coverageStoreKind } from '../kinds/coverage-store.ts';
import { formatVersionName } from '../kinds/mosaic.ts';
import { isMosaic } from './mosaic-indexes.ts';

export interface VersionUsage {
  readonly catalog: CatalogReader;
  /** Returns whether a record refers to the version, or a change that can still be undone. */
  isReferenced(version: string): Promise<boolean>;
  readonly clock: () => number;
  /** Younger versions are kept: the change that refers to them may be in progress. */
  readonly graceMs: number;
}

/** Returns the function that the granule cleanup uses to find needed versions. */
export function createNeededVersions({
  catalog,
  isReferenced: isNamed,
  clock,
  graceMs,
}: VersionUsage): FindNeededVersions {
  return async (key, versions) => {
    const needed = new Set(await listVersionsInUse(catalog, key));
    for (const { version, madeAtMs } of versions) {
      if (clock() - madeAtMs <= graceMs || (await isNamed(formatVersionName(key, version)))) needed.add(version);
    }
    return [...needed];
  };
}

async function listVersionsInUse(catalog: CatalogReader, key: string): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const stores of catalog.readAll(coverageStoreKind)) {
    for (const { mosaic } of stores.filter(isMosaic)) {
      if (mosaic.index.key === key) found.push(mosaic.indexVersion);
    }
  }
  return found;
}
