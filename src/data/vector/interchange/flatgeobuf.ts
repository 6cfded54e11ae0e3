/** Reads FlatGeobuf, version 3: a header with the columns, perhaps an index, and features one after the other. */

import type { CrsReference } from '../../crs/crs-reference.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import type { Dimension, Geometry } from '../geometry.ts';
import { FlatTable, within } from './flat-table.ts';
import { FileMistake, type RawFeature, type RawTable, type RawValue } from './raw-features.ts';

const MAGIC = Buffer.from([0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62]);

/** What each field is called stands in the order of the format. */
const header = { geometryType: 2, columns: 7, featureCount: 8, indexNodeSize: 9, crs: 10 } as const;
const column = { name: 0, type: 1 } as const;
const crsFields = { authority: 0, code: 1, wkt: 4, text: 5 } as const;
const feature = { geometry: 0, properties: 1, columns: 2 } as const;
const shape = { ends: 0, xy: 1, z: 2, type: 6, parts: 7 } as const;

const USUAL_NODE_SIZE = 16;
const INDEX_NODE_BYTES = 40;
/** Collections in collections go no deeper. */
const MAX_DEPTH = 16;

interface Column {
  readonly name: string;
  readonly type: number;
}

export async function readFlatGeobuf(bytes: Buffer): Promise<RawTable> {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw new FileMistake('it does not begin as a FlatGeobuf of version 3 does');
  let at = 8;
  const next = (): Buffer => {
    const size = within(bytes, at, 4).readUInt32LE(at);
    const part = within(bytes, at + 4, size).subarray(at + 4, at + 4 + size);
    at += 4 + size;
    return part;
  };
  const head = FlatTable.rootOf(next());
  const columns = columnsOf(head.tables(header.columns));
  const count = head.long(header.featureCount);
  at += indexBytes(count, head.short(header.indexNodeSize, USUAL_NODE_SIZE), bytes.length);
  const geometryType = head.byte(header.geometryType);
  const features: RawFeature[] = [];
  while (at < bytes.length && (count === 0n || BigInt(features.length) < count)) {
    features.push(featureOf(FlatTable.rootOf(next()), columns, geometryType));
  }
  if (count > 0n && BigInt(features.length) < count)
    throw new FileMistake(`it ends after ${features.length} of ${count} features`, bytes.length);
  return { features, columns: columns.map(({ name }) => name), crs: await crsOf(head.table(header.crs)) };
}

function columnsOf(tables: readonly FlatTable[]): readonly Column[] {
  return tables.map((table) => ({ name: table.text(column.name) ?? '', type: table.byte(column.type) }));
}

/** The tree over the features, which nobody needs who reads them all. */
function indexBytes(count: bigint, nodeSize: number, fileBytes: number): number {
  if (nodeSize === 0 || count === 0n) return 0;
  if (nodeSize < 2 || count > BigInt(fileBytes)) throw new FileMistake('its header says what cannot be', 8);
  let level = Number(count);
  let nodes = level;
  do {
    level = Math.ceil(level / nodeSize);
    nodes += level;
  } while (level !== 1);
  return nodes * INDEX_NODE_BYTES;
}

async function crsOf(table: FlatTable | undefined): Promise<CrsReference> {
  if (table === undefined) return {};
  const number = table.integer(crsFields.code);
  const wkt = table.text(crsFields.wkt);
  const text = table.text(crsFields.text) ?? (number > 0 ? String(number) : undefined);
  const code =
    text === undefined ? undefined : (await findCrs(`${table.text(crsFields.authority) ?? 'EPSG'}:${text}`))?.code;
  return { ...(code === undefined ? {} : { code }), ...(code !== undefined || wkt === undefined ? {} : { wkt }) };
}

function featureOf(table: FlatTable, columns: readonly Column[], geometryType: number): RawFeature {
  const own = table.tables(feature.columns);
  const written = table.table(feature.geometry);
  return {
    geometry: written === undefined ? null : geometryOf(written, geometryType, 0),
    values: valuesIn(table.bytes(feature.properties), own.length > 0 ? columnsOf(own) : columns),
  };
}

function valuesIn(bytes: Buffer | undefined, columns: readonly Column[]): ReadonlyMap<string, RawValue> {
  const values = new Map<string, RawValue>();
  for (let at = 0; bytes !== undefined && at < bytes.length; ) {
    const index = within(bytes, at, 2).readUInt16LE(at);
    const found = columns[index];
    if (found === undefined) throw new FileMistake(`a feature has a value for column ${index}, which there is not`);
    const { value, size } = valueAt(bytes, at + 2, found.type);
    values.set(found.name, value);
    at += 2 + size;
  }
  return values;
}

