/** Reads classic NetCDF files: CDF-1, CDF-2 (64-bit offsets) and CDF-5 (64-bit sizes). */
import { endianness } from 'node:os';
import { MAX_SIDE_PIXELS, MAX_TEXT_BYTES } from '../port/limits.ts';
import type { RasterFile } from '../port/raster-file.ts';
import { createSamples, createSamplesView, getBytesPerSample, type Samples, type SampleType } from '../port/samples.ts';
import {
  type AttributeValue,
  createDamagedError,
  cutAtNul,
  MAX_VARIABLES,
  type NetcdfFile,
  type NetcdfVariable,
} from './netcdf-file.ts';

const CHAR = 2;

const types: Readonly<Record<number, SampleType>> = {
  1: 'int8',
  3: 'int16',
  4: 'int32',
  5: 'float32',
  6: 'float64',
  7: 'uint8',
  8: 'uint16',
  9: 'uint32',
  10: 'int64',
  11: 'uint64',
};

interface StoredVariable extends NetcdfVariable {
  readonly typeNumber: number;
  readonly begin: number;
  readonly isRecord: boolean;
  /** The size of all data, or of one record, without padding. */
  readonly bytes: number;
}

/** A damaged header could state any length. */
const MAX_NAME_BYTES = 65_536;
/** Some thousand variables with all their attributes take a tenth of this. */
const MAX_HEADER_BYTES = 16_777_216;
const MAX_DIMENSIONS = 10_000;
const MAX_RANK = 1_024;

export function isClassic(head: Uint8Array): boolean {
  const [c, d, f, version] = head;
  return c === 0x43 && d === 0x44 && f === 0x46 && (version === 1 || version === 2 || version === 5);
}

export function openClassic(file: RasterFile): NetcdfFile {
  const { variables, recordBytes } = readHeader(file);

  const read = (variable: NetcdfVariable, start: readonly number[], count: readonly number[]): Samples => {
    const stored = variables.find(({ name }) => name === variable.name);
    if (stored?.type === undefined) throw new Error(`The variable '${variable.name}' is not numeric.`);
    const samples = createSamples(
      stored.type,
      count.reduce((product, each) => product * each, 1),
    );
    readParts(file, stored, recordBytes, { start, count, target: samples });
    return samples;
  };

  return {
    name: file.name,
    variables,
    read,
    readTexts(variable) {
      const stored = variables.find(({ name }) => name === variable.name);
      const [count = 0, length = 1] = variable.shape;
      if (stored?.typeNumber !== CHAR || stored.isRecord || variable.shape.length > 2) return [];
      const bytes = file.read(stored.begin, count * length);
      return Array.from({ length: count }, (_, index) =>
        cutAtNul(bytes.toString('utf8', index * length, (index + 1) * length)).trimEnd(),
      );
    },
    close: () => file.close(),
  };
}

function readParts(
  file: RasterFile,
  { shape, type = 'uint8', begin, isRecord }: StoredVariable,
  recordBytes: number,
  {
    start,
    count,
    target,
  }: { readonly start: readonly number[]; readonly count: readonly number[]; readonly target: Samples },
): void {
  const size = getBytesPerSample(type);
  // The number of bytes between neighbouring values of a dimension.
  const steps: number[] = [];
  let step = size;
  for (let at = shape.length - 1; at >= 0; at -= 1) {
    steps[at] = isRecord && at === 0 ? recordBytes : step;
    step *= shape[at] ?? 1;
  }
  let filled = 0;
  const bytes = new Uint8Array(target.buffer);
  const walk = (dimension: number, position: number): void => {
    if (isContiguous(dimension)) {
      const length = count.slice(dimension).reduce((product, each) => product * each, size);
      const from = position + (start[dimension] ?? 0) * (steps[dimension] ?? size);
      bytes.set(file.read(from, length), filled);
      filled += length;
      return;
    }
    for (let index = 0; index < (count[dimension] ?? 0); index += 1) {
      walk(dimension + 1, position + ((start[dimension] ?? 0) + index) * (steps[dimension] ?? 0));
    }
  };
  const isContiguous = (dimension: number): boolean => {
    if (dimension >= shape.length) return true;
    if (isRecord && dimension === 0 && (shape.length > 1 || recordBytes !== size)) return false;
    return shape.slice(dimension + 1).every((length, index) => count[dimension + 1 + index] === length);
  };
  walk(0, begin);
  if (endianness() === 'LE') swapBytes(Buffer.from(bytes.buffer), size);
}

function swapBytes(bytes: Buffer, size: number): void {
  if (size === 2) bytes.swap16();
  if (size === 4) bytes.swap32();
  if (size === 8) bytes.swap64();
}

interface Header {
  readonly variables: readonly StoredVariable[];
  /** The distance between records. */
  readonly recordBytes: number;
}

const LIST_DIMENSIONS = 10;
const LIST_VARIABLES = 11;
const LIST_ATTRIBUTES = 12;

