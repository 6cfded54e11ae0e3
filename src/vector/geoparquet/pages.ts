/** Finds and decodes the pages of a column chunk. */

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { checkWithin, type DataFile, readBytes } from '../support/data-file.ts';
import { createMalformedProblem, createUnsupportedProblem, decodeBytes } from '../support/file-problems.ts';
import { limitKeptBytes } from '../support/kept-bytes.ts';
import { decodeValues, MAX_PAGE_BYTES, type RawValues, readPlainValues } from './decode-values.ts';
import { decodeRuns } from './hybrid-runs.ts';
import type { Leaf, RowGroup } from './parquet-footer.ts';
import {
  type ColumnMetaData,
  type CompressionCodec,
  type PageHeader,
  parquetHeader,
  snappyUncompress,
} from './parquet-library.ts';

export interface PageLocation {
  readonly header: PageHeader;
  /** The position of the content, and its size. */
  readonly position: number;
  readonly sizeBytes: number;
  /** The number of values including nulls; for a column without lists, of rows. */
  readonly count: number;
  /** The number of values before this page. */
  readonly before: number;
}

export interface ChunkPages {
  readonly pages: readonly PageLocation[];
  readonly dictionary: PageLocation | undefined;
}

export interface DecodedPage {
  /** Absent if all values are present, or no lists exist. */
  readonly definition: Uint8Array | undefined;
  readonly repetition: Uint8Array | undefined;
  /** The values that are present, or their positions in the dictionary. */
  readonly values: RawValues;
  readonly isIndexed: boolean;
}

/** More than a page of any known writer. */
const MAX_PAGE_VALUES = 4_194_304;

/** Usual headers, and those with long statistics. */
const HEADER_WINDOWS = [512, 1_048_576];

/** The pages whose positions one thread keeps. */
const MAX_KEPT_PAGES = 100_000;

const knownPages = createLruCache<ChunkPages>(MAX_KEPT_PAGES);

export async function findPages(file: DataFile, group: RowGroup, leaf: Leaf): Promise<ChunkPages> {
  const key = `${file.version} ${group.firstRow} ${leaf.index}`;
  const known = knownPages.get(key);
  if (known !== undefined) return known;
  const chunk = group.chunks[leaf.index];
  if (chunk === undefined) throw new Error('The leaf belongs to another file.');
  const found = await walkPages(file, chunk, leaf.maxRepetition === 0 ? group.rowCount : undefined);
  knownPages.set(key, found, found.pages.length + 1);
  return found;
}

/** `rowCount` is the number of values, if it is known. */
async function walkPages(file: DataFile, chunk: ColumnMetaData, rowCount: number | undefined): Promise<ChunkPages> {
  const total = rowCount ?? Number(chunk.num_values);
  const start = Number(chunk.dictionary_page_offset ?? 0n) || Number(chunk.data_page_offset);
  const end = start + Number(chunk.total_compressed_size);
  const pages: PageLocation[] = [];
  let dictionary: PageLocation | undefined;
  let before = 0;
  if (!(start >= 0 && end >= start && end <= file.sizeBytes))
    throw createMalformedProblem(file.name, Math.min(Math.max(start, 0), file.sizeBytes), 'a column exceeds the file');
  for (let at = start; at < end && before < total; ) {
    const { header, headerBytes } = await readHeader(file, at, end);
    const sizeBytes = header.compressed_page_size;
    const position = at + headerBytes;
    if (!(sizeBytes >= 0 && position + sizeBytes <= end && header.uncompressed_page_size >= 0))
      throw createMalformedProblem(file.name, at, 'a page exceeds its column');
    checkPageSize(file, Math.max(header.uncompressed_page_size, sizeBytes));
    const values = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header;
    const count = values?.num_values ?? 0;
    if (count < 0 || count > MAX_PAGE_VALUES)
      throw createUnsupportedProblem(file.name, `a page has ${count} values; the limit is ${MAX_PAGE_VALUES}`);
    if (header.type === 'DICTIONARY_PAGE') dictionary = { header, position, sizeBytes, count, before: 0 };
    else if (header.type === 'DATA_PAGE' || header.type === 'DATA_PAGE_V2') {
      pages.push({ header, position, sizeBytes, count, before });
      before += count;
    }
    at = position + sizeBytes;
  }
  if (before !== total)
    throw createMalformedProblem(file.name, start, `a column has ${before} values, but ${total} are declared`);
  return { pages, dictionary };
}

