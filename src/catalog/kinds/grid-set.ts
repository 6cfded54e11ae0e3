/** A grid set: a tile matrix set that administrators define. */
import type { RecordBase } from '../../records/record.ts';
import { createLinkedKind, type LinkedKind } from '../../records/references.ts';
import type { GridDefinition } from '../../tiles/grids/grid-definition.ts';

export interface GridSet extends RecordBase, GridDefinition {
  readonly kind: 'gridSet';
}

export const gridSetKind: LinkedKind<GridSet> = createLinkedKind(
  { kind: 'gridSet', keys: {}, secrets: {} },
  { livesIn: [], references: [] },
);

/** The setting of WMTS with the grid sets that every layer offers besides the two default ones. */
export const GRID_SETS = 'gridSets';
