/** Builds shapefiles byte by byte, for tests of files that no program would write. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The content of one record: its shape type and the rest; undefined for a dangling index entry. */
export type RecordContent = Buffer | undefined;

export interface FieldSpec {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  readonly decimals?: number;
}

export interface TableSpec {
  readonly fields: readonly FieldSpec[];
  /** The bytes of each field; `deleted` marks the row. */
  readonly rows: readonly { readonly values: readonly (string | Buffer)[]; readonly deleted?: boolean }[];
  readonly languageDriver?: number;
}

export interface ShapefileSpec {
  readonly type: number;
  readonly records: readonly RecordContent[];
  readonly bounds?: readonly [number, number, number, number];
  readonly table?: TableSpec;
  readonly prj?: string;
  readonly cpg?: string;
  readonly withoutIndex?: boolean;
}

/** The files of a shapefile, by extension. */
export type ShapefileBytes = Readonly<Record<string, Buffer>>;

const HEADER_BYTES = 100;

export function shapefileBytes(spec: ShapefileSpec): ShapefileBytes {
  const records: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = HEADER_BYTES;
  for (const [index, content] of spec.records.entries()) {
    if (content === undefined) {
      entries.push(Buffer.alloc(8));
      continue;
    }
    const record = Buffer.concat([bigEndian(index + 1, content.length / 2), content]);
    entries.push(bigEndian(offset / 2, content.length / 2));
    records.push(record);
    offset += record.length;
  }
  return {
    shp: withHeader(spec, records),
    ...(spec.withoutIndex ? {} : { shx: withHeader(spec, entries) }),
    ...(spec.table === undefined ? {} : { dbf: tableBytes(spec.table) }),
    ...(spec.prj === undefined ? {} : { prj: Buffer.from(spec.prj) }),
    ...(spec.cpg === undefined ? {} : { cpg: Buffer.from(spec.cpg) }),
  };
}

/** Writes the files into one folder; returns the path of the .shp file. */
export async function writeShapefile(directory: string, name: string, files: ShapefileBytes): Promise<string> {
  for (const [extension, bytes] of Object.entries(files))
    await writeFile(join(directory, `${name}.${extension}`), bytes);
  return join(directory, `${name}.shp`);
}

export function pointContent(x: number, y: number, ...more: readonly number[]): Buffer {
  return Buffer.concat([littleEndian(more.length === 0 ? 1 : more.length === 1 ? 21 : 11), doubles(x, y, ...more)]);
}

export const nullContent: Buffer = Buffer.alloc(4);

/** A polyline or polygon from lists of x and y; `more` follows the points. */
export function partsContent(
  type: number,
  parts: readonly (readonly number[])[],
  more: readonly number[] = [],
): Buffer {
  const starts: number[] = [];
  let points = 0;
  for (const part of parts) {
    starts.push(points);
    points += part.length / 2;
  }
  return Buffer.concat([
    littleEndian(type),
    doubles(...computeBox(parts.flat())),
    littleEndian(parts.length, points, ...starts),
    doubles(...parts.flat(), ...more),
  ]);
}

export function multiPointContent(type: number, points: readonly number[], more: readonly number[] = []): Buffer {
  return Buffer.concat([
    littleEndian(type),
    doubles(...computeBox(points)),
    littleEndian(points.length / 2),
    doubles(...points, ...more),
  ]);
}

function tableBytes({ fields, rows, languageDriver = 0 }: TableSpec): Buffer {
  const headerBytes = 32 + fields.length * 32 + 1;
  const recordBytes = 1 + fields.reduce((sum, field) => sum + field.width, 0);
  const header = Buffer.alloc(headerBytes);
  header.set([3, 120, 1, 1], 0);
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt16LE(headerBytes, 8);
  header.writeUInt16LE(recordBytes, 10);
  header.writeUInt8(languageDriver, 29);
  for (const [index, field] of fields.entries()) {
    const at = 32 + index * 32;
    header.write(field.name, at, 11);
    header.write(field.type, at + 11, 1);
    header.writeUInt16LE(field.width + (field.decimals ?? 0) * 256, at + 16);
  }
  header.writeUInt8(0x0d, headerBytes - 1);
  const bodies = rows.map(({ values, deleted }) => {
    const cells = fields.map((field, index) => {
      const cell = Buffer.alloc(field.width, ' ');
      const value = values[index] ?? '';
      cell.set(typeof value === 'string' ? Buffer.from(value) : value);
      return cell;
    });
    return Buffer.concat([Buffer.from(deleted ? '*' : ' '), ...cells]);
  });
  return Buffer.concat([header, ...bodies, Buffer.from([0x1a])]);
}

export function doubles(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, index * 8);
  return bytes;
}

export function littleEndian(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, index * 4);
  return bytes;
}

function bigEndian(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, index * 4);
  return bytes;
}

function withHeader(spec: ShapefileSpec, body: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(HEADER_BYTES), ...body]);
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(bytes.length / 2, 24);
  bytes.writeInt32LE(1000, 28);
  bytes.writeInt32LE(spec.type, 32);
  bytes.set(doubles(...(spec.bounds ?? [0, 0, 1, 1])), 36);
  return bytes;
}

function computeBox(points: readonly number[]): readonly number[] {
  const xs = points.filter((_, index) => index % 2 === 0);
  const ys = points.filter((_, index) => index % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