function checkPageSize(file: DataFile, bytes: number): void {
  if (bytes <= MAX_PAGE_BYTES) return;
  const reason = `a page of ${bytes} bytes exceeds the limit of ${MAX_PAGE_BYTES} bytes. Write smaller pages`;
  throw createUnsupportedProblem(file.name, reason);
}

async function readHeader(
  file: DataFile,
  at: number,
  end: number,
): Promise<{ readonly header: PageHeader; readonly headerBytes: number }> {
  for (const window of HEADER_WINDOWS) {
    const bytes = await readBytes(file, at, Math.min(window, end - at));
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
    try {
      const header = parquetHeader(reader);
      if (hasNumbers(header)) return { header, headerBytes: reader.offset };
    } catch {
      // The header can be longer than the window.
    }
  }
  throw createMalformedProblem(file.name, at, 'a page has no valid header');
}

/** The parser returns fields with the type that they have in the file. */
function hasNumbers(header: PageHeader): boolean {
  const counts = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header;
  const numbers = [header.compressed_page_size, header.uncompressed_page_size, counts?.num_values ?? 0];
  return numbers.every(Number.isSafeInteger);
}

/** Returns the values of a dictionary. */
export async function readDictionary(
  file: DataFile,
  { header, position, sizeBytes, count }: PageLocation,
  leaf: Leaf,
  codec: CompressionCodec,
): Promise<RawValues> {
  const packed = await readAlone(file, position, sizeBytes);
  return decodeBytes({ file: file.name, offset: position }, () => {
    const bytes = unpackBytes(file, packed, header.uncompressed_page_size, codec);
    return readPlainValues(bytes, leaf, count);
  });
}

/** Decoded pages that one thread keeps at most, because requests for maps and pages read the same ones. */
const MAX_KEPT_BYTES = 67_108_864;

const decodedPages = createLruCache<DecodedPage>(limitKeptBytes(MAX_KEPT_BYTES));

export async function readPage(
  file: DataFile,
  location: PageLocation,
  leaf: Leaf,
  codec: CompressionCodec,
): Promise<DecodedPage> {
  const key = `${file.version} ${location.position}`;
  const known = decodedPages.get(key);
  if (known !== undefined) return known;
  const page = await decodePage(file, location, leaf, codec);
  // Levels, and positions of values, are beside the bytes.
  decodedPages.set(key, page, location.header.uncompressed_page_size + location.count * 8);
  return page;
}

async function decodePage(
  file: DataFile,
  { header, position, sizeBytes, count }: PageLocation,
  leaf: Leaf,
  codec: CompressionCodec,
): Promise<DecodedPage> {
  const packed = await readAlone(file, position, sizeBytes);
  return decodeBytes({ file: file.name, offset: position }, () => {
    const { levels, body } = splitPage(file, packed, header, leaf, codec);
    const isKnown = leaf.maxDefinition === 0 || levels.definition.every((level) => level === leaf.maxDefinition);
    let present = count;
    if (!isKnown) for (const level of levels.definition) if (level !== leaf.maxDefinition) present -= 1;
    const encoding = (header.data_page_header ?? header.data_page_header_v2)?.encoding ?? '';
    return {
      definition: isKnown ? undefined : levels.definition,
      repetition: leaf.maxRepetition === 0 ? undefined : levels.repetition,
      values: decodeValues(file, body, { encoding, leaf, count: present }),
      isIndexed: encoding.endsWith('_DICTIONARY'),
    };
  });
}

