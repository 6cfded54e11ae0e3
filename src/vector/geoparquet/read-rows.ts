/** Streams the rows of a Parquet file as features: row group by row group, and only the pages that are needed. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { createOrdinateBlocks } from '../../geometry/ordinate-blocks.ts';
import { decodeWkb } from '../../geometry/wkb-decode.ts';
import type { Feature, Value } from '../port/port.ts';
import type { DataFile } from '../support/data-file.ts';
import { isMeetingPackedBox } from '../support/packed-boxes.ts';
import type { RowQuery } from '../support/row-query.ts';
import { ColumnReader } from './column-reader.ts';
import type { RawValue } from './decode-values.ts';
import { canMeet } from './group-boxes.ts';
import { NativeGeometryReader } from './native-geometry.ts';
import { announceChunks, type Leaf, type RowGroup } from './parquet-footer.ts';
import { loadRowBoxes } from './row-boxes.ts';
import { type GeometryColumn, type GeoparquetTable, wrapWkbErrors } from './table.ts';

/** Rows that are read together; large geometries fill a batch earlier. */
const BATCH_ROWS = 256;
const BATCH_ORDINATES = 131_072;

export async function* readFeatures(
  file: DataFile,
  table: GeoparquetTable,
  query: RowQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  let [left, skipped] = [query.limit ?? Number.POSITIVE_INFINITY, query.offset ?? 0];
  const isReverse = query.start?.side === 'before';
  const groups = isReverse ? table.footer.rowGroups.toReversed() : table.footer.rowGroups;
  for (const group of groups) {
    if (left <= 0) return;
    if (query.boxes !== undefined && table.primary !== undefined && !canMeet(group, table.primary, query.boxes))
      continue;
    const reader = new GroupReader(file, table, group);
    const found = await findRows(reader, query, signal);
    const wanted = skipped > 0 ? found.subarray(Math.min(skipped, found.length)) : found;
    skipped -= found.length - wanted.length;
    for await (const batch of reader.readBatches(wanted, query)) {
      signal.throwIfAborted();
      const fitting = batch.length > left ? batch.slice(0, left) : batch;
      left -= fitting.length;
      if (fitting.length > 0) yield fitting;
      if (left <= 0) return;
      await othersFirst();
      signal.throwIfAborted();
    }
  }
}

/** Returns the rows of the group that can match, in the order of the query. */
async function findRows(reader: GroupReader, query: RowQuery, signal: AbortSignal): Promise<Uint32Array> {
  const { firstRow, rowCount } = reader.group;
  const { start, rows, boxes } = query;
  const from = start?.side === 'after' ? Math.min(Math.max(0, start.row + 1 - firstRow), rowCount) : 0;
  const to = start?.side === 'before' ? Math.max(0, Math.min(rowCount, start.row - firstRow)) : rowCount;
  const found =
    rows !== undefined
      ? Uint32Array.from(rows.map((row) => row - firstRow).filter((row) => row >= from && row < to))
      : boxes === undefined
        ? listRows(from, to)
        : await reader.findMeeting(from, to, boxes, signal);
  return start?.side === 'before' ? found.reverse() : found;
}

function listRows(from: number, to: number): Uint32Array {
  const rows = new Uint32Array(Math.max(0, to - from));
  for (let index = 0; index < rows.length; index += 1) rows[index] = from + index;
  return rows;
}

class GroupReader {
  readonly group: RowGroup;
  readonly #file: DataFile;
  readonly #table: GeoparquetTable;
  readonly #readers: ((rows: Uint32Array) => Promise<(Value | Geometry)[]>)[];

