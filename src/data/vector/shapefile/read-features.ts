/** Streams the features of a shapefile: the shapes and the rows of the table side by side, in batches. */
import { numberText } from '../../../lib/number-text.ts';
import { problem } from '../../../lib/problem.ts';
import type { Geometry } from '../geometry.ts';
import type { Feature, Value } from '../port.ts';
import { DELETED } from './dbf-header.ts';
import { createWindow, type FileWindow } from './file-window.ts';
import type { OpenedShapefile, OpenedTable } from './opened-shapefile.ts';
import type { SelectedRecords } from './record-index.ts';
import { NO_RECORD, RECORD_HEADER_BYTES, recordPositions } from './record-positions.ts';
import { fieldAttributes, fieldReaders, GEOMETRY_NAME } from './schema.ts';
import { createShapeDecoder, type ShapeDecoder } from './shape-decoder.ts';
import { dimensionOf, loadRecord } from './survey.ts';

/**
 * So many features to a batch, or fewer large ones: a batch is forgotten before the engine clears up twice, and so never
 * becomes old garbage, which it clears up late.
 */
const BATCH_FEATURES = 64;
const BATCH_BYTES = 1_048_576;

const CHUNK_BYTES = 1_048_576;

/** How far ahead is read where only some records are wanted. */
const SELECTED_CHUNK_BYTES = 65_536;

/** Selected records to a chunk. */
const CHUNK_RECORDS = 1_024;

export interface RecordQuery {
  readonly limit?: number;
  /** So many are passed over, of those that are not deleted. */
  readonly offset?: number;
  /** By default all are read; the values of others are null. */
  readonly attributes?: readonly string[];
  /** By default all, in their order. */
  readonly records?: SelectedRecords;
}

export async function* readFeatures(
  opened: OpenedShapefile,
  { limit = Number.POSITIVE_INFINITY, offset = 0, attributes, records }: RecordQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const { name, shp, header, table } = opened;
  if (limit <= 0) return;
  const aheadBytes = records === undefined ? CHUNK_BYTES : SELECTED_CHUNK_BYTES;
  const shapes = createWindow(shp, aheadBytes);
  const hasShapes = header.type !== undefined && (attributes?.includes(GEOMETRY_NAME) ?? true);
  const decode: ShapeDecoder =
    header.type === undefined || !hasShapes
      ? () => null
      : createShapeDecoder(shapes, header.type, header.typeNumber, await dimensionOf(opened, signal));
  const rows = table === undefined ? undefined : createRows(opened, table, attributes, aheadBytes);
  let batch: Feature[] = [];
  let batchBytes = 0;
  let given = 0;
  let passed = 0;
  let spentBytes = 0;

  for await (const { positions, recordAt } of recordChunks(opened, records)) {
    signal.throwIfAborted();
    for (const [index, position] of positions.entries()) {
      const record = recordAt(index);
      if (rows !== undefined && !rows.holds(record)) await rows.load(record);
      if (rows?.isDeleted(record)) continue;
      passed += 1;
      if (passed <= offset) continue;
      let geometry: Geometry | null = null;
      if (position !== NO_RECORD && hasShapes) {
        const end = recordAtHand(shapes, position) ?? (await loadRecord(shapes, position));
        spentBytes += end - position;
        if (spentBytes > shp.sizeBytes) throw overlapping(opened, position);
        geometry = decode(position, end);
        batchBytes += end - position;
      }
      batch.push({
        id: `${name}.${numberText(record)}`,
        values: rows === undefined ? [geometry] : rows.values(record, geometry),
      });
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

interface RecordChunk {
  readonly positions: Float64Array;
  /** The number of the record whose position stands there. */
  recordAt(index: number): number;
}

async function* recordChunks(
  { shp, header, shx }: OpenedShapefile,
  records: SelectedRecords | undefined,
): AsyncGenerator<RecordChunk> {
  if (records === undefined) {
    let before = 0;
    for await (const positions of recordPositions(shp, header, shx)) {
      const first = before + 1;
      yield { positions, recordAt: (index) => first + index };
      before += positions.length;
    }
    return;
  }
  const { index, numbers } = records;
  const chunkOf = (some: readonly number[]): RecordChunk => ({
    positions: Float64Array.from(some, (record) => index.positionOf(record)),
    recordAt: (at) => some[at] ?? 0,
  });
  let chunk: number[] = [];
  for (const number of numbers) {
    chunk.push(number);
    if (chunk.length < CHUNK_RECORDS) continue;
    yield chunkOf(chunk);
    chunk = [];
  }
  if (chunk.length > 0) yield chunkOf(chunk);
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

function createRows(
  opened: OpenedShapefile,
  table: OpenedTable,
  wanted: readonly string[] | undefined,
  aheadBytes: number,
): Rows {
  const { recordBytes, headerBytes, recordCount } = table.header;
  const window = createWindow(table.file, aheadBytes);
  const names = fieldAttributes(opened).map(({ name }) => name);
  const readers = fieldReaders(opened).map((read, index) => ({ read, place: index + 1 }));
  const wantedReaders = readers.filter(({ place }) => wanted?.includes(names[place - 1] ?? '') ?? true);
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
      for (const { read, place } of wantedReaders) values[place] = read(window.bytes, start) ?? null;
      return values;
    },
  };
}
