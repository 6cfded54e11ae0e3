/** A connection to raster data: a GeoTIFF file, a picture with a world file, a NetCDF file, or a mosaic of many. */
import { problem } from '../../lib/problems/problem.ts';
import { createLinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { formatVersionName, type Mosaic } from './mosaic.ts';
import { listStoreFilePlaces, listStoreFileSets, type Store, type StoreKind } from './store.ts';

/** Its one parameter is `url`: where its file is, or the folder of the mosaic. */
export interface CoverageStore extends Store {
  readonly kind: 'coverageStore';
  /** Null for a store of one file. */
  readonly mosaic: Mosaic | null;
}

export const coverageStoreKind: StoreKind<CoverageStore> = {
  ...createLinkedKind<CoverageStore>(
    {
      kind: 'coverageStore',
      keys: { place: listStoreFilePlaces },
      secrets: { sealedParameters: true },
      files: (store) => [...listStoreFileSets(store), ...listGranuleVersions(store)],
      // The granules are among the files since the second.
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

/** A folder is the same with and without a slash at its end. */
export function isSameUrl(one: string, other: string): boolean {
  return trimTrailingSlashes(one) === trimTrailingSlashes(other);
}

function trimTrailingSlashes(url: string): string {
  return url.trim().replace(/\/+$/, '');
}

export function getStoreUrl({ parameters }: Pick<CoverageStore, 'parameters'>): string {
  return parameters['url'] ?? '';
}
