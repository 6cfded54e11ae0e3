/** Streams the features of a shapefile: the shapes and the rows of the table side by side, in batches. */

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

/** What is made of records, batch by batch. */
export interface BatchCollector<B> {
  /** A record with the bytes of its shape at hand, from one position to before another; both are `NO_RECORD` without one. */
  add(record: number, position: number, end: number): void;
  readonly isEmpty: boolean;
  readonly isFull: boolean;
  /** What was gathered; it is empty then. */
  flush(): B;
}

/** What records are read from. */
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

/** Those that are not deleted, as whatever is made of them. */
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
  /** The number of the record whose position stands there. */
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

/** Where the record ends, when all of it is at hand, which it nearly always is. */
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
  /** Whether the row of a record, the first being 1, is at hand, or there is none. */
  isLoaded(record: number): boolean;
  load(record: number): Promise<void>;
  isDeleted(record: number): boolean;
  readValues(record: number, geometry: Geometry | null): readonly (Value | Geometry)[];
  /** One of them, by its name. */
  readValue(record: number, name: string): Value;
  /** Lets go of what is at hand. */
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
      // A table that ends early leaves the rest of the shapes without values.
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
