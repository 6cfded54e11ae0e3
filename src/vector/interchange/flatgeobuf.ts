/** Reads FlatGeobuf version 3: a header with columns, an optional index, and features. */

import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { checkRange, FlatTable } from './flat-table.ts';
import { MalformedFileError, type RawFeature, type RawTable, type RawValue, tabulateFeatures } from './raw-features.ts';

const MAGIC = Buffer.from([0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62]);

/** The field numbers of the format. */
const header = { geometryType: 2, columns: 7, featureCount: 8, indexNodeSize: 9, crs: 10 } as const;
const column = { name: 0, type: 1 } as const;
const crsFields = { authority: 0, code: 1, wkt: 4, text: 5 } as const;
const feature = { geometry: 0, properties: 1, columns: 2 } as const;
const shape = { ends: 0, xy: 1, z: 2, type: 6, parts: 7 } as const;

const USUAL_NODE_SIZE = 16;
const INDEX_NODE_BYTES = 40;
/** The nesting limit of geometry collections. */
const MAX_DEPTH = 16;

interface Column {
  readonly name: string;
  readonly type: number;
}

export async function readFlatGeobuf(bytes: Buffer): Promise<RawTable> {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new MalformedFileError('it does not begin with the signature of FlatGeobuf version 3');
  let at = 8;
  const readNextPart = (): Buffer => {
    const size = checkRange(bytes, at, 4).readUInt32LE(at);
    const part = checkRange(bytes, at + 4, size).subarray(at + 4, at + 4 + size);
    at += 4 + size;
    return part;
  };
  const head = FlatTable.readRoot(readNextPart());
  const columns = readColumns(head.readTables(header.columns));
  const count = head.readLong(header.featureCount);
  at += computeIndexBytes(count, head.readShort(header.indexNodeSize, USUAL_NODE_SIZE), bytes.length);
  const geometryType = head.readByte(header.geometryType);
  const features: RawFeature[] = [];
  while (at < bytes.length && (count === 0n || BigInt(features.length) < count)) {
    features.push(readFeature(FlatTable.readRoot(readNextPart()), columns, geometryType));
  }
  if (count > 0n && BigInt(features.length) < count)
    throw new MalformedFileError(`it ends after ${features.length} of ${count} features`, bytes.length);
  const crs = await readCrs(head.readTable(header.crs));
  return tabulateFeatures(features, { columns: columns.map(({ name }) => name), crs });
}

function readColumns(tables: readonly FlatTable[]): readonly Column[] {
  return tables.map((table) => ({ name: table.readText(column.name) ?? '', type: table.readByte(column.type) }));
}

/** The size of the index, which a full read skips. */
function computeIndexBytes(count: bigint, nodeSize: number, fileBytes: number): number {
  if (nodeSize === 0 || count === 0n) return 0;
  if (nodeSize < 2 || count > BigInt(fileBytes)) throw new MalformedFileError('the header is invalid', 8);
  let level = Number(count);
  let nodes = level;
  do {
    level = Math.ceil(level / nodeSize);
    nodes += level;
  } while (level !== 1);
  return nodes * INDEX_NODE_BYTES;
}

async function readCrs(table: FlatTable | undefined): Promise<CrsReference> {
  if (table === undefined) return {};
  const number = table.readInteger(crsFields.code);
  const wkt = table.readText(crsFields.wkt);
  const text = table.readText(crsFields.text) ?? (number > 0 ? String(number) : undefined);
  const code =
    text === undefined ? undefined : (await findCrs(`${table.readText(crsFields.authority) ?? 'EPSG'}:${text}`))?.code;
  return { ...(code === undefined ? {} : { code }), ...(code !== undefined || wkt === undefined ? {} : { wkt }) };
}

function readFeature(table: FlatTable, columns: readonly Column[], geometryType: number): RawFeature {
  const own = table.readTables(feature.columns);
  const written = table.readTable(feature.geometry);
  return {
    geometry: written === undefined ? null : readGeometry(written, geometryType, 0),
    values: readValues(table.readBytes(feature.properties), own.length > 0 ? readColumns(own) : columns),
  };
}

function readValues(bytes: Buffer | undefined, columns: readonly Column[]): ReadonlyMap<string, RawValue> {
  const values = new Map<string, RawValue>();
  for (let at = 0; bytes !== undefined && at < bytes.length; ) {
    const index = checkRange(bytes, at, 2).readUInt16LE(at);
    const found = columns[index];
    if (found === undefined)
      throw new MalformedFileError(`a feature has a value for column ${index}, which does not exist`);
    const { value, size } = readValue(bytes, at + 2, found.type);
    values.set(found.name, value);
    at += 2 + size;
  }
  return values;
}