function readHeader(file: RasterFile): Header {
  const version = file.read(0, 4)[3] ?? 0;
  const cursor = new Cursor(file, version);
  const declaredRecords = cursor.readSize();
  const dimensions = cursor.readList(LIST_DIMENSIONS, MAX_DIMENSIONS, () => ({
    name: cursor.readName(),
    length: cursor.readSize(),
  }));
  cursor.readAttributes();
  const raw = cursor.readList(LIST_VARIABLES, MAX_VARIABLES, () => {
    const name = cursor.readName();
    const rank = cursor.readSize();
    if (rank > MAX_RANK)
      throw createDamagedError(file, `its variable '${name}' has ${rank} dimensions, which exceeds the limit`);
    const places = Array.from({ length: rank }, () => cursor.readSize());
    const attributes = cursor.readAttributes();
    const typeNumber = cursor.readInt();
    cursor.readSize();
    return { name, places, attributes, typeNumber, begin: version === 1 ? cursor.readInt() : cursor.readLong() };
  });
  const unsized = raw.map(({ name, places, typeNumber, begin, attributes }) => {
    const own = places.map((place) => {
      const dimension = dimensions[place];
      if (dimension === undefined)
        throw createDamagedError(file, `its variable '${name}' refers to a dimension that does not exist`);
      if (dimension.length > MAX_SIDE_PIXELS)
        throw createDamagedError(
          file,
          `its dimension '${dimension.name}' has ${dimension.length} values, which exceeds the limit`,
        );
      return dimension;
    });
    const isRecord = own[0]?.length === 0;
    const type = types[typeNumber];
    if (type === undefined && typeNumber !== CHAR)
      throw createDamagedError(file, `its variable '${name}' has the unknown type ${typeNumber}`);
    const size = type === undefined ? 1 : getBytesPerSample(type);
    const bytes = (isRecord ? own.slice(1) : own).reduce((product, { length }) => product * length, size);
    return { name, own, attributes, typeNumber, type, begin, isRecord, bytes };
  });
  const records = unsized.filter(({ isRecord }) => isRecord);
  const padLength = (bytes: number) => Math.ceil(bytes / 4) * 4;
  // The records of a single variable are not padded.
  const recordBytes =
    records.length === 1 ? (records[0]?.bytes ?? 0) : records.reduce((sum, { bytes }) => sum + padLength(bytes), 0);
  const recordCount = countRecords(file, declaredRecords, records, recordBytes);
  const variables = unsized.map(
    ({ own, ...variable }): StoredVariable => ({
      ...variable,
      dimensions: own.map(({ name }) => name),
      shape: own.map(({ length }, index) => (index === 0 && variable.isRecord ? recordCount : length)),
    }),
  );
  return { variables, recordBytes };
}

/**
 * Returns the declared number of records, limited by the file size: the file may be incomplete, or the writer may not
 * have stored the number.
 */
function countRecords(
  file: RasterFile,
  declared: number,
  records: readonly { readonly begin: number; readonly bytes: number }[],
  recordBytes: number,
): number {
  if (records.length === 0 || recordBytes === 0) return 0;
  const first = Math.min(...records.map(({ begin }) => begin));
  const room = Math.max(0, Math.floor((file.sizeBytes - first + 3) / recordBytes));
  return Math.min(declared, room);
}

/** Reads a header sequentially. */
class Cursor {
  readonly #file: RasterFile;
  readonly #isWide: boolean;
  #at = 4;

  constructor(file: RasterFile, version: number) {
    this.#file = file;
    this.#isWide = version === 5;
  }

  #readBytes(length: number): Buffer {
    if (this.#at > MAX_HEADER_BYTES)
      throw createDamagedError(this.#file, `its header exceeds the limit of ${MAX_HEADER_BYTES} bytes`);
    const bytes = this.#file.read(this.#at, length);
    this.#at += length;
    return bytes;
  }

  readInt(): number {
    return this.#readBytes(4).readUInt32BE(0);
  }

  readLong(): number {
    const value = Number(this.#readBytes(8).readBigUInt64BE(0));
    if (!Number.isSafeInteger(value)) throw createDamagedError(this.#file, `${value} is an invalid size or offset`);
    return value;
  }

  readSize(): number {
    return this.#isWide ? this.readLong() : this.readInt();
  }

  readName(): string {
    const length = this.readSize();
    if (length > MAX_NAME_BYTES) throw createDamagedError(this.#file, `a name of ${length} bytes exceeds the limit`);
    const text = this.#readBytes(length).toString('utf8');
    if (text.includes('\0')) throw createDamagedError(this.#file, 'a name in its header contains a NUL character');
    this.#pad(length);
    return text;
  }

  readList<T>(tag: number, most: number, read: () => T): readonly T[] {
    const found = this.readInt();
    const count = this.readSize();
    if (count === 0 && (found === 0 || found === tag)) return [];
    if (found !== tag)
      throw createDamagedError(this.#file, `its header contains list ${found} where list ${tag} is expected`);
    if (count > most)
      throw createDamagedError(this.#file, `a list of ${count} entries in its header exceeds the limit`);
    return Array.from({ length: count }, read);
  }

  readAttributes(): ReadonlyMap<string, AttributeValue> {
    return new Map(
      this.readList(LIST_ATTRIBUTES, MAX_VARIABLES, () => [this.readName(), this.#readAttribute()] as const),
    );
  }

  #readAttribute(): AttributeValue {
    const typeNumber = this.readInt();
    const count = this.readSize();
    const type = types[typeNumber];
    if (type === undefined && typeNumber !== CHAR)
      throw createDamagedError(this.#file, `an attribute has the unknown type ${typeNumber}`);
    const length = count * (type === undefined ? 1 : getBytesPerSample(type));
    if (length > MAX_TEXT_BYTES)
      throw createDamagedError(this.#file, `an attribute of ${length} bytes exceeds the limit`);
    const bytes = Buffer.from(this.#readBytes(length));
    this.#pad(length);
    if (type === undefined) return cutAtNul(bytes.toString('utf8'));
    if (endianness() === 'LE') swapBytes(bytes, getBytesPerSample(type));
    return [...(createSamplesView(type, bytes) as Iterable<number | bigint>)];
  }

  #pad(length: number): void {
    this.#at += (4 - (length % 4)) % 4;
  }
}
