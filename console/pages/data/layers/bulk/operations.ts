/** The requests of a change of several layers. */
import type { BatchOperation } from '../../../../rest/batch.ts';
import { rest } from '../../../../rest/client.ts';
import { getStorePath, storeContents } from '../../../../rest/store-documents.ts';
import { type StoreCollection, storeRoots } from '../../../../rest/store-kinds.ts';
import { parseStyleName } from '../../../styles/style-documents.ts';
import type { LayerRow } from '../layer-row.ts';

export type BulkAction = 'enable' | 'disable' | 'style' | 'move' | 'delete';

/** The order of the buttons. */
export const bulkActions: readonly BulkAction[] = ['enable', 'disable', 'style', 'move', 'delete'];

/** Enabling takes two operations for each layer, and a batch has at most 1,000. */
export const MAX_SELECTED = 500;

const collections: Readonly<Record<string, StoreCollection>> = {
  VECTOR: 'datastores',
  RASTER: 'coveragestores',
  WMS: 'wmsstores',
  WMTS: 'wmtsstores',
};

/** The value is the name of the style or of the workspace. */
export function createOperations(
  action: BulkAction,
  rows: readonly LayerRow[],
  value: string,
): readonly BatchOperation[] {
  switch (action) {
    case 'enable':
      return rows.flatMap((row) => [...createResourceChange(row, true), createLayerChange(row, { enabled: true })]);
    case 'disable':
      // Like the switch on the page of the layer.
      return rows.flatMap((row) => createResourceChange(row, false));
    case 'style':
      return rows.map((row) => createLayerChange(row, { defaultStyle: createStyleReference(value) }));
    case 'move':
      return createMoves(rows, value);
    case 'delete':
      return rows.map((row) => ({ method: 'DELETE', path: `${getLayerPath(row)}?recurse=true` }));
  }
}

function getLayerPath({ workspace, name }: LayerRow): string {
  return rest`/workspaces/${workspace}/layers/${name}`;
}

function createLayerChange(row: LayerRow, layer: object): BatchOperation {
  return { method: 'PUT', path: getLayerPath(row), body: { layer } };
}

/** A resource has the name of its layer. */
function createResourceChange({ workspace, name, entry }: LayerRow, enabled: boolean): readonly BatchOperation[] {
  const collection = collections[entry.type ?? ''];
  if (collection === undefined || entry.store === undefined) return [];
  const { path, item } = storeContents[collection];
  const target = `${getStorePath(workspace, collection, entry.store)}/${path}${rest`/${name}`}`;
  return [{ method: 'PUT', path: target, body: { [item]: { enabled } } }];
}

/** Layers move with their stores; stores that are there already stay. */
function createMoves(rows: readonly LayerRow[], target: string): readonly BatchOperation[] {
  const moves = new Map<string, BatchOperation>();
  for (const { workspace, entry } of rows) {
    const collection = collections[entry.type ?? ''];
    if (collection === undefined || entry.store === undefined || workspace === target) continue;
    const path = getStorePath(workspace, collection, entry.store);
    moves.set(path, { method: 'PUT', path, body: { [storeRoots[collection]]: { workspace: { name: target } } } });
  }
  return [...moves.values()];
}

function createStyleReference(qualified: string) {
  const { workspace, name } = parseStyleName(qualified);
  return { name, ...(workspace === undefined ? {} : { workspace: { name: workspace } }) };
}
