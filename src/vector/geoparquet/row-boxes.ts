/** The boxes of the geometries of a row group, which a thread keeps for later queries. */

import type { Bounds } from '../../crs/bounds.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import { findWkbBounds } from '../../geometry/wkb-bounds.ts';
import { decodeWkb } from '../../geometry/wkb-decode.ts';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import type { DataFile } from '../support/data-file.ts';
import { limitKeptBytes } from '../support/kept-bytes.ts';
import { PACKED_BOX_BYTES, type PackedBoxes, setPackedBox } from '../support/packed-boxes.ts';
import { ColumnReader } from './column-reader.ts';
import { NativeGeometryReader } from './native-geometry.ts';
import { announceChunks, type RowGroup } from './parquet-footer.ts';
import { type GeometryColumn, wrapWkbErrors } from './table.ts';

/** The boxes that one thread keeps at most, with 16 bytes each. */
const MAX_KEPT_ROWS = 4_194_304;

/** Rows that are read together. */
const WINDOW_ROWS = 16_384;

const kept = createLruCache<PackedBoxes>(limitKeptBytes(MAX_KEPT_ROWS * PACKED_BOX_BYTES) / PACKED_BOX_BYTES);

/** From the covering, or else from the geometries. */
export async function loadRowBoxes(
  file: DataFile,
  group: RowGroup,
  column: GeometryColumn,
  signal: AbortSignal,
): Promise<PackedBoxes> {
  const key = `${file.version} ${group.firstRow} ${column.name}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  announceChunks(file, group, column.covering === undefined ? column.leaves : Object.values(column.covering));
  const read = createBoxReader(file, group, column);
  const boxes = new Float32Array(group.rowCount * 4).fill(Number.NaN);
  for (let at = 0; at < group.rowCount; at += WINDOW_ROWS) {
    signal.throwIfAborted();
    const length = Math.min(WINDOW_ROWS, group.rowCount - at);
    const found = await read(Uint32Array.from({ length }, (_, index) => at + index));
    for (let index = 0; index < length; index += 1) {
      const box = found[index];
      if (box != null) setPackedBox(boxes, at + index, box);
    }
  }
  kept.set(key, boxes, group.rowCount);
  return boxes;
}

type ReadBoxes = (rows: Uint32Array) => Promise<readonly (Bounds | null | undefined)[]>;

function createBoxReader(file: DataFile, group: RowGroup, column: GeometryColumn): ReadBoxes {
  const { covering, leaves, encoding } = column;
  if (covering !== undefined) {
    const sides = [covering.minX, covering.minY, covering.maxX, covering.maxY].map(
      (leaf) => new ColumnReader(file, group, leaf, Number),
    );
    return async (rows) => {
      const values: (number | null)[][] = [];
      for (const side of sides) values.push(await side.readRows(rows));
      return Array.from(rows, (_, index) => toBox(values.map((list) => list[index])));
    };
  }
  const [leaf] = leaves;
  if (encoding === 'WKB' && leaf !== undefined) {
    const reader = new ColumnReader(file, group, leaf, (raw) => {
      const bytes = raw instanceof Uint8Array ? raw : new Uint8Array();
      const quick = findWkbBounds(bytes);
      return quick ?? wrapWkbErrors(file, column, () => computeGeometryBounds(decodeWkb(bytes).geometry));
    });
    return (rows) => reader.readRows(rows);
  }
  const reader = new NativeGeometryReader(file, group, column);
  return async (rows) => (await reader.readRows(rows)).map((geometry) => geometry && computeGeometryBounds(geometry));
}

function toBox([minX, minY, maxX, maxY]: readonly (number | null | undefined)[]): Bounds | undefined {
  return minX == null || minY == null || maxX == null || maxY == null ? undefined : { minX, minY, maxX, maxY };
}
