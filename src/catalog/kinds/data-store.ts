/** A connection to vector data: a shapefile, a folder of shapefiles, or a spatial database. */
import { problem } from '../../lib/problems/problem.ts';
import { createLinkedKind } from '../../records/references.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { listStoreFilePlaces, listStoreFileSets, migrateUploadedFolder, type Store, type StoreKind } from './store.ts';

export interface DataStore extends Store {
  readonly kind: 'dataStore';
  /** Whether it is the selected default data store of its workspace. */
  readonly isDefault: boolean;
}

export const dataStoreKind: StoreKind<DataStore> = {
  ...createLinkedKind<DataStore>(
    {
      kind: 'dataStore',
      keys: {
        // Key lookups return records in the order of their creation.
        workspace: ({ parent }) => (parent === null ? [] : [parent]),
        place: listStoreFilePlaces,
        defaultOf: ({ parent, isDefault }) => (isDefault && parent !== null ? [parent] : []),
      },
      secrets: { sealedParameters: true },
      files: listStoreFileSets,
      bodyVersion: 2,
      upgrade: migrateUploadedFolder,
    },
    { livesIn: [workspaceKind.kind], references: [] },
  ),
  collection: 'datastores',
  createNotEmptyProblem: (details) => problem('store-not-empty', details),
};
