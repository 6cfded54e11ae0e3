/** Streams the features of a shapefile in batches: shapes together with table rows. */

import type { Geometry } from '../../geometry/geometry.ts';
import { problem } from '../../lib/problems/problem.ts';
import { formatNumber } from '../../lib/values/number-text.ts';
import type { Feature, Value } from '../port/port.ts';
import type { OpenedShapefile, OpenedTable } from './opened-shapefile.ts';
import type { SelectedRecords } from './record-index.ts';
import { createFieldAttributes, createFieldReaders, GEOMETRY_NAME } from './schema.ts';
import { createWindow, type FileWindow } from './shapes/file-window.ts';
import { NO_RECORD, RECORD_HEADER_BYTES, readRecordPositions } from './shapes/record-positions.ts';
import { createShapeDecoder, type ShapeDecoder } from './shapes/shape-decoder.ts';
import { loadRecord, readDimension } from './survey.ts';
import { DELETED } from './table/dbf-header.ts';

/**
 * Features per batch, fewer if they are large: small batches die young in the garbage collector, which collects old
 * objects late.
 */
const BATCH_FEATURES = 64;
const BATCH_BYTES = 1_048_576;

const CHUNK_BYTES = 1_048_576;

/** The read-ahead if only some records are selected. */
const SELECTED_CHUNK_BYTES = 65_536;

/** Selected records per chunk. */
const CHUNK_RECORDS = 1_024;

export interface RecordQuery {
  readonly limit?: number;
  /** The number of records to skip, not counting deleted ones. */
  readonly offset?: number;
  /** Defaults to all; the values of others are null. */
  readonly attributes?: readonly string[];
  /** Defaults to all records in order. */
  readonly records?: SelectedRecords;
}

/** Collects records to batches. */
export interface BatchCollector<B> {
  /** Adds a record with its shape bytes in a loaded range; both are `NO_RECORD` without a shape. */
  add(record: number, position: number, end: number): void;
  readonly isEmpty: boolean;
  readonly isFull: boolean;
  /** Returns the batch and resets the collector. */
  flush(): B;
}

/** The readers of a shapefile. */
export interface RecordReaders {
  readonly shapes: FileWindow;
  readonly decode: ShapeDecoder;
  readonly rows: Rows | undefined;
}

export function readFeatures(
  opened: OpenedShapefile,
  query: RecordQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  return readRecords(opened, query, (readers) => collectFeatures(opened.name, readers), signal);
}

function collectFeatures(name: string, { decode, rows }: RecordReaders): BatchCollector<readonly Feature[]> {
  let batch: Feature[] = [];
  let batchBytes = 0;
  return {
    add(record, position, end) {
      const geometry = end === NO_RECORD ? null : decode(position, end);
      batchBytes += end - position;
      batch.push({
        id: `${name}.${formatNumber(record)}`,
        values: rows === undefined ? [geometry] : rows.readValues(record, geometry),
      });
    },
    get isEmpty() {
      return batch.length === 0;
    },
    get isFull() {
      return batch.length >= BATCH_FEATURES || batchBytes >= BATCH_BYTES;
    },
    flush() {
      const taken = batch;
      batch = [];
      batchBytes = 0;
      return taken;
    },
  };
}

/** Reads the records that are not deleted. */
export async function* readRecords<B>(
  opened: OpenedShapefile,
  { limit = Number.POSITIVE_INFINITY, offset = 0, attributes, records }: RecordQuery,
  gather: (readers: RecordReaders) => BatchCollector<B>,
  signal: AbortSignal,
): AsyncGenerator<B> {
  const { shp, header, table } = opened;
  if (limit <= 0) return;
  const aheadBytes = records === undefined ? CHUNK_BYTES : SELECTED_CHUNK_BYTES;
  const shapes = createWindow(shp, aheadBytes);
  const hasShapes = header.type !== undefined && (attributes?.includes(GEOMETRY_NAME) ?? true);
  const decode: ShapeDecoder =
    header.type === undefined || !hasShapes
      ? () => null
      : createShapeDecoder(shapes, header.type, header.typeNumber, await readDimension(opened, signal));
  const rows = table === undefined ? undefined : createRows(opened, table, attributes, aheadBytes);
  const gathering = gather({ shapes, decode, rows });
  let given = 0;
  let passed = 0;
  let spentBytes = 0;

  try {
    for await (const { positions, getRecord: recordAt } of readRecordChunks(opened, records)) {
      signal.throwIfAborted();
      for (let index = 0; index < positions.length; index += 1) {
        const position = positions[index] ?? NO_RECORD;
        const record = recordAt(index);
        if (rows !== undefined && !rows.isLoaded(record)) await rows.load(record);
        if (rows?.isDeleted(record)) continue;
        passed += 1;
        if (passed <= offset) continue;
        if (position === NO_RECORD || !hasShapes) {
          gathering.add(record, NO_RECORD, NO_RECORD);
        } else {
          const end = findLoadedRecordEnd(shapes, position) ?? (await loadRecord(shapes, position));
          spentBytes += end - position;
          if (spentBytes > shp.sizeBytes) throw createOverlapProblem(opened, position);
          gathering.add(record, position, end);
        }
        given += 1;
        if (gathering.isFull || given >= limit) {
          signal.throwIfAborted();
          yield gathering.flush();
          if (given >= limit) return;
        }
      }
    }
    signal.throwIfAborted();
    if (!gathering.isEmpty) yield gathering.flush();
  } finally {
    shapes.free();
    rows?.free();
  }
}

