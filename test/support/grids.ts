/** A fictitious store type and resource type: everything a new family has to declare. */

import {
  defaultResourceSettings,
  type Resource,
  type ResourceKind,
  resourceKeys,
  toAnyResourceKind,
} from '../../src/catalog/kinds/resource.ts';
import { createResourceFields } from '../../src/catalog/kinds/resource-draft.ts';
import { type Store, type StoreKind, toAnyStoreKind } from '../../src/catalog/kinds/store.ts';
import { toSecret } from '../../src/lib/identity/secret.ts';
import { problem } from '../../src/lib/problems/problem.ts';
import type { DraftOf } from '../../src/records/record.ts';
import { createLinkedKind } from '../../src/records/references.ts';
import { workspaceKind } from '../../src/records/workspace.ts';

export interface GridStore extends Store {
  readonly kind: 'gridStore';
}

export interface Grid extends Resource {
  readonly kind: 'grid';
  readonly cellCount: number;
}

export const gridStoreKind: StoreKind<GridStore> = {
  ...createLinkedKind<GridStore>(
    { kind: 'gridStore', keys: {}, secrets: { sealedParameters: true } },
    { livesIn: [workspaceKind.kind], references: [] },
  ),
  collection: 'gridstores',
  createNotEmptyProblem: (details) => problem('store-not-empty', details),
};

export const gridKind: ResourceKind<Grid> = {
  ...createLinkedKind<Grid>(
    { kind: 'grid', keys: resourceKeys, secrets: {} },
    { livesIn: [gridStoreKind.kind], references: [] },
  ),
  collection: 'grids',
  layerType: 'RASTER',
  selectDefaultStyle: () => 'raster',
  createNameTakenProblem: (details) => problem('feature-type-exists', details),
  createInUseProblem: (details) => problem('feature-type-in-use', details),
};

export const anyGridStoreKind = toAnyStoreKind(gridStoreKind);
export const anyGridKind = toAnyResourceKind(gridKind);

export function gridStoreDraft(workspaceId: string, name: string): DraftOf<GridStore> {
  return {
    parent: workspaceId,
    name,
    description: null,
    type: 'Grids',
    enabled: true,
    parameters: {},
    sealedParameters: { passwd: toSecret('sealed') },
    metadata: {},
    disableOnConnFailure: false,
    fileSet: null,
    filePlace: null,
  };
}

export function gridDraft(store: GridStore, name: string): DraftOf<Grid> {
  return {
    ...defaultResourceSettings,
    ...createResourceFields({}, name, 'grid'),
    parent: store.id,
    workspace: store.parent ?? '',
    name,
    nativeName: name,
    nativeCrs: { code: 'EPSG:4326' },
    srs: 'EPSG:4326',
    nativeBounds: null,
    latLonBounds: null,
    cellCount: 9,
  };
}
