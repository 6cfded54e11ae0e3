/** Writes a deterministic shapefile of many polygons with typical attributes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const HEADER_BYTES = 100;
const VERTICES = 20;

/** A column of the table of a shapefile. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  readonly decimals: number;
  readonly value: (index: number) => string;
}

const fields: readonly Field[] = [
  { name: 'id', type: 'N', width: 9, decimals: 0, value: (index) => String(index) },
  { name: 'name', type: 'C', width: 40, decimals: 0, value: (index) => `Parcel number ${index}` },
  {
    name: 'class',
    type: 'C',
    width: 12,
    decimals: 0,
    value: (index) => ['meadow', 'forest', 'field'][index % 3] ?? '',
  },
  { name: 'area', type: 'N', width: 24, decimals: 15, value: (index) => (index * 1.618_033_988).toFixed(15) },
  { name: 'people', type: 'N', width: 18, decimals: 0, value: (index) => String(index * 7_919) },
  {
    name: 'seen',
    type: 'D',
    width: 8,
    decimals: 0,
    value: (index) => `2020${String((index % 12) + 1).padStart(2, '0')}15`,
  },
];

export const PRJ =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** Returns the path of the .shp file. */
export async function writePolygonShapefile(directory: string, name: string, count: number): Promise<string> {
  const contentBytes = 44 + 4 + (VERTICES + 1) * 16;
  const shp = Buffer.alloc(HEADER_BYTES + count * (8 + contentBytes));
  const shx = Buffer.alloc(HEADER_BYTES + count * 8);
  const columns = Math.ceil(Math.sqrt(count));
  const cell = 160 / columns;
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + index * (8 + contentBytes);
    shx.writeInt32BE(at / 2, HEADER_BYTES + index * 8);
    shx.writeInt32BE(contentBytes / 2, HEADER_BYTES + index * 8 + 4);
    shp.writeInt32BE(index + 1, at);
    shp.writeInt32BE(contentBytes / 2, at + 4);
    const x = -80 + (index % columns) * cell + cell / 2;
    const y = -80 + Math.floor(index / columns) * cell + cell / 2;
    writePolygon(shp, at + 8, x, y, cell * 0.45);
  }
  for (const file of [shp, shx]) writeHeader(file, 5, [-80, -80, 80, 80]);
  const path = (extension: string): string => join(directory, `${name}.${extension}`);
  await Promise.all([
    writeFile(path('shp'), shp),
    writeFile(path('shx'), shx),
    writeFile(path('dbf'), createTable(fields, count)),
    writeFile(path('prj'), PRJ),
  ]);
  return path('shp');
}

function writePolygon(bytes: Buffer, at: number, x: number, y: number, radius: number): void {
  bytes.writeInt32LE(5, at);
  for (const [index, value] of [x - radius, y - radius, x + radius, y + radius].entries()) {
    bytes.writeDoubleLE(value, at + 4 + index * 8);
  }
  bytes.writeInt32LE(1, at + 36);
  bytes.writeInt32LE(VERTICES + 1, at + 40);
  bytes.writeInt32LE(0, at + 44);
  for (let vertex = 0; vertex <= VERTICES; vertex += 1) {
    const angle = (-2 * Math.PI * (vertex % VERTICES)) / VERTICES;
    bytes.writeDoubleLE(x + radius * Math.cos(angle), at + 48 + vertex * 16);
    bytes.writeDoubleLE(y + radius * Math.sin(angle), at + 56 + vertex * 16);
  }
}

export function writeHeader(bytes: Buffer, type: number, bounds: readonly number[]): void {
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(bytes.length / 2, 24);
  bytes.writeInt32LE(1000, 28);
  bytes.writeInt32LE(type, 32);
  for (const [index, value] of bounds.entries()) bytes.writeDoubleLE(value, 36 + index * 8);
}

export function createTable(fields: readonly Field[], count: number): Buffer {
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