interface RecordChunk {
  readonly positions: Float64Array;
  /** Returns the record number at an index of the positions. */
  getRecord(index: number): number;
}

async function* readRecordChunks(
  { shp, header, shx }: OpenedShapefile,
  records: SelectedRecords | undefined,
): AsyncGenerator<RecordChunk> {
  if (records === undefined) {
    let before = 0;
    for await (const positions of readRecordPositions(shp, header, shx)) {
      const first = before + 1;
      yield { positions, getRecord: (index) => first + index };
      before += positions.length;
    }
    return;
  }
  const { index, numbers } = records;
  const createChunk = (some: readonly number[]): RecordChunk => ({
    positions: Float64Array.from(some, (record) => index.getPosition(record)),
    getRecord: (at) => some[at] ?? 0,
  });
  let chunk: number[] = [];
  for (const number of numbers) {
    chunk.push(number);
    if (chunk.length < CHUNK_RECORDS) continue;
    yield createChunk(chunk);
    chunk = [];
  }
  if (chunk.length > 0) yield createChunk(chunk);
}

/** Returns the end of the record if it is completely loaded, which is nearly always the case. */
function findLoadedRecordEnd(window: FileWindow, position: number): number | undefined {
  if (!window.isLoaded(position, RECORD_HEADER_BYTES)) return undefined;
  const length = RECORD_HEADER_BYTES + window.view.getUint32(position - window.start + 4) * 2;
  return window.isLoaded(position, length) ? position + length : undefined;
}

function createOverlapProblem(opened: OpenedShapefile, offset: number): Error {
  const reason = 'the records up to here are longer than the file, so some records overlap';
  return problem('vector-file-malformed', { file: opened.shp.name, offset, reason });
}

export interface Rows {
  /** Whether the row of a record (starting at 1) is loaded or does not exist. */
  isLoaded(record: number): boolean;
  load(record: number): Promise<void>;
  isDeleted(record: number): boolean;
  readValues(record: number, geometry: Geometry | null): readonly (Value | Geometry)[];
  /** Reads a single value by field name. */
  readValue(record: number, name: string): Value;
  /** Releases the loaded bytes. */
  free(): void;
}

function createRows(
  opened: OpenedShapefile,
  table: OpenedTable,
  wanted: readonly string[] | undefined,
  aheadBytes: number,
): Rows {
  const { recordBytes, headerBytes, recordCount } = table.header;
  const window = createWindow(table.file, aheadBytes);
  const names = createFieldAttributes(opened).map(({ name }) => name);
  const readers = createFieldReaders(opened).map((read, index) => ({ read, place: index + 1 }));
  const wantedReaders = readers.filter(({ place }) => wanted?.includes(names[place - 1] ?? '') ?? true);
  const readersByName = new Map(wantedReaders.map(({ read, place }) => [names[place - 1] ?? '', read]));
  const size = readers.length + 1;
  const getRowPosition = (record: number): number => headerBytes + (record - 1) * recordBytes;
  return {
    isLoaded: (record) => record > recordCount || window.isLoaded(getRowPosition(record), recordBytes),
    load: (record) => window.load(getRowPosition(record), recordBytes),
    isDeleted: (record) => record <= recordCount && window.bytes[getRowPosition(record) - window.start] === DELETED,
    readValues: (record, geometry) => {
      const values: (Value | Geometry)[] = new Array(size).fill(null);
      values[0] = geometry;
      // Shapes beyond the end of a short table have no values.
      if (record > recordCount) return values;
      const start = getRowPosition(record) - window.start;
      for (const { read, place } of wantedReaders) values[place] = read(window.bytes, start) ?? null;
      return values;
    },
    readValue: (record, name) => {
      const read = readersByName.get(name);
      return record > recordCount || read === undefined
        ? null
        : (read(window.bytes, getRowPosition(record) - window.start) ?? null);
    },
    free: () => window.free(),
  };
}
