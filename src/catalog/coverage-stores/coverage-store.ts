/** A connection to raster data: a GeoTIFF file, a picture with a world file, or a NetCDF file. */
import { problem } from '../../lib/problem.ts';
import { linkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { filesOfStore, type Store, type StoreKind } from '../stores/store.ts';

/** Its one parameter is `url`: where its file is. */
export interface CoverageStore extends Store {
  readonly kind: 'coverageStore';
}

export const coverageStoreKind: StoreKind<CoverageStore> = {
  ...linkedKind<CoverageStore>(
    { kind: 'coverageStore', keys: {}, secrets: { sealedParameters: true }, files: filesOfStore },
    { livesIn: [workspaceKind.kind], references: [] },
  ),
  collection: 'coveragestores',
  notEmpty: (details) => problem('coverage-store-not-empty', details),
};

export function urlOf({ parameters }: Pick<CoverageStore, 'parameters'>): string {
  return parameters['url'] ?? '';
}
