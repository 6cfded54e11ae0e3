/**
 * A batch of features as a few buffers and one text, for transfer between threads. A structured clone of the features
 * takes as long as encoding them.
 */
import type { Transferable } from 'node:worker_threads';
import { type Dimension, type Geometry, geometryTypes } from '../../geometry/geometry.ts';
import type { Feature, Value } from './port.ts';

interface BatchSize {
  /** The number of features; further rows are ignored. */
  readonly length: number;
  /** The number of values per feature. */
  readonly width: number;
}

/** Features with nested content, which require a structured clone. */
interface ClonedBatch extends BatchSize {
  readonly features: readonly Feature[];
}

/** Column by column: the ids, then the values of each attribute. */
interface ColumnBatch extends BatchSize {
  /** The number of rows in the columns. */
  readonly rows: number;
  /** The type of each column, text lengths and ring ends. */
  readonly integers: Uint32Array;
  /** Numbers, moments and ordinates. */
  readonly floats: Float64Array;
  /** All texts, concatenated. */
  readonly text: string;
  /** Columns of other or mixed types, unpacked. */
  readonly others: readonly (readonly (Value | Geometry | undefined)[])[];
  /** The page key of each feature, if present. */
  readonly keys?: readonly (string | undefined)[];
}

export type PackedBatch = ColumnBatch | ClonedBatch;

/** Returns the buffers to transfer with the batch. */
export function listTransferables(batch: PackedBatch): Transferable[] {
  return 'features' in batch ? [] : [batch.integers.buffer as ArrayBuffer, batch.floats.buffer as ArrayBuffer];
}

const NULLS = 0;
const NUMBERS = 1;
const TEXTS = 2;
const DATES = 3;
const BOOLEANS = 4;
const GEOMETRIES = 5;
const OTHERS = 6;

type ColumnKind =
  | typeof NULLS
  | typeof NUMBERS
  | typeof TEXTS
  | typeof DATES
  | typeof BOOLEANS
  | typeof GEOMETRIES
  | typeof OTHERS;

/** Marks a missing value in place of a length. */
const NO_VALUE = 0xffff_ffff;

const FALSE = 0;
const TRUE = 1;

const dimensions: readonly Dimension[] = ['XY', 'XYZ', 'XYM', 'XYZM'];

/** Packs successive batches and reuses the size of the previous one as initial capacity. */
export class BatchPacker {
  #integers = new Uint32Array();
  #floats = new Float64Array();
  #integerCount = 0;
  #floatCount = 0;
  #texts: string[] = [];

  /** Omits the document of a feature, which only its source uses. */
  pack(features: readonly Feature[]): PackedBatch {
    const width = features[0]?.values.length ?? 0;
    const size = { length: features.length, width };
    if (features.some(({ content, values }) => content !== undefined || values.length !== width)) {
      return { ...size, features: features.map(removeDocument) };
    }
    this.#integers = new Uint32Array(Math.max(64, this.#integerCount));
    this.#floats = new Float64Array(Math.max(64, this.#floatCount));
    this.#integerCount = 0;
    this.#floatCount = 0;
    this.#texts = [];
    this.#reserveIntegers(features.length);
    for (const { id } of features) this.#addText(id);
    const others: (readonly (Value | Geometry | undefined)[])[] = [];
    for (let place = 0; place < width; place += 1) {
      const kind = getColumnKind(features, place);
      this.#reserveIntegers(features.length + 1);
      this.#integers[this.#integerCount] = kind;
      this.#integerCount += 1;
      if (kind === OTHERS) others.push(features.map(({ values }) => copyBytes(values[place])));
      else this.#addColumn(features, place, kind);
    }
    const hasKeys = features.some(({ key }) => key !== undefined);
    return {
      ...size,
      rows: features.length,
      integers: this.#integers,
      floats: this.#floats,
      text: this.#texts.join(''),
      others,
      ...(hasKeys ? { keys: features.map(({ key }) => key) } : {}),
    };
  }

