/** Writes shapefiles whose records all have the same size, in degrees. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const HEADER_BYTES = 100;
const RECORD_HEADER_BYTES = 8;

/** The box, the numbers of parts and positions, and the start of the only part. */
const LINE_HEAD_BYTES = 48;

/** A column of the table of a shapefile. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  readonly decimals: number;
  readonly value: (index: number) => string;
}

export type Position = readonly [x: number, y: number];

export interface Shapefile {
  readonly name: string;
  readonly count: number;
  readonly kind: 'points' | 'lines' | 'polygons';
  /** West, south, east and north. */
  readonly bounds: readonly [number, number, number, number];
  readonly fields: readonly Field[];
  /** The number of positions of each shape. */
  readonly positions: number;
  /** Called once for each shape, in order. */
  readonly createShape: (index: number) => readonly Position[];
}

const shapeTypes = { points: 1, lines: 3, polygons: 5 } as const;

const PRJ =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** Creates the folder, and returns the path of the .shp file. */
export async function writeShapefile(folder: string, shapefile: Shapefile): Promise<string> {
  const { name, count, kind, bounds, fields, positions, createShape } = shapefile;
  const contentBytes = kind === 'points' ? 20 : LINE_HEAD_BYTES + positions * 16;
  const shp = Buffer.alloc(HEADER_BYTES + count * (RECORD_HEADER_BYTES + contentBytes));
  const shx = Buffer.alloc(HEADER_BYTES + count * 8);
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + index * (RECORD_HEADER_BYTES + contentBytes);
    shx.writeInt32BE(at / 2, HEADER_BYTES + index * 8);
    shx.writeInt32BE(contentBytes / 2, HEADER_BYTES + index * 8 + 4);
    shp.writeInt32BE(index + 1, at);
    shp.writeInt32BE(contentBytes / 2, at + 4);
    writeShape(shp, at + RECORD_HEADER_BYTES, kind, createShape(index));
  }
  for (const file of [shp, shx]) writeHeader(file, shapeTypes[kind], bounds);
  const path = (extension: string): string => join(folder, `${name}.${extension}`);
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(path('shp'), shp),
    writeFile(path('shx'), shx),
    writeFile(path('dbf'), createTable(fields, count)),
    writeFile(path('prj'), PRJ),
  ]);
  return path('shp');
}

function writeShape(bytes: Buffer, at: number, kind: Shapefile['kind'], positions: readonly Position[]): void {
  bytes.writeInt32LE(shapeTypes[kind], at);
  if (kind !== 'points') {
    const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)];
    for (const [index, value] of [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].entries())
      bytes.writeDoubleLE(value, at + 4 + index * 8);
    bytes.writeInt32LE(1, at + 36);
    bytes.writeInt32LE(positions.length, at + 40);
  }
  const start = at + (kind === 'points' ? 4 : LINE_HEAD_BYTES);
  for (const [index, [x, y]] of positions.entries()) {
    bytes.writeDoubleLE(x, start + index * 16);
    bytes.writeDoubleLE(y, start + index * 16 + 8);
  }
}

function writeHeader(bytes: Buffer, type: number, bounds: readonly number[]): void {
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(bytes.length / 2, 24);
  bytes.writeInt32LE(1000, 28);
  bytes.writeInt32LE(type, 32);
  for (const [index, value] of bounds.entries()) bytes.writeDoubleLE(value, 36 + index * 8);
}

function createTable(fields: readonly Field[], count: number): Buffer {
  const headerBytes = 32 + fields.length * 32 + 1;
  const recordBytes = 1 + fields.reduce((sum, field) => sum + field.width, 0);
  const bytes = Buffer.alloc(headerBytes + count * recordBytes + 1, ' ');
  bytes.fill(0, 0, headerBytes);
  bytes.writeUInt8(3, 0);
  bytes.set([120, 1, 1], 1);
  bytes.writeUInt32LE(count, 4);
  bytes.writeUInt16LE(headerBytes, 8);
  bytes.writeUInt16LE(recordBytes, 10);
  for (const [index, field] of fields.entries()) {
    const at = 32 + index * 32;
    bytes.write(field.name, at, 'latin1');
    bytes.write(field.type, at + 11, 'latin1');
    bytes.set([field.width, field.decimals], at + 16);
  }
  bytes.writeUInt8(0x0d, headerBytes - 1);
  for (let index = 0; index < count; index += 1) {
    let at = headerBytes + index * recordBytes + 1;
    for (const { type, width, value } of fields) {
      const text = value(index).slice(0, width);
      bytes.write(type === 'N' ? text.padStart(width) : text, at, 'latin1');
      at += width;
    }
  }
  bytes.writeUInt8(0x1a, bytes.length - 1);
  return bytes;
}
