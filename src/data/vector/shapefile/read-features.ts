/** Streams the features of a shapefile: the shapes and the rows of the table side by side, in batches. */
import { problem } from '../../../lib/problem.ts';
import type { Geometry } from '../geometry.ts';
import type { Feature, ReadQuery, Value } from '../port.ts';
import { DELETED } from './dbf-header.ts';
import { createWindow, type FileWindow } from './file-window.ts';
import type { OpenedShapefile, OpenedTable } from './opened-shapefile.ts';
import { NO_RECORD, RECORD_HEADER_BYTES, recordPositions } from './record-positions.ts';
import { fieldReaders } from './schema.ts';
import { createShapeDecoder, type ShapeDecoder } from './shape-decoder.ts';
import { dimensionOf, loadRecord } from './survey.ts';

/** So many features to a batch, or fewer large ones: what a consumer holds at a time stays small. */
const BATCH_FEATURES = 1_024;
const BATCH_BYTES = 4_194_304;

const CHUNK_BYTES = 1_048_576;

export async function* readFeatures(
  opened: OpenedShapefile,
  query: ReadQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const { name, shp, header, shx, table } = opened;
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  if (limit <= 0) return;
  const shapes = createWindow(shp, CHUNK_BYTES);
  const decode: ShapeDecoder =
    header.type === undefined
      ? () => null
      : createShapeDecoder(shapes, header.type, header.typeNumber, await dimensionOf(opened, signal));
  const rows = table === undefined ? undefined : createRows(opened, table);
  let batch: Feature[] = [];
  let batchBytes = 0;
  let given = 0;
  let record = 0;
  let spentBytes = 0;

  for await (const positions of recordPositions(shp, header, shx)) {
    signal.throwIfAborted();
    for (const position of positions) {
      record += 1;
      if (rows !== undefined && !rows.holds(record)) await rows.load(record);
      if (rows?.isDeleted(record)) continue;
      let geometry: Geometry | null = null;
      if (position !== NO_RECORD) {
        const end = recordAtHand(shapes, position) ?? (await loadRecord(shapes, position));
        spentBytes += end - position;
        if (spentBytes > shp.sizeBytes) throw overlapping(opened, position);
        geometry = decode(position, end);
        batchBytes += end - position;
      }
      batch.push({ id: `${name}.${record}`, values: rows === undefined ? [geometry] : rows.values(record, geometry) });
      given += 1;
      if (batch.length >= BATCH_FEATURES || batchBytes >= BATCH_BYTES || given >= limit) {
        signal.throwIfAborted();
        yield batch;
        if (given >= limit) return;
        batch = [];
        batchBytes = 0;
      }
    }
  }
  signal.throwIfAborted();
  if (batch.length > 0) yield batch;
}

/** Where the record ends, when all of it is at hand, which it nearly always is. */
function recordAtHand(window: FileWindow, position: number): number | undefined {
  if (!window.holds(position, RECORD_HEADER_BYTES)) return undefined;
  const length = RECORD_HEADER_BYTES + window.view.getUint32(position - window.start + 4) * 2;
  return window.holds(position, length) ? position + length : undefined;
}

function overlapping(opened: OpenedShapefile, offset: number): Error {
  const reason = 'the records up to here are longer than the file, so that some overlap';
  return problem('vector-file-malformed', { file: opened.shp.name, offset, reason });
}

interface Rows {
  /** Whether the row of a record, the first being 1, is at hand, or there is none. */
  holds(record: number): boolean;
  load(record: number): Promise<void>;
  isDeleted(record: number): boolean;
  values(record: number, geometry: Geometry | null): readonly (Value | Geometry)[];
}

function createRows(opened: OpenedShapefile, table: OpenedTable): Rows {
  const { recordBytes, headerBytes, recordCount } = table.header;
  const window = createWindow(table.file, CHUNK_BYTES);
  const readers = fieldReaders(opened);
  const size = readers.length + 1;
  const positionOf = (record: number): number => headerBytes + (record - 1) * recordBytes;
  return {
    holds: (record) => record > recordCount || window.holds(positionOf(record), recordBytes),
    load: (record) => window.load(positionOf(record), recordBytes),
    isDeleted: (record) => record <= recordCount && window.bytes[positionOf(record) - window.start] === DELETED,
    values: (record, geometry) => {
      const values: (Value | Geometry)[] = new Array(size).fill(null);
      values[0] = geometry;
      // A table that ends early leaves the rest of the shapes without values.
      if (record > recordCount) return values;
      const start = positionOf(record) - window.start;
      for (let index = 1; index < size; index += 1) values[index] = readers[index - 1]?.(window.bytes, start) ?? null;
      return values;
    },
  };
}