  #addColumn(features: readonly Feature[], place: number, kind: Exclude<ColumnKind, typeof OTHERS>): void {
    if (kind === NULLS) return;
    if (kind === NUMBERS || kind === DATES) this.#reserveFloats(features.length);
    for (const { values } of features) {
      const value = values[place] ?? null;
      if (value === null) this.#integers[this.#integerCount++] = NO_VALUE;
      else if (typeof value === 'string') this.#addText(value);
      else if (typeof value === 'number') this.#addFloat(value);
      else if (typeof value === 'boolean') this.#integers[this.#integerCount++] = value ? TRUE : FALSE;
      else if (value instanceof Date) this.#addFloat(value.getTime());
      else if (typeof value === 'object' && isGeometry(value)) {
        this.#addGeometry(value);
        // A geometry uses more than one integer, so the rest of the column needs capacity again.
        this.#reserveIntegers(features.length);
      }
    }
  }

  #addText(text: string): void {
    this.#texts.push(text);
    this.#integers[this.#integerCount++] = text.length;
  }

  #addFloat(value: number): void {
    this.#integers[this.#integerCount++] = TRUE;
    this.#floats[this.#floatCount++] = value;
  }

  #addGeometry({ type, dimension, ordinates, ends, parts, members }: Geometry): void {
    this.#reserveIntegers(5 + ends.length + parts.length);
    this.#reserveFloats(ordinates.length);
    const integers = this.#integers;
    let at = this.#integerCount;
    integers[at++] = geometryTypes.indexOf(type) * dimensions.length + dimensions.indexOf(dimension);
    integers[at++] = ordinates.length;
    integers[at++] = ends.length;
    integers[at++] = parts.length;
    integers[at++] = members === undefined ? NO_VALUE : members.length;
    for (let index = 0; index < ends.length; index += 1) integers[at++] = ends[index] ?? 0;
    for (let index = 0; index < parts.length; index += 1) integers[at++] = parts[index] ?? 0;
    this.#integerCount = at;
    this.#floats.set(ordinates, this.#floatCount);
    this.#floatCount += ordinates.length;
    for (const member of members ?? []) this.#addGeometry(member);
  }

  #reserveIntegers(count: number): void {
    if (this.#integerCount + count <= this.#integers.length) return;
    const longer = new Uint32Array(Math.max(this.#integerCount + count, this.#integers.length * 2));
    longer.set(this.#integers);
    this.#integers = longer;
  }

  #reserveFloats(count: number): void {
    if (this.#floatCount + count <= this.#floats.length) return;
    const longer = new Float64Array(Math.max(this.#floatCount + count, this.#floats.length * 2));
    longer.set(this.#floats);
    this.#floats = longer;
  }
}

function getColumnKind(features: readonly Feature[], place: number): ColumnKind {
  let found: ColumnKind = NULLS;
  for (const { values } of features) {
    const kind = getValueKind(values[place]);
    if (kind === found || kind === NULLS) continue;
    if (found !== NULLS) return OTHERS;
    found = kind;
  }
  return found;
}

function getValueKind(value: Value | Geometry | undefined): ColumnKind {
  if (value === null) return NULLS;
  switch (typeof value) {
    case 'number':
      return NUMBERS;
    case 'string':
      return TEXTS;
    case 'boolean':
      return BOOLEANS;
    case 'object':
      if (isGeometry(value)) return GEOMETRIES;
      return value instanceof Date ? DATES : OTHERS;
    default:
      return OTHERS;
  }
}

function isGeometry(value: object): value is Geometry {
  return 'ordinates' in value;
}

/** Bytes are often a view of a larger buffer, which a structured clone would copy completely. */
function copyBytes(value: Value | Geometry | undefined): Value | Geometry | undefined {
  return value instanceof Uint8Array ? new Uint8Array(value) : value;
}

function removeDocument({ document: _, ...feature }: Feature): Feature {
  return feature;
}

/** Returns the features of a batch; ordinates are views of its buffer. */
export function unpackBatch(batch: PackedBatch): readonly Feature[] {
  return 'features' in batch ? batch.features.slice(0, batch.length) : new BatchReader(batch).read();
}

class BatchReader {
  readonly #batch: ColumnBatch;
  readonly #integers: Uint32Array;
  readonly #floats: Float64Array;
  #integer = 0;
  #float = 0;
  #character = 0;
  #other = 0;

  constructor(batch: ColumnBatch) {
    this.#batch = batch;
    this.#integers = batch.integers;
    this.#floats = batch.floats;
  }

  read(): readonly Feature[] {
    const { length, rows, width, keys } = this.#batch;
    const features: { id: string; values: (Value | Geometry)[]; key?: string }[] = [];
    for (let row = 0; row < rows; row += 1) {
      const id = this.#readText(this.#readInteger());
      if (row >= length) continue;
      const key = keys?.[row];
      const values = new Array<Value | Geometry>(width);
      features.push(key === undefined ? { id, values } : { id, values, key });
    }
    for (let place = 0; place < width; place += 1) {
      const next = this.#createColumnReader(this.#readInteger() as ColumnKind);
      for (let row = 0; row < rows; row += 1) {
        const value = next(row);
        const feature = features[row];
        if (feature !== undefined) feature.values[place] = value;
      }
    }
    return features;
  }

  #createColumnReader(kind: ColumnKind): (row: number) => Value | Geometry {
    switch (kind) {
      case NULLS:
        return () => null;
      case NUMBERS:
        return () => (this.#readInteger() === NO_VALUE ? null : this.#readFloat());
      case DATES:
        return () => (this.#readInteger() === NO_VALUE ? null : new Date(this.#readFloat()));
      case TEXTS:
        return () => {
          const length = this.#readInteger();
          return length === NO_VALUE ? null : this.#readText(length);
        };
      case BOOLEANS:
        return () => {
          const value = this.#readInteger();
          return value === NO_VALUE ? null : value === TRUE;
        };
      case GEOMETRIES:
        return () => {
          const form = this.#readInteger();
          return form === NO_VALUE ? null : this.#readGeometry(form);
        };
      case OTHERS: {
        const column = this.#batch.others[this.#other] ?? [];
        this.#other += 1;
        return (row) => column[row] as Value | Geometry;
      }
    }
  }

  #readInteger(): number {
    return this.#integers[this.#integer++] ?? 0;
  }

  #readFloat(): number {
    return this.#floats[this.#float++] ?? 0;
  }

  #readText(length: number): string {
    const start = this.#character;
    this.#character += length;
    return this.#batch.text.slice(start, this.#character);
  }

  #readIntegers(count: number): readonly number[] {
    const list = new Array<number>(count);
    for (let index = 0; index < count; index += 1) list[index] = this.#readInteger();
    return list;
  }

  #readGeometry(form: number): Geometry {
    const size = this.#readInteger();
    const endCount = this.#readInteger();
    const partCount = this.#readInteger();
    const memberCount = this.#readInteger();
    const geometry = {
      type: geometryTypes[Math.floor(form / dimensions.length)] as Geometry['type'],
      dimension: dimensions[form % dimensions.length] ?? 'XY',
      ends: this.#readIntegers(endCount),
      parts: this.#readIntegers(partCount),
      ordinates: this.#floats.subarray(this.#float, this.#float + size),
    };
    this.#float += size;
    if (memberCount === NO_VALUE) return geometry;
    const members = Array.from({ length: memberCount }, () => this.#readGeometry(this.#readInteger()));
    return { ...geometry, members };
  }
}
