/** The tile settings of a layer or group, which is the parent. Without such a record the defaults apply. */
import type { CatalogReader } from '../../records/catalog.ts';
import { createUnionKind, type RecordBase, type RecordKind } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { TileSettings } from '../../tiles/settings/tile-settings.ts';
import { type Layer, layerKind } from './layer.ts';
import { type LayerGroup, layerGroupKind } from './layer-group.ts';

/** The parent has the name that clients see; each has at most one such record. */
export const TILE_LAYER = 'tiles';

/** The key of all records. */
export const EVERY_TILE_LAYER = 'tiles';

export interface TileLayer extends RecordBase {
  readonly kind: 'tileLayer';
  readonly settings: TileSettings;
}

export const tileLayerKind: LinkedKind<TileLayer> = createLinkedKind<TileLayer>(
  {
    kind: 'tileLayer',
    keys: {
      every: () => [EVERY_TILE_LAYER],
      gridSet: ({ settings }) => (settings.gridSubsets ?? []).map(({ gridSetName }) => gridSetName),
    },
    secrets: {},
  },
  { livesIn: [layerKind.kind, layerGroupKind.kind], goesAlong: true, references: [] },
);

/** A layer or group with the workspace of its name. */
export interface TileOwner {
  readonly owner: Layer | LayerGroup;
  /** Null for a global group. */
  readonly workspace: Workspace | null;
}

/** For reading by id only, which uses no keys. */
const ownerKind = createUnionKind([layerKind, layerGroupKind] as unknown as readonly RecordKind<Layer | LayerGroup>[]);

/** Returns undefined if the layer or group does not exist any more. */
export async function findTileOwner(reader: CatalogReader, { parent }: TileLayer): Promise<TileOwner | undefined> {
  const owner = await reader.get(ownerKind, parent ?? '');
  if (owner === undefined) return undefined;
  const home = owner.kind === 'layer' ? owner.workspace : owner.parent;
  const workspace = home === null ? null : await reader.get(workspaceKind, home);
  return workspace === undefined ? undefined : { owner, workspace };
}

/** Returns `workspace:name`, or the name of a global group. */
export function formatTileOwner({ owner, workspace }: TileOwner): string {
  return workspace === null ? owner.name : `${workspace.name}:${owner.name}`;
}

export async function formatTileLayerName(reader: CatalogReader, record: TileLayer): Promise<string> {
  const found = await findTileOwner(reader, record);
  return found === undefined ? record.id : formatTileOwner(found);
}
