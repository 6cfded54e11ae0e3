/** Writes the files of one shapefile: shapes, index and table. */
import { join } from 'node:path';
import type { Bounds } from '../../crs/bounds.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { mergeBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature } from '../../vector/port/port.ts';
import { ScratchFile } from '../writing/scratch.ts';
import { encodeShapeRecord, getShapeNumber, type ShapeForm } from './shape-record.ts';
import { encodeTableRow, type TableField } from './table-fields.ts';

const HEAD_BYTES = 100;
const RECORD_HEAD_BYTES = 8;
const FIELD_BYTES = 32;
/** Most readers use 31-bit file sizes. */
const MOST_BYTES = 2 ** 31 - 1;

export interface ShapefileKind {
  readonly form: ShapeForm;
  readonly dimension: Dimension;
}

export interface WrittenShapefile {
  readonly kind: ShapefileKind | undefined;
  /** File paths by extension. */
  readonly files: Readonly<Record<string, string>>;
}

export class ShapefileWriter {
  readonly #kind: ShapefileKind | undefined;
  readonly #fields: readonly TableField[];
  readonly #rowBytes: number;
  readonly #table: ScratchFile;
  readonly #shapes: { readonly shp: ScratchFile; readonly shx: ScratchFile } | undefined;
  #count = 0;
  #bounds: Bounds | undefined;
  #heights: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  #measures: readonly [number, number] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  private constructor(
    kind: ShapefileKind | undefined,
    fields: readonly TableField[],
    table: ScratchFile,
    shapes: { readonly shp: ScratchFile; readonly shx: ScratchFile } | undefined,
  ) {
    this.#kind = kind;
    this.#fields = fields;
    this.#table = table;
    this.#shapes = shapes;
    this.#rowBytes = fields.reduce((sum, { width }) => sum + width, 1);
    table.append(Buffer.alloc(FIELD_BYTES * (fields.length + 1) + 1));
    shapes?.shp.append(Buffer.alloc(HEAD_BYTES));
    shapes?.shx.append(Buffer.alloc(HEAD_BYTES));
  }

  /** Without a shape type only a table is written. */
  static async create(
    folder: string,
    name: string,
    kind: ShapefileKind | undefined,
    fields: readonly TableField[],
  ): Promise<ShapefileWriter> {
    const createFile = (ending: string): Promise<ScratchFile> => ScratchFile.create(join(folder, `${name}.${ending}`));
    const table = await createFile('dbf');
    return new ShapefileWriter(
      kind,
      fields,
      table,
      kind === undefined ? undefined : { shp: await createFile('shp'), shx: await createFile('shx') },
    );
  }

  /** Returns a promise to await when the buffer is full. */
  append({ values }: Feature, geometry: Geometry | null): Promise<void> | undefined {
    this.#table.append(encodeTableRow(this.#fields, values, this.#rowBytes));
    this.#count += 1;
    if (this.#kind !== undefined) this.#appendShape(this.#kind, geometry);
    const shapeBytes = this.#shapes?.shp.bytes ?? 0;
    if (this.#table.bytes > MOST_BYTES || shapeBytes > MOST_BYTES) throw problem('shapefile-too-large', {});
    return this.#table.isFull || this.#shapes?.shp.isFull ? this.#flush() : undefined;
  }

  #appendShape({ form }: ShapefileKind, geometry: Geometry | null): void {
    const record = geometry === null ? undefined : encodeShapeRecord(geometry, form);
    const content = record?.content ?? Buffer.alloc(4);
    if (record !== undefined) {
      this.#bounds = mergeBounds(this.#bounds, record.bounds);
      this.#heights = mergeRanges(this.#heights, record.heights);
      this.#measures = mergeRanges(this.#measures, record.measures);
    }
    const { shp, shx } = this.#shapes ?? {};
    const head = Buffer.alloc(RECORD_HEAD_BYTES);
    const place = Buffer.alloc(RECORD_HEAD_BYTES);
    head.writeInt32BE(this.#count, 0);
    head.writeInt32BE(content.length / 2, 4);
    place.writeInt32BE((shp?.bytes ?? 0) / 2, 0);
    place.writeInt32BE(content.length / 2, 4);
    shp?.append(head);
    shp?.append(content);
    shx?.append(place);
  }

  async #flush(): Promise<void> {
    await this.#table.flush();
    await this.#shapes?.shp.flush();
    await this.#shapes?.shx.flush();
  }

  async finish(languageDriver: number, modified: Date): Promise<WrittenShapefile> {
    this.#table.append(Buffer.of(0x1a));
    await this.#table.finish(this.#encodeTableHead(languageDriver, modified));
    const { shp, shx } = this.#shapes ?? {};
    await shp?.finish(this.#encodeShapeHead(shp.bytes));
    await shx?.finish(this.#encodeShapeHead(shx.bytes));
    return {
      kind: this.#kind,
      files: { ...(shp && shx ? { shp: shp.path, shx: shx.path } : {}), dbf: this.#table.path },
    };
  }

  async close(): Promise<void> {
    for (const file of [this.#table, this.#shapes?.shp, this.#shapes?.shx]) await file?.close().catch(() => undefined);
  }

  #encodeTableHead(languageDriver: number, modified: Date): Buffer {
    const head = Buffer.alloc(FIELD_BYTES * (this.#fields.length + 1) + 1);
    head.set([0x03, modified.getUTCFullYear() - 1900, modified.getUTCMonth() + 1, modified.getUTCDate()]);
    head.writeUInt32LE(this.#count, 4);
    head.writeUInt16LE(head.length, 8);
    head.writeUInt16LE(this.#rowBytes, 10);
    head[29] = languageDriver;
    for (const [index, { name, letter, width, decimals }] of this.#fields.entries()) {
      const at = FIELD_BYTES * (index + 1);
      head.set(name, at);
      head.write(letter, at + 11, 'latin1');
      head[at + 16] = width;
      head[at + 17] = decimals;
    }
    head[head.length - 1] = 0x0d;
    return head;
  }

  #encodeShapeHead(bytes: number): Buffer {
    const head = Buffer.alloc(HEAD_BYTES);
    const { minX = 0, minY = 0, maxX = 0, maxY = 0 } = this.#bounds ?? {};
    head.writeInt32BE(9994, 0);
    head.writeInt32BE(bytes / 2, 24);
    head.writeInt32LE(1000, 28);
    head.writeInt32LE(this.#kind === undefined ? 0 : getShapeNumber(this.#kind.form, this.#kind.dimension), 32);
    const ranges = [this.#heights, this.#measures].flatMap((range) => (range[0] <= range[1] ? range : [0, 0]));
    for (const [index, value] of [minX, minY, maxX, maxY, ...ranges].entries())
      head.writeDoubleLE(value, 36 + index * 8);
    return head;
  }
}

function mergeRanges(one: readonly [number, number], other: readonly [number, number]): readonly [number, number] {
  return [Math.min(one[0], other[0]), Math.max(one[1], other[1])];
}
