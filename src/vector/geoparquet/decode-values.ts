/** Decodes the values of a page. */
import type { DataFile } from '../support/data-file.ts';
import { createUnsupportedProblem } from '../support/file-problems.ts';
import { decodeRuns } from './hybrid-runs.ts';
import type { Leaf } from './parquet-footer.ts';
import { byteStreamSplit, deltaBinaryUnpack, deltaLengthByteArray, readPlain } from './parquet-library.ts';

/** A value as it is in the file, before it is converted. */
export type RawValue = number | bigint | boolean | Uint8Array;

/** Values in the order of the rows; arrays have this form, too. */
export interface RawValues {
  readonly length: number;
  at(index: number): RawValue | undefined;
}

/** Writers make pages of about a megabyte; one large geometry is one page. */
export const MAX_PAGE_BYTES = 268_435_456;

export function readPlainValues(bytes: Uint8Array, leaf: Leaf, count: number): RawValues {
  const type = getType(leaf);
  return type === 'BYTE_ARRAY'
    ? new PlainBytes(bytes, count)
    : readPlain(toReader(bytes, 0), type, count, leaf.element.type_length);
}

/** Values of different lengths, of which most queries need few: only their positions are found at first. */
class PlainBytes implements RawValues {
  readonly length: number;
  readonly #bytes: Uint8Array;
  readonly #ends: Uint32Array;

  constructor(bytes: Uint8Array, count: number) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.length = count;
    this.#bytes = bytes;
    this.#ends = new Uint32Array(count);
    for (let index = 0, at = 0; index < count; index += 1) {
      at += LENGTH_BYTES + view.getUint32(at, true);
      if (at > bytes.length) throw new RangeError('A value exceeds the page.');
      this.#ends[index] = at;
    }
  }

  at(index: number): Uint8Array | undefined {
    const end = this.#ends[index];
    return end === undefined ? undefined : this.#bytes.subarray((this.#ends[index - 1] ?? 0) + LENGTH_BYTES, end);
  }
}

const LENGTH_BYTES = 4;

function toReader(bytes: Uint8Array, offset: number) {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset };
}

function getType({ element }: Leaf) {
  if (element.type === undefined) throw new Error('A leaf has no type.');
  return element.type;
}

export function decodeValues(
  file: DataFile,
  body: Uint8Array,
  { encoding, leaf, count }: { readonly encoding: string; readonly leaf: Leaf; readonly count: number },
): RawValues {
  const type = getType(leaf);
  const reader = toReader(body, 0);
  if (count === 0) return [];
  switch (encoding) {
    case 'PLAIN':
      return readPlainValues(body, leaf, count);
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY': {
      const indexes = new Int32Array(count);
      const width = reader.view.getUint8(0);
      if (width > 0) decodeRuns(body, { start: 1, end: body.length, width }, indexes);
      return indexes;
    }
    case 'RLE': {
      const flags = new Uint8Array(count);
      const size = reader.view.getUint32(0, true);
      decodeRuns(body, { start: 4, end: Math.min(body.length, 4 + size), width: 1 }, flags);
      return Array.from(flags, (flag) => flag === 1);
    }
    case 'BYTE_STREAM_SPLIT':
      // The library first reserves memory for all values.
      if (body.length < count * getWidth(leaf)) throw new RangeError('The values exceed the page.');
      return byteStreamSplit(reader, count, type, leaf.element.type_length);
    case 'DELTA_BINARY_PACKED': {
      const numbers = type === 'INT32' ? new Int32Array(count) : new BigInt64Array(count);
      deltaBinaryUnpack(reader, count, numbers);
      return numbers;
    }
    case 'DELTA_LENGTH_BYTE_ARRAY': {
      const texts: Uint8Array[] = new Array(count);
      deltaLengthByteArray(reader, count, texts);
      return texts;
    }
    case 'DELTA_BYTE_ARRAY':
      return joinPrefixes(body, count);
    default:
      throw createUnsupportedProblem(file.name, `its encoding ${encoding} is unknown`);
  }
}

function getWidth({ element }: Leaf): number {
  switch (element.type) {
    case 'INT32':
    case 'FLOAT':
      return 4;
    case 'FIXED_LEN_BYTE_ARRAY':
      return element.type_length ?? 0;
    default:
      return 8;
  }
}

/** Values that share their beginning with the value before; together they can be much larger than the page. */
function joinPrefixes(body: Uint8Array, count: number): readonly Uint8Array[] {
  const reader = toReader(body, 0);
  const shared = new Int32Array(count);
  deltaBinaryUnpack(reader, count, shared);
  const ends: Uint8Array[] = new Array(count);
  deltaLengthByteArray(reader, count, ends);
  let total = 0;
  for (const [index, end] of ends.entries()) total += (shared[index] ?? 0) + end.length;
  if (total > MAX_PAGE_BYTES) throw new RangeError('The values exceed the limit of a page.');
  let before: Uint8Array = new Uint8Array(0);
  return ends.map((end, index) => {
    const length = shared[index] ?? 0;
    if (length < 0 || length > before.length) throw new RangeError('A value is shorter than its prefix.');
    const value = new Uint8Array(length + end.length);
    value.set(before.subarray(0, length));
    value.set(end, length);
    before = value;
    return value;
  });
}