  constructor(file: DataFile, table: GeoparquetTable, group: RowGroup) {
    this.#file = file;
    this.#table = table;
    this.group = group;
    this.#readers = table.columns.map((column) => {
      if (column.kind === 'geometry') return createGeometryReader(file, group, column);
      const reader = new ColumnReader(file, group, column.leaf, column.convert);
      return (rows) => reader.readRows(rows);
    });
  }

  /** Returns the rows of a range whose boxes meet one of the boxes. */
  async findMeeting(from: number, to: number, boxes: readonly Bounds[], signal: AbortSignal): Promise<Uint32Array> {
    const { primary } = this.#table;
    if (primary === undefined) return listRows(from, to);
    const known = await loadRowBoxes(this.#file, this.group, primary, signal);
    const found: number[] = [];
    for (let row = from; row < to; row += 1)
      for (const box of boxes)
        if (isMeetingPackedBox(known, row, box)) {
          found.push(row);
          break;
        }
    return Uint32Array.from(found);
  }

  async *readBatches(rows: Uint32Array, query: RowQuery): AsyncGenerator<Feature[]> {
    const { columns, attributes, primary } = this.#table;
    const primaryIndex = primary === undefined ? -1 : columns.indexOf(primary);
    const needed = query.attributes && new Set(query.attributes);
    const read = columns.flatMap((_, index) => (needed?.has(attributes[index]?.name ?? '') === false ? [] : [index]));
    if (rows.length > 0)
      announceChunks(
        this.#file,
        this.group,
        read.flatMap((index) => listLeaves(columns[index])),
      );
    const most = Math.min(BATCH_ROWS, Math.max(1, query.limit ?? BATCH_ROWS));
    for (let at = 0, size = most; at < rows.length; at += size) {
      let batch = rows.subarray(at, at + most);
      const values: (readonly (Value | Geometry)[])[] = [];
      if (read.includes(primaryIndex)) {
        const geometries = (await this.#readers[primaryIndex]?.(batch)) ?? [];
        values[primaryIndex] = geometries;
        batch = batch.subarray(0, countFitting(geometries));
      }
      size = batch.length;
      for (const index of read) if (index !== primaryIndex) values[index] = (await this.#readers[index]?.(batch)) ?? [];
      yield Array.from(batch, (row, index) => this.#createFeature(row, index, values, query.hasKeys === true));
    }
  }

  #createFeature(row: number, index: number, values: readonly (readonly (Value | Geometry)[])[], isPaged: boolean) {
    const number = String(this.group.firstRow + row + 1);
    const list: (Value | Geometry)[] = [];
    for (let column = 0; column < this.#table.columns.length; column += 1) list.push(values[column]?.[index] ?? null);
    const id = `${this.#table.name}.${number}`;
    return isPaged ? { id, values: list, key: number } : { id, values: list };
  }
}

function listLeaves(column: GeoparquetTable['columns'][number] | undefined): readonly Leaf[] {
  return column === undefined ? [] : column.kind === 'geometry' ? column.leaves : [column.leaf];
}

/** Returns the number of geometries until the batch is full, at least 1. */
function countFitting(geometries: readonly (Value | Geometry)[]): number {
  let total = 0;
  const full = geometries.findIndex((geometry) => {
    total += isGeometry(geometry) ? geometry.ordinates.length : 0;
    return total > BATCH_ORDINATES;
  });
  return full === -1 ? geometries.length : full + 1;
}

function isGeometry(value: Value | Geometry): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}

export function createGeometryReader(
  file: DataFile,
  group: RowGroup,
  column: GeometryColumn,
): (rows: Uint32Array) => Promise<(Geometry | null)[]> {
  const [leaf] = column.leaves;
  if (column.encoding !== 'WKB' || leaf === undefined) {
    const reader = new NativeGeometryReader(file, group, column);
    return (rows) => reader.readRows(rows);
  }
  const takeOrdinates = createOrdinateBlocks();
  const reader = new ColumnReader(file, group, leaf, (raw: RawValue) => {
    const bytes = raw instanceof Uint8Array ? raw : new Uint8Array();
    const { geometry } = wrapWkbErrors(file, column, () => decodeWkb(bytes, takeOrdinates));
    return column.isMultiple ? toMultiple(geometry) : geometry;
  });
  return (rows) => reader.readRows(rows);
}

function toMultiple(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case 'Point':
      return { ...geometry, type: 'MultiPoint' };
    case 'LineString':
      return { ...geometry, type: 'MultiLineString' };
    case 'Polygon':
      return { ...geometry, type: 'MultiPolygon', parts: geometry.ends.length === 0 ? [] : [geometry.ends.length] };
    default:
      return geometry;
  }
}
