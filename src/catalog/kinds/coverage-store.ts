/**
 * A connection to raster data: a GeoTIFF file, an image with a world file, a NetCDF file, or a mosaic of many files.
 */
import { problem } from '../../lib/problems/problem.ts';
import { createLinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { formatVersionName, type Mosaic } from './mosaic.ts';
import { listStoreFilePlaces, listStoreFileSets, type Store, type StoreKind } from './store.ts';
import { listUnverifiedKeys, type Unverified } from './unverified.ts';

/** Its only parameter is `url`: the location of the file, or the folder of the mosaic. */
export interface CoverageStore extends Store {
  readonly kind: 'coverageStore';
  /** Null for a store of one file. */
  readonly mosaic: Mosaic | null;
  /** Set for a mosaic whose files were not harvested yet. */
  readonly unverified?: Unverified;
}

export const coverageStoreKind: StoreKind<CoverageStore> = {
  ...createLinkedKind<CoverageStore>(
    {
      kind: 'coverageStore',
      keys: { place: listStoreFilePlaces, unverified: listUnverifiedKeys },
      secrets: { sealedParameters: true },
      files: (store) => [...listStoreFileSets(store), ...listGranuleVersions(store)],
      // Version 2 added the granules to the files.
      bodyVersion: 2,
    },
    { livesIn: [workspaceKind.kind], references: [] },
  ),
  collection: 'coveragestores',
  createNotEmptyProblem: (details) => problem('coverage-store-not-empty', details),
};

function listGranuleVersions({ mosaic }: Pick<CoverageStore, 'mosaic'>): readonly string[] {
  return mosaic === null ? [] : [formatVersionName(mosaic.index.key, mosaic.indexVersion)];
}

/** Compares URLs; a slash at the end of a folder is not significant. */
export function isSameUrl(one: string, other: string): boolean {
  return trimTrailingSlashes(one) === trimTrailingSlashes(other);
}

function trimTrailingSlashes(url: string): string {
  return url.trim().replace(/\/+$/, '');
}

export function getStoreUrl({ parameters }: Pick<CoverageStore, 'parameters'>): string {
  return parameters['url'] ?? '';
}
