/**
 * Versions of the granules of mosaics, as records name them among their files: so the log knows how long a version may be
 * wanted again, and the same rule says when it is cleared away as for files.
 */
import type { FindNeededVersions } from '../../raster/granules/embedded/embedded-granules.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { coverageStoreKind } from '../kinds/coverage-store.ts';
import { formatVersionName } from '../kinds/mosaic.ts';
import { isMosaic } from './mosaic-indexes.ts';

export interface VersionUsage {
  readonly catalog: CatalogReader;
  /** Whether a record names it, or a change that can still be taken back. */
  isReferenced(version: string): Promise<boolean>;
  readonly clock: () => number;
  /** Younger ones are left alone: the change that names them may be about to be made. */
  readonly graceMs: number;
}

/** What the collection of granules asks. */
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