function valueAt(bytes: Buffer, at: number, type: number): { readonly value: RawValue; readonly size: number } {
  const fixed = <T extends RawValue>(size: number, read: (buffer: Buffer) => T) => ({
    value: read(within(bytes, at, size)),
    size,
  });
  switch (type) {
    case 0:
      return fixed(1, (buffer) => buffer.readInt8(at));
    case 1:
      return fixed(1, (buffer) => buffer.readUInt8(at));
    case 2:
      return fixed(1, (buffer) => buffer.readUInt8(at) !== 0);
    case 3:
      return fixed(2, (buffer) => buffer.readInt16LE(at));
    case 4:
      return fixed(2, (buffer) => buffer.readUInt16LE(at));
    case 5:
      return fixed(4, (buffer) => buffer.readInt32LE(at));
    case 6:
      return fixed(4, (buffer) => buffer.readUInt32LE(at));
    case 7:
      return fixed(8, (buffer) => whole(buffer.readBigInt64LE(at)));
    case 8:
      return fixed(8, (buffer) => whole(buffer.readBigUInt64LE(at)));
    case 9:
      return fixed(4, (buffer) => buffer.readFloatLE(at));
    case 10:
      return fixed(8, (buffer) => buffer.readDoubleLE(at));
    case 11:
    case 12:
    case 13:
    case 14: {
      const length = within(bytes, at, 4).readUInt32LE(at);
      const part = within(bytes, at + 4, length).subarray(at + 4, at + 4 + length);
      return { value: part.toString(type === 14 ? 'base64' : 'utf8'), size: 4 + length };
    }
    default:
      throw new FileMistake(`a column has the type ${type}, which there is not`);
  }
}

/** What is too great for a number is kept as it is written. */
function whole(value: bigint): RawValue {
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

/** Null for an empty one. */
function geometryOf(table: FlatTable, around: number, depth: number): Geometry | null {
  const type = types[around === 0 || depth > 0 ? table.byte(shape.type, around) : around];
  if (type === undefined || depth > MAX_DEPTH)
    throw new FileMistake('a feature has a geometry of a kind that is not supported');
  const parts = table.tables(shape.parts);
  if (type === 'GeometryCollection') {
    const members = parts.flatMap((part) => geometryOf(part, 0, depth + 1) ?? []);
    const dimension: Dimension =
      members.length > 0 && members.every((member) => member.dimension === 'XYZ') ? 'XYZ' : 'XY';
    return members.length === 0
      ? null
      : { type, dimension, ordinates: new Float64Array(), ends: [], parts: [], members };
  }
  if (type === 'MultiPolygon') return manyPolygons(parts, depth);
  const { ordinates, count, dimension } = positionsOf(table);
  if (count === 0 || (type === 'Point' && ordinates.every(Number.isNaN))) return null;
  if (!ordinates.every(Number.isFinite)) throw new FileMistake('a geometry has coordinates that are no numbers');
  const ends = table.integers(shape.ends);
  const isLined = type === 'LineString' || type === 'Polygon' || type === 'MultiLineString';
  if (ends.some((end, index) => end > count || end < (ends[index - 1] ?? 0)))
    throw new FileMistake('a geometry has ends beyond its positions');
  return { type, dimension, ordinates, ends: isLined ? (ends.length === 0 ? [count] : ends) : [], parts: [] };
}

function manyPolygons(parts: readonly FlatTable[], depth: number): Geometry | null {
  const polygons = parts.flatMap((part) => geometryOf(part, 3, depth === 0 ? 0 : depth + 1) ?? []);
  const [first] = polygons;
  if (first === undefined) return null;
  if (polygons.some(({ type, dimension }) => type !== 'Polygon' || dimension !== first.dimension))
    throw new FileMistake('a geometry has parts of different kinds');
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

function positionsOf(table: FlatTable): {
  readonly ordinates: Float64Array;
  readonly count: number;
  readonly dimension: Dimension;
} {
  const flat = table.doubles(shape.xy);
  const heights = table.doubles(shape.z);
  const count = Math.floor(flat.length / 2);
  if (heights.length === 0) return { ordinates: Float64Array.from(flat), count, dimension: 'XY' };
  if (heights.length !== count) throw new FileMistake('a geometry has more positions than heights');
  const ordinates = Float64Array.from(
    { length: count * 3 },
    (_, index) => (index % 3 === 2 ? heights[(index - 2) / 3] : flat[Math.floor(index / 3) * 2 + (index % 3)]) ?? 0,
  );
  return { ordinates, count, dimension: 'XYZ' };
}
