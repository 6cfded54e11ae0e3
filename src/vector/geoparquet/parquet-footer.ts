/** The footer of a Parquet file: the schema and the positions of all column chunks. */
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { type DataFile, readBytes } from '../support/data-file.ts';
import { createMalformedProblem, createUnsupportedProblem, decodeBytes } from '../support/file-problems.ts';
import {
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadata,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from './parquet-library.ts';

/** A column with values, at the end of a path of groups. */
export interface Leaf {
  readonly index: number;
  readonly path: readonly string[];
  readonly element: SchemaElement;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
  /** The definition level from which on a repeated group of the path has an item, from the outside to the inside. */
  readonly itemLevels: readonly number[];
  /** The definition level from which on the column at the top of the path has a value. */
  readonly presentFrom: number;
}

export interface RowGroup {
  /** The number of the first row in the file, from 0. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** By the index of the leaf. */
  readonly chunks: readonly ColumnMetaData[];
}

export interface Footer {
  readonly tops: readonly SchemaTree[];
  readonly leaves: readonly Leaf[];
  readonly rowGroups: readonly RowGroup[];
  readonly rowCount: number;
  /** The text of the metadata `geo`. */
  readonly geo: string | undefined;
}

const MAGIC = Buffer.from('PAR1');
const TAIL_BYTES = 8;

/** About 100,000 column chunks; a parsed footer needs about 20 times its size. */
const MAX_FOOTER_BYTES = 16_777_216;

/** The nesting limit of groups; the parser uses the stack. */
const MAX_DEPTH = 16;

/** The boxes of a row group are in memory, with 16 bytes each. */
const MAX_GROUP_ROWS = 16_777_216;

/** The bytes of the footers that one thread keeps parsed, because files are opened for each request. */
const MAX_KEPT_BYTES = 4_194_304;

const footers = createLruCache<Footer>(MAX_KEPT_BYTES);

export async function readFooter(file: DataFile): Promise<Footer> {
  const known = footers.get(file.version);
  if (known !== undefined) return known;
  const tail = file.sizeBytes < TAIL_BYTES + MAGIC.length ? undefined : await readBytes(file, file.sizeBytes - 8, 8);
  if (tail?.subarray(4).toString('latin1') === 'PARE')
    throw createUnsupportedProblem(file.name, 'it is encrypted. Write it without encryption');
  if (tail === undefined || !tail.subarray(4).equals(MAGIC))
    throw createMalformedProblem(file.name, Math.max(0, file.sizeBytes - 4), 'it does not end like a Parquet file');
  const length = tail.readUInt32LE(0);
  const offset = file.sizeBytes - TAIL_BYTES - length;
  if (offset < MAGIC.length)
    throw createMalformedProblem(file.name, file.sizeBytes - TAIL_BYTES, 'its footer is larger than the file');
  if (length > MAX_FOOTER_BYTES) {
    const reason = `its footer of ${length} bytes exceeds the limit of ${MAX_FOOTER_BYTES} bytes. Write larger row groups`;
    throw createUnsupportedProblem(file.name, reason);
  }
  const bytes = await readBytes(file, offset, length + TAIL_BYTES);
  const footer = decodeBytes({ file: file.name, offset }, () => parseFooter(file, offset, bytes));
  footers.set(file.version, footer, length);
  return footer;
}

function parseFooter(file: DataFile, offset: number, bytes: Buffer): Footer {
  const metadata = parquetMetadata(new Uint8Array(bytes), {
    geoparquet: false,
    parsers: { stringFromBytes: () => '' },
  });
  checkSchema(metadata.schema);
  const { children } = parquetSchema(metadata);
  const leaves: Leaf[] = [];
  for (const top of children) addLeaves(leaves, [top], 0);
  let firstRow = 0;
  const rowGroups = metadata.row_groups.map((group) => {
    const rowCount = Number(group.num_rows);
    if (!Number.isSafeInteger(rowCount) || rowCount < 0)
      throw createMalformedProblem(file.name, offset, 'a row group has an invalid number of rows');
    if (rowCount > MAX_GROUP_ROWS) {
      const reason = `a row group has ${rowCount} rows; the limit is ${MAX_GROUP_ROWS}. Write smaller row groups`;
      throw createUnsupportedProblem(file.name, reason);
    }
    const chunks = leaves.map((leaf) => getChunk(file, offset, leaf, group.columns[leaf.index]));
    const found = { firstRow, rowCount, chunks };
    firstRow += rowCount;
    return found;
  });
  const geo = metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value;
  return { tops: children, leaves, rowGroups, rowCount: firstRow, geo };
}

/** The tree is built by recursion over these numbers. */
function checkSchema(schema: FileMetaData['schema']): void {
  let [open, depth] = [1, 0];
  const ends: number[] = [];
  for (const { num_children: children = 0 } of schema) {
    open += children - 1;
    if (children < 0 || open < 0) throw new Error('The schema has an invalid number of children.');
    while (ends.length > 0 && (ends.at(-1) ?? 0) === 0) ends.pop();
    if (ends.length > 0) ends[ends.length - 1] = (ends.at(-1) ?? 0) - 1;
    if (children > 0) ends.push(children);
    depth = Math.max(depth, ends.length);
  }
  if (open !== 0 || depth > MAX_DEPTH) throw new Error('The schema is incomplete or too deep.');
}

function addLeaves(leaves: Leaf[], path: readonly SchemaTree[], depth: number): void {
  const node = path.at(-1);
  if (node === undefined) return;
  for (const child of node.children) addLeaves(leaves, [...path, child], depth + 1);
  if (node.children.length > 0 || node.element.type === undefined) return;
  const itemLevels: number[] = [];
  let maxDefinition = 0;
  for (const { element } of path) {
    if (element.repetition_type !== 'REQUIRED') maxDefinition += 1;
    if (element.repetition_type === 'REPEATED') itemLevels.push(maxDefinition);
  }
  leaves.push({
    index: leaves.length,
    path: path.map(({ element }) => element.name),
    element: node.element,
    maxDefinition,
    maxRepetition: itemLevels.length,
    itemLevels,
    presentFrom: path[0]?.element.repetition_type === 'REQUIRED' ? 0 : 1,
  });
}

function getChunk(
  file: DataFile,
  offset: number,
  leaf: Leaf,
  column: FileMetaData['row_groups'][number]['columns'][number] | undefined,
): ColumnMetaData {
  const chunk = column?.meta_data;
  if (chunk === undefined || chunk.path_in_schema.join('\0') !== leaf.path.join('\0'))
    throw createMalformedProblem(file.name, offset, `a row group has no column '${leaf.path.join('.')}'`);
  if (column?.file_path !== undefined)
    throw createUnsupportedProblem(file.name, 'its columns are in other files. Write one file');
  return chunk;
}

/** Announces the columns of a row group, which are then loaded together. */
export function announceChunks(file: DataFile, group: RowGroup, leaves: readonly Leaf[]): void {
  file.announce?.(
    leaves.flatMap((leaf) => {
      const chunk = group.chunks[leaf.index];
      if (chunk === undefined) return [];
      const position = Number(chunk.dictionary_page_offset ?? 0n) || Number(chunk.data_page_offset);
      const length = Number(chunk.total_compressed_size);
      // Invalid positions are reported when the column is read.
      return position >= 0 && length > 0 && position + length <= file.sizeBytes ? [{ position, length }] : [];
    }),
  );
}