function readValue(bytes: Buffer, at: number, type: number): { readonly value: RawValue; readonly size: number } {
  const readFixed = <T extends RawValue>(size: number, read: (buffer: Buffer) => T) => ({
    value: read(checkRange(bytes, at, size)),
    size,
  });
  switch (type) {
    case 0:
      return readFixed(1, (buffer) => buffer.readInt8(at));
    case 1:
      return readFixed(1, (buffer) => buffer.readUInt8(at));
    case 2:
      return readFixed(1, (buffer) => buffer.readUInt8(at) !== 0);
    case 3:
      return readFixed(2, (buffer) => buffer.readInt16LE(at));
    case 4:
      return readFixed(2, (buffer) => buffer.readUInt16LE(at));
    case 5:
      return readFixed(4, (buffer) => buffer.readInt32LE(at));
    case 6:
      return readFixed(4, (buffer) => buffer.readUInt32LE(at));
    case 7:
      return readFixed(8, (buffer) => toWholeNumber(buffer.readBigInt64LE(at)));
    case 8:
      return readFixed(8, (buffer) => toWholeNumber(buffer.readBigUInt64LE(at)));
    case 9:
      return readFixed(4, (buffer) => buffer.readFloatLE(at));
    case 10:
      return readFixed(8, (buffer) => buffer.readDoubleLE(at));
    case 11:
    case 12:
    case 13:
    case 14: {
      const length = checkRange(bytes, at, 4).readUInt32LE(at);
      const part = checkRange(bytes, at + 4, length).subarray(at + 4, at + 4 + length);
      return { value: part.toString(type === 14 ? 'base64' : 'utf8'), size: 4 + length };
    }
    default:
      throw new MalformedFileError(`a column has the unknown type ${type}`);
  }
}

/** Integers that exceed a double are kept as text. */
function toWholeNumber(value: bigint): RawValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

const types: Readonly<Record<number, Geometry['type']>> = {
  1: 'Point',
  2: 'LineString',
  3: 'Polygon',
  4: 'MultiPoint',
  5: 'MultiLineString',
  6: 'MultiPolygon',
  7: 'GeometryCollection',
};

/** Returns null for an empty geometry. */
function readGeometry(table: FlatTable, around: number, depth: number): Geometry | null {
  const type = types[around === 0 || depth > 0 ? table.readByte(shape.type, around) : around];
  if (type === undefined || depth > MAX_DEPTH)
    throw new MalformedFileError('a feature has an unsupported geometry type');
  const parts = table.readTables(shape.parts);
  if (type === 'GeometryCollection') {
    const members = parts.flatMap((part) => readGeometry(part, 0, depth + 1) ?? []);
    const dimension: Dimension =
      members.length > 0 && members.every((member) => member.dimension === 'XYZ') ? 'XYZ' : 'XY';
    return members.length === 0
      ? null
      : { type, dimension, ordinates: new Float64Array(), ends: [], parts: [], members };
  }
  if (type === 'MultiPolygon') return mergePolygons(parts, depth);
  const { ordinates, count, dimension } = readPositions(table);
  if (count === 0 || (type === 'Point' && ordinates.every(Number.isNaN))) return null;
  if (!ordinates.every(Number.isFinite))
    throw new MalformedFileError('a geometry has coordinates that are not numbers');
  const ends = table.readIntegers(shape.ends);
  const isLined = type === 'LineString' || type === 'Polygon' || type === 'MultiLineString';
  if (ends.some((end, index) => end > count || end < (ends[index - 1] ?? 0)))
    throw new MalformedFileError('a part of a geometry ends beyond its positions');
  return { type, dimension, ordinates, ends: isLined ? (ends.length === 0 ? [count] : ends) : [], parts: [] };
}

function mergePolygons(parts: readonly FlatTable[], depth: number): Geometry | null {
  const polygons = parts.flatMap((part) => readGeometry(part, 3, depth === 0 ? 0 : depth + 1) ?? []);
  const [first] = polygons;
  if (first === undefined) return null;
  if (polygons.some(({ type, dimension }) => type !== 'Polygon' || dimension !== first.dimension))
    throw new MalformedFileError('a geometry has parts of different types');
  const ends: number[] = [];
  const counts: number[] = [];
  let positions = 0;
  for (const polygon of polygons) {
    for (const end of polygon.ends) ends.push(end + positions);
    positions += polygon.ends.at(-1) ?? 0;
    counts.push(ends.length);
  }
  const ordinates = Float64Array.from(polygons.flatMap((polygon) => [...polygon.ordinates]));
  return { type: 'MultiPolygon', dimension: first.dimension, ordinates, ends, parts: counts };
}

function readPositions(table: FlatTable): {
  readonly ordinates: Float64Array;
  readonly count: number;
  readonly dimension: Dimension;
} {
  const flat = table.readDoubles(shape.xy);
  const heights = table.readDoubles(shape.z);
  const count = Math.floor(flat.length / 2);
  if (heights.length === 0) return { ordinates: Float64Array.from(flat), count, dimension: 'XY' };
  if (heights.length !== count) throw new MalformedFileError('a geometry has more positions than heights');
  const ordinates = Float64Array.from(
    { length: count * 3 },
    (_, index) => (index % 3 === 2 ? heights[(index - 2) / 3] : flat[Math.floor(index / 3) * 2 + (index % 3)]) ?? 0,
  );
  return { ordinates, count, dimension: 'XYZ' };
}
