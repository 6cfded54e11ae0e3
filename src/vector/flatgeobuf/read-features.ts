/** Streams the features of a FlatGeobuf file: all of them in file order, or those that its index finds. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Geometry } from '../../geometry/geometry.ts';
import { type AllocateOrdinates, createOrdinateBlocks } from '../../geometry/ordinate-blocks.ts';
import type { Feature, Value } from '../port/port.ts';
import type { DataFile } from '../support/data-file.ts';
import type { RowQuery } from '../support/row-query.ts';
import { readColumns, readProperties } from './column-values.ts';
import { FlatTable } from './flat-table.ts';
import { readGeometry } from './geometry-message.ts';
import { decodeMessage } from './header.ts';
import { type FeatureMessage, MessageReader, SCAN_BYTES, SEARCH_BYTES } from './message-reader.ts';
import type { FoundRows } from './packed-tree.ts';
import { checkCount, toGeometryForm } from './survey.ts';
import { countFeatures, type FlatgeobufTable, openIndex } from './table.ts';

/** Features that are read together; large geometries fill a batch earlier. */
const BATCH_ROWS = 256;
const BATCH_ORDINATES = 131_072;

export async function* readFeatures(
  file: DataFile,
  table: FlatgeobufTable,
  query: RowQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const decode = createDecoder(file, table, query);
  const isInFileOrder = query.rows === undefined && query.boxes === undefined && query.start?.side !== 'before';
  let [left, skipped] = [query.limit ?? Number.POSITIVE_INFINITY, isInFileOrder ? 0 : (query.offset ?? 0)];
  if (left <= 0) return;
  const batch = new FeatureBatch(Math.min(BATCH_ROWS, left + skipped));
  const batches = isInFileOrder
    ? scan(file, table, { query, decode, batch }, signal)
    : readFound(file, findRows(file, table, query, signal), { decode, batch });
  for await (const features of batches) {
    const fitting = features.slice(skipped, skipped + left);
    skipped = Math.max(0, skipped - features.length);
    left -= fitting.length;
    if (fitting.length > 0) yield fitting;
    if (left <= 0) return;
    await othersFirst();
    signal.throwIfAborted();
  }
}

/** Collects features; a generator that yields each feature alone would take most of the time. */
class FeatureBatch {
  readonly #most: number;
  #features: Feature[] = [];
  #ordinates = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#features.length >= this.#most || this.#ordinates >= BATCH_ORDINATES;
  }

  add(feature: Feature): void {
    const [first] = feature.values;
    this.#features.push(feature);
    if (typeof first === 'object' && first !== null && 'ordinates' in first) this.#ordinates += first.ordinates.length;
  }

  take(): readonly Feature[] {
    const features = this.#features;
    this.#features = [];
    this.#ordinates = 0;
    return features;
  }
}

type DecodeFeature = (message: FeatureMessage, row: number) => Feature;

interface Collecting {
  readonly decode: DecodeFeature;
  readonly batch: FeatureBatch;
}

/** Reads from a feature on, to the end of the file. */
async function* scan(
  file: DataFile,
  table: FlatgeobufTable,
  { query, decode, batch }: Collecting & { readonly query: RowQuery },
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const { header } = table;
  const first = (query.start === undefined ? 0 : query.start.row + 1) + (query.offset ?? 0);
  let at = header.featuresAt;
  if (first > 0) {
    if (first >= (await countFeatures(file, table, signal))) return;
    [at = header.featuresAt] = (await (await openIndex(file, header, signal)).findPositions([first])).positions;
  }
  const reader = new MessageReader(file, SCAN_BYTES);
  let row = first;
  for (; at < file.sizeBytes && row !== header.count; row += 1) {
    const message = reader.take(at) ?? (await fillAndTake(reader, at));
    batch.add(decode(message, row));
    at = message.end;
    if (batch.isFull) yield batch.take();
  }
  checkCount(file, header, row);
  yield batch.take();
}

async function* findRows(
  file: DataFile,
  table: FlatgeobufTable,
  { rows, boxes, start }: RowQuery,
  signal: AbortSignal,
): AsyncGenerator<FoundRows> {
  const index = await openIndex(file, table.header, signal);
  const count = await countFeatures(file, table, signal);
  const from = start?.side === 'after' ? Math.min(start.row + 1, count) : 0;
  const to = start?.side === 'before' ? Math.min(start.row, count) : count;
  if (boxes !== undefined && rows === undefined) {
    const portions: FoundRows[] = [];
    for await (const found of index.findMeeting(boxes, signal)) {
      const fitting = cutRows(found, from, to);
      if (start?.side === 'before') portions.push(fitting);
      else yield fitting;
    }
    for (const portion of portions.reverse()) yield reverseRows(portion);
    return;
  }
  const listed = rows?.filter((row) => row >= from && row < to);
  const total = listed?.length ?? to - from;
  for (let at = 0; at < total; at += BATCH_ROWS) {
    signal.throwIfAborted();
    const length = Math.min(BATCH_ROWS, total - at);
    if (start?.side === 'before') {
      const end = total - at;
      const portion = listed?.slice(end - length, end) ?? countUp(from + end - length, length);
      yield reverseRows(await index.findPositions(portion));
    } else {
      yield await index.findPositions(listed?.slice(at, at + length) ?? countUp(from + at, length));
    }
  }
}

