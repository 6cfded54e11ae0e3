/** Reads geometries in the native encodings: lists of positions, one column for each ordinate. */

import type { Geometry } from '../../geometry/geometry.ts';
import { type AllocateOrdinates, createOrdinateBlocks } from '../../geometry/ordinate-blocks.ts';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import type { DataFile } from '../support/data-file.ts';
import { createMalformedProblem, createUnsupportedProblem } from '../support/file-problems.ts';
import { limitKeptBytes } from '../support/kept-bytes.ts';
import { findPages, readDictionary, readPage } from './pages.ts';
import type { Leaf, RowGroup } from './parquet-footer.ts';
import type { GeometryColumn } from './table.ts';

/** A row group is in memory with 8 bytes per ordinate. */
const MAX_POSITIONS = 8_388_608;

interface Positions {
  /** By the levels of the first ordinate. */
  readonly definition: Uint8Array;
  readonly repetition: Uint8Array;
  /** Where the levels of each row begin, with one more for the end. */
  readonly rows: Uint32Array;
  /** The number of positions before each row. */
  readonly before: Uint32Array;
  /** For each ordinate, its values. */
  readonly ordinates: readonly Float64Array[];
}

export class NativeGeometryReader {
  readonly #file: DataFile;
  readonly #group: RowGroup;
  readonly #column: GeometryColumn;
  readonly #takeOrdinates: AllocateOrdinates = createOrdinateBlocks();
  #positions: Positions | undefined;

  constructor(file: DataFile, group: RowGroup, column: GeometryColumn) {
    this.#file = file;
    this.#group = group;
    this.#column = column;
  }

  /** `rows` are numbers within the row group. */
  async readRows(rows: Iterable<number>): Promise<(Geometry | null)[]> {
    this.#positions ??= await loadPositions(this.#file, this.#group, this.#column.leaves);
    const found: (Geometry | null)[] = [];
    for (const row of rows) found.push(this.#readRow(this.#positions, row));
    return found;
  }

  #readRow({ definition, repetition, rows, before, ordinates }: Positions, row: number): Geometry | null {
    const { leaves, dimension, encoding } = this.#column;
    const depth = leaves[0]?.maxRepetition ?? 0;
    const most = leaves[0]?.maxDefinition ?? 0;
    const [first, last] = [before[row] ?? 0, before[row + 1] ?? 0];
    if (first === last) return null;
    const ends: number[] = [];
    const parts: number[] = [];
    let count = 0;
    const endRing = (): void => {
      if (count > (ends.at(-1) ?? 0)) ends.push(count);
    };
    const endPart = (): void => {
      if (ends.length > (parts.at(-1) ?? 0)) parts.push(ends.length);
    };
    for (let index = rows[row] ?? 0; index < (rows[row + 1] ?? 0); index += 1) {
      const level = repetition[index] ?? 0;
      if (depth > 1 && level < depth) endRing();
      if (depth > 2 && level < depth - 1) endPart();
      if (definition[index] === most) count += 1;
    }
    endRing();
    endPart();
    const size = ordinates.length;
    const flat = this.#takeOrdinates((last - first) * size);
    for (const [offset, values] of ordinates.entries())
      for (let index = first; index < last; index += 1) flat[(index - first) * size + offset] = values[index] ?? 0;
    const shape = { dimension, ordinates: flat };
    switch (encoding) {
      case 'point':
        return Number.isNaN(flat[0]) ? null : { type: 'Point', ...shape, ends: [], parts: [] };
      case 'multipoint':
        return { type: 'MultiPoint', ...shape, ends: [], parts: [] };
      case 'linestring':
        return { type: 'LineString', ...shape, ends, parts: [] };
      case 'multilinestring':
        return { type: 'MultiLineString', ...shape, ends, parts: [] };
      case 'multipolygon':
        return { type: 'MultiPolygon', ...shape, ends, parts };
      default:
        return { type: 'Polygon', ...shape, ends, parts: [ends.length] };
    }
  }
}

const POSITION_BYTES = 16;

/** The positions that one thread keeps at most, with 16 bytes or more each, because requests read the same row groups. */
const MAX_KEPT_POSITIONS = 4_194_304;

const kept = createLruCache<Positions>(limitKeptBytes(MAX_KEPT_POSITIONS * POSITION_BYTES) / POSITION_BYTES);

async function loadPositions(file: DataFile, group: RowGroup, leaves: readonly Leaf[]): Promise<Positions> {
  const [first] = leaves;
  if (first === undefined) throw new Error('The geometry has no ordinates.');
  const key = `${file.version} ${group.firstRow} ${first.index}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const loaded = await joinLeaves(file, group, leaves, first);
  kept.set(key, loaded, loaded.definition.length);
  return loaded;
}

async function joinLeaves(file: DataFile, group: RowGroup, leaves: readonly Leaf[], first: Leaf): Promise<Positions> {
  const loaded: Awaited<ReturnType<typeof loadLeaf>>[] = [];
  for (const leaf of leaves) loaded.push(await loadLeaf(file, group, leaf));
  const { definition, repetition } = loaded[0] ?? { definition: new Uint8Array(), repetition: new Uint8Array() };
  const rows = new Uint32Array(group.rowCount + 1);
  const before = new Uint32Array(group.rowCount + 1);
  let [row, count] = [0, 0];
  for (let index = 0; index < definition.length; index += 1) {
    if (repetition[index] === 0) {
      if (row === group.rowCount) throw createRowProblem(file, first);
      rows[row] = index;
      before[row] = count;
      row += 1;
    }
    if (definition[index] === first.maxDefinition) count += 1;
  }
  rows[row] = definition.length;
  before[row] = count;
  const isEqual = loaded.every(({ values }) => values.length === count);
  if (row !== group.rowCount || !isEqual) throw createRowProblem(file, first);
  return { definition, repetition, rows, before, ordinates: loaded.map(({ values }) => values) };
}

async function loadLeaf(file: DataFile, group: RowGroup, leaf: Leaf) {
  const { pages, dictionary } = await findPages(file, group, leaf);
  const codec = group.chunks[leaf.index]?.codec ?? 'UNCOMPRESSED';
  const entries = dictionary === undefined ? undefined : await readDictionary(file, dictionary, leaf, codec);
  const total = pages.reduce((sum, { count }) => sum + count, 0);
  if (total > MAX_POSITIONS) {
    const reason = `a row group has ${total} positions; the limit is ${MAX_POSITIONS}. Write smaller row groups`;
    throw createUnsupportedProblem(file.name, reason);
  }
  const definition = new Uint8Array(total).fill(leaf.maxDefinition);
  const repetition = new Uint8Array(total);
  const values = new Float64Array(total);
  let present = 0;
  for (const location of pages) {
    const page = await readPage(file, location, leaf, codec);
    if (page.definition !== undefined) definition.set(page.definition, location.before);
    if (page.repetition !== undefined) repetition.set(page.repetition, location.before);
    for (let index = 0; index < page.values.length; index += 1) {
      const raw = page.values.at(index);
      values[present] = Number(page.isIndexed ? (entries?.at(Number(raw)) ?? Number.NaN) : raw);
      present += 1;
    }
  }
  return { definition, repetition, values: values.subarray(0, present) };
}

function createRowProblem(file: DataFile, leaf: Leaf) {
  const reason = `the positions of the geometry column '${leaf.path[0] ?? ''}' do not match its rows`;
  return createMalformedProblem(file.name, file.sizeBytes, reason);
}