/** Reads into a buffer without other data: the library does not notice values beyond the end of a page. */
async function readAlone(file: DataFile, position: number, sizeBytes: number): Promise<Uint8Array> {
  checkWithin(file, position, sizeBytes);
  const bytes = new Uint8Array(sizeBytes);
  await file.readInto(bytes, position);
  return bytes;
}

interface Levels {
  readonly definition: Uint8Array;
  readonly repetition: Uint8Array;
}

/** Separates the levels, which precede the values, and decompresses. */
function splitPage(
  file: DataFile,
  packed: Uint8Array,
  header: PageHeader,
  leaf: Leaf,
  codec: CompressionCodec,
): { readonly levels: Levels; readonly body: Uint8Array } {
  const newer = header.data_page_header_v2;
  const count = (header.data_page_header ?? newer)?.num_values ?? 0;
  const repetition = new Uint8Array(leaf.maxRepetition === 0 ? 0 : count);
  const definition = new Uint8Array(leaf.maxDefinition === 0 ? 0 : count);
  const widths = { repetition: countBits(leaf.maxRepetition), definition: countBits(leaf.maxDefinition) };
  if (newer !== undefined) {
    const { repetition_levels_byte_length: first, definition_levels_byte_length: second, is_compressed } = newer;
    const end = first + second;
    if (!(first >= 0 && second >= 0 && end <= packed.length)) throw new RangeError('The levels exceed the page.');
    if (leaf.maxRepetition > 0) decodeRuns(packed, { start: 0, end: first, width: widths.repetition }, repetition);
    if (leaf.maxDefinition > 0) decodeRuns(packed, { start: first, end, width: widths.definition }, definition);
    const rest = packed.subarray(end);
    const body = is_compressed === false ? rest : unpackBytes(file, rest, header.uncompressed_page_size - end, codec);
    return { levels: { definition, repetition }, body };
  }
  const bytes = unpackBytes(file, packed, header.uncompressed_page_size, codec);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (const [name, target] of [
    ['repetition', repetition],
    ['definition', definition],
  ] as const) {
    if (widths[name] === 0) continue;
    const end = at + 4 + view.getUint32(at, true);
    if (end > bytes.length) throw new RangeError('The levels exceed the page.');
    decodeRuns(bytes, { start: at + 4, end, width: widths[name] }, target);
    at = end;
  }
  return { levels: { definition, repetition }, body: bytes.subarray(at) };
}

function countBits(value: number): number {
  return 32 - Math.clz32(value);
}

function unpackBytes(file: DataFile, packed: Uint8Array, size: number, codec: CompressionCodec): Uint8Array {
  if (size < 0 || size > MAX_PAGE_BYTES) throw new RangeError('The size of the page is invalid.');
  const bytes = decompress(file, packed, size, codec);
  if (bytes.length !== size) throw new RangeError('The page has another size than declared.');
  // Results of zlib can share their buffer with others.
  return bytes.buffer.byteLength === size || codec === 'UNCOMPRESSED' ? bytes : new Uint8Array(bytes);
}

function decompress(file: DataFile, packed: Uint8Array, size: number, codec: CompressionCodec): Uint8Array {
  if (size === 0) return new Uint8Array(0);
  const options = { maxOutputLength: size };
  switch (codec) {
    case 'UNCOMPRESSED':
      return packed;
    case 'SNAPPY': {
      const bytes = new Uint8Array(size);
      snappyUncompress(packed, bytes);
      return bytes;
    }
    case 'ZSTD':
      return zstdDecompressSync(packed, options);
    case 'GZIP':
      return gunzipSync(packed, options);
    case 'BROTLI':
      return brotliDecompressSync(packed, options);
    default: {
      const reason = `its compression ${codec} is unknown. Supported are SNAPPY, ZSTD, GZIP, BROTLI and none`;
      throw createUnsupportedProblem(file.name, reason);
    }
  }
}