function countUp(from: number, length: number): number[] {
  return Array.from({ length }, (_, index) => from + index);
}

function cutRows({ rows, positions }: FoundRows, from: number, to: number): FoundRows {
  const first = rows.findIndex((row) => row >= from);
  const end = rows.findIndex((row) => row >= to);
  const range = [first === -1 ? rows.length : first, end === -1 ? rows.length : end] as const;
  return { rows: rows.slice(...range), positions: positions.slice(...range) };
}

function reverseRows({ rows, positions }: FoundRows): FoundRows {
  return { rows: rows.toReversed(), positions: positions.toReversed() };
}

async function* readFound(
  file: DataFile,
  found: AsyncIterable<FoundRows>,
  { decode, batch }: Collecting,
): AsyncGenerator<readonly Feature[]> {
  const reader = new MessageReader(file, SEARCH_BYTES);
  for await (const { rows, positions } of found) {
    for (const [index, row] of rows.entries()) {
      const at = positions[index] ?? 0;
      if (index % BATCH_ROWS === 0) announce(file, positions.slice(index, index + BATCH_ROWS));
      batch.add(decode(reader.take(at) ?? (await fillAndTake(reader, at)), row));
      if (batch.isFull) yield batch.take();
    }
  }
  yield batch.take();
}

/** The sizes of features are in the file, so windows are announced. */
function announce(file: DataFile, positions: readonly number[]): void {
  file.announce?.(
    positions.map((position) => ({ position, length: Math.min(SEARCH_BYTES, file.sizeBytes - position) })),
  );
}

async function fillAndTake(reader: MessageReader, at: number): Promise<FeatureMessage> {
  await reader.fill(at);
  const message = reader.take(at);
  if (message === undefined) throw new Error('A feature is missing after it was read.');
  return message;
}

/** The field numbers of a feature. */
const fields = { geometry: 0, properties: 1, columns: 2 } as const;

function createDecoder(file: DataFile, table: FlatgeobufTable, query: RowQuery): DecodeFeature {
  const { header, attributes, primary, name } = table;
  const allocate = createOrdinateBlocks();
  const needed = query.attributes && new Set(query.attributes);
  const isNeeded = attributes.map((attribute) => needed?.has(attribute.name) !== false);
  const firstColumn = primary === undefined ? 0 : 1;
  const form = toGeometryForm(header);
  const isWanted = (column: number) => isNeeded[column + firstColumn] === true;
  const decode = (bytes: Buffer): (Value | Geometry)[] => {
    const root = FlatTable.readRoot(bytes);
    const values: (Value | Geometry)[] = attributes.map(() => null);
    if (primary !== undefined && isNeeded[0] === true)
      values[0] = decodeGeometry(root.readTable(fields.geometry), form, bytes.length, allocate);
    const properties = root.readList(fields.properties, 1);
    if (properties === undefined) return values;
    if (root.countItems(fields.columns) > 0) {
      readOwnProperties(root, properties, table, values);
      return values;
    }
    readProperties(properties, header.columns, isWanted, (column, value) => {
      values[column + firstColumn] = value;
    });
    return values;
  };
  return ({ bytes, position }, row) => {
    const key = String(row + 1);
    const values = decodeMessage(file, position, () => decode(bytes));
    return query.hasKeys === true ? { id: `${name}.${key}`, values, key } : { id: `${name}.${key}`, values };
  };
}

function decodeGeometry(
  table: FlatTable | undefined,
  form: ReturnType<typeof toGeometryForm>,
  messageBytes: number,
  allocate: AllocateOrdinates,
): Geometry | null {
  return table === undefined ? null : readGeometry(table, form, messageBytes, allocate);
}

/** Features can declare their own columns; those with the name and type of an attribute have a value. */
function readOwnProperties(
  root: FlatTable,
  properties: Buffer,
  { attributes, header }: FlatgeobufTable,
  values: (Value | Geometry)[],
): void {
  const own = readColumns(root.readTables(fields.columns));
  const firstColumn = attributes.length - header.columns.length;
  const places = own.map((column) =>
    header.columns.findIndex((each) => each.name === column.name && each.format === column.format),
  );
  const isWanted = (column: number) => (places[column] ?? -1) >= 0;
  readProperties(properties, own, isWanted, (column, value) => {
    values[(places[column] ?? 0) + firstColumn] = value;
  });
}
