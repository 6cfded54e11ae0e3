/** The positions and boxes of all features of a file without an index, which a thread keeps for later queries. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { createOrdinateBlocks } from '../../geometry/ordinate-blocks.ts';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import type { DataFile } from '../support/data-file.ts';
import { createMalformedProblem, createUnsupportedProblem } from '../support/file-problems.ts';
import { limitKeptBytes } from '../support/kept-bytes.ts';
import { isMeetingPackedBox, PACKED_BOX_BYTES, type PackedBoxes, setPackedBox } from '../support/packed-boxes.ts';
import { FlatTable } from './flat-table.ts';
import { readGeometry } from './geometry-message.ts';
import { decodeMessage, type Header } from './header.ts';
import { MessageReader, SCAN_BYTES } from './message-reader.ts';
import type { FoundRows } from './packed-tree.ts';

/** Such a file is read completely for the first query, which takes some seconds. */
const MAX_UNINDEXED_BYTES = 1_073_741_824;

/** The same for a file on another server, which is not kept. */
const MAX_REMOTE_BYTES = 67_108_864;

/** The features of such a file, with 24 bytes each in memory. */
const MAX_UNINDEXED_FEATURES = 4_194_304;

/** The size of the surveys that one thread keeps at most. */
const MAX_KEPT_BYTES = 67_108_864;

/** Features that are found together. */
const PORTION_ROWS = 4_096;

/** The field number of the geometry of a feature. */
const GEOMETRY = 0;

const kept = createLruCache<Survey>(limitKeptBytes(MAX_KEPT_BYTES));

export async function loadSurvey(file: DataFile, header: Header, signal: AbortSignal): Promise<Survey> {
  const known = kept.get(file.version);
  if (known !== undefined) return known;
  const limit = file.isRemote === true ? MAX_REMOTE_BYTES : MAX_UNINDEXED_BYTES;
  if (file.sizeBytes > limit) {
    const reason = `it has no index, and its size of ${file.sizeBytes} bytes exceeds the limit of ${limit} bytes for such files. Write it with an index`;
    throw createUnsupportedProblem(file.name, reason);
  }
  const survey = await createSurvey(file, header, signal);
  kept.set(file.version, survey, survey.count * (Float64Array.BYTES_PER_ELEMENT + PACKED_BOX_BYTES));
  return survey;
}

async function createSurvey(file: DataFile, header: Header, signal: AbortSignal): Promise<Survey> {
  const reader = new MessageReader(file, SCAN_BYTES);
  const takeOrdinates = createOrdinateBlocks();
  const form = toGeometryForm(header);
  const positions = new GrowingArray((size) => new Float64Array(size), 1);
  const boxes = new GrowingArray((size) => new Float32Array(size), 4);
  let bounds: Bounds | undefined;
  let count = 0;
  for (let at = header.featuresAt; at < file.sizeBytes && count !== header.count; count += 1) {
    let message = reader.take(at);
    if (message === undefined) {
      await reader.fill(at);
      await othersFirst();
      signal.throwIfAborted();
      message = reader.take(at);
    }
    if (message === undefined) throw new Error('A feature is missing after it was read.');
    if (count === MAX_UNINDEXED_FEATURES) {
      const reason = `it has no index and more than ${MAX_UNINDEXED_FEATURES} features. Write it with an index`;
      throw createUnsupportedProblem(file.name, reason);
    }
    const { bytes, position, end } = message;
    const geometry = decodeMessage(file, position, () => {
      const table = FlatTable.readRoot(bytes).readTable(GEOMETRY);
      return table === undefined ? null : readGeometry(table, form, bytes.length, takeOrdinates);
    });
    positions.reserve(count + 1)[count] = at;
    const target = boxes.reserve(count + 1);
    target.fill(Number.NaN, count * 4, count * 4 + 4);
    const box = geometry === null ? undefined : computeGeometryBounds(geometry);
    if (box !== undefined) {
      setPackedBox(target, count, box);
      bounds = mergeBounds(bounds, box);
    }
    at = end;
  }
  checkCount(file, header, count);
  return new Survey(positions.finish(count), boxes.finish(count), bounds);
}

export function checkCount(file: DataFile, { count: declared = 0 }: Header, count: number): void {
  if (count >= declared) return;
  throw createMalformedProblem(file.name, file.sizeBytes, `it ends after ${count} of ${declared} features`);
}

export function toGeometryForm({ geometryType, dimension }: Header) {
  return { type: geometryType === 'Geometry' ? undefined : geometryType, dimension };
}

export class Survey {
  /** The box around all geometries; undefined if no feature has one. */
  readonly bounds: Bounds | undefined;
  readonly #positions: Float64Array;
  readonly #boxes: PackedBoxes;

  constructor(positions: Float64Array, boxes: PackedBoxes, bounds: Bounds | undefined) {
    this.#positions = positions;
    this.#boxes = boxes;
    this.bounds = bounds;
  }

  get count(): number {
    return this.#positions.length;
  }

  /** Yields the features whose boxes meet one of the boxes, in portions. */
  async *findMeeting(boxes: readonly Bounds[], signal: AbortSignal): AsyncGenerator<FoundRows> {
    for (let from = 0; from < this.count; from += PORTION_ROWS) {
      signal.throwIfAborted();
      const rows: number[] = [];
      for (let row = from; row < Math.min(this.count, from + PORTION_ROWS); row += 1)
        if (boxes.some((box) => isMeetingPackedBox(this.#boxes, row, box))) rows.push(row);
      if (rows.length > 0) yield this.#locate(rows);
    }
  }

  /** Returns the positions of features; their numbers must exist. */
  async findPositions(rows: readonly number[]): Promise<FoundRows> {
    return this.#locate(rows);
  }

  #locate(rows: readonly number[]): FoundRows {
    return { rows, positions: rows.map((row) => this.#positions[row] ?? 0) };
  }
}

const FIRST_ROWS = 1_024;

/** Numbers of rows whose count is unknown. */
class GrowingArray<T extends Float32Array | Float64Array> {
  readonly #create: (size: number) => T;
  readonly #perRow: number;
  #array: T;

  constructor(create: (size: number) => T, perRow: number) {
    this.#create = create;
    this.#perRow = perRow;
    this.#array = create(FIRST_ROWS * perRow);
  }

  reserve(rows: number): T {
    if (rows * this.#perRow > this.#array.length) {
      const larger = this.#create(this.#array.length * 2);
      larger.set(this.#array);
      this.#array = larger;
    }
    return this.#array;
  }

  finish(rows: number): T {
    const exact = this.#create(rows * this.#perRow);
    exact.set(this.#array.subarray(0, exact.length));
    return exact;
  }
}
