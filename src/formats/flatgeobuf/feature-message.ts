/** FlatGeobuf messages: the header and one per feature. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsDefinition } from '../../crs/resolve-crs.ts';
import { type Geometry, geometryTypes } from '../../geometry/geometry.ts';
import type { Attribute, Feature, Value, ValueType } from '../../vector/port/port.ts';
import { formatMoment } from '../writing/format-moment.ts';
import { isGeometry } from '../writing/writable-geometry.ts';
import { type FlatFields, type FlatValue, FlatWriter } from './flat-message.ts';

/** Type numbers of the format. Dates and times are text, and so are decimals: a double would lose digits. */
const columnTypes: Readonly<Record<ValueType, number>> = {
  string: 11,
  boolean: 2,
  short: 3,
  integer: 5,
  long: 7,
  float: 9,
  double: 10,
  decimal: 11,
  date: 13,
  time: 11,
  timestamp: 13,
  bytes: 14,
  uuid: 11,
};

export interface FileHead {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly crs: CrsDefinition | undefined;
  /** Undefined if the types differ. */
  readonly geometryType: Geometry['type'] | undefined;
  readonly hasHeights: boolean;
  readonly hasMeasures: boolean;
  readonly bounds?: Bounds;
  /** Zero if unknown. */
  readonly count: number;
  /** Zero without an index. */
  readonly indexNodeSize: number;
}

const toFlagValue = (value: boolean): FlatValue | undefined => (value ? { kind: 'byte', value: 1 } : undefined);
const toTextValue = (value: string | undefined): FlatValue | undefined =>
  value === undefined ? undefined : { kind: 'text', value };

export function encodeHead(head: FileHead): Buffer {
  const { bounds } = head;
  return new FlatWriter().writeMessage([
    toTextValue(head.name),
    bounds && { kind: 'doubles', value: [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY] },
    { kind: 'byte', value: head.geometryType === undefined ? 0 : geometryTypes.indexOf(head.geometryType) },
    toFlagValue(head.hasHeights),
    toFlagValue(head.hasMeasures),
    undefined,
    undefined,
    { kind: 'tables', value: head.attributes.filter(isValue).map(toColumnFields) },
    { kind: 'long', value: head.count },
    { kind: 'short', value: head.indexNodeSize },
    head.crs && { kind: 'table', value: toCrsFields(head.crs) },
  ]);
}

function isValue(attribute: Attribute): attribute is Extract<Attribute, { kind: 'value' }> {
  return attribute.kind === 'value';
}

function toColumnFields({ name, type }: Extract<Attribute, { kind: 'value' }>): FlatFields {
  return [toTextValue(name), { kind: 'byte', value: columnTypes[type] }];
}

function toCrsFields({ code, name, wkt }: CrsDefinition): FlatFields {
  const [authority, number] = code?.split(':') ?? [];
  return [
    toTextValue(authority),
    number === undefined ? undefined : { kind: 'int', value: Number(number) },
    toTextValue(name),
    undefined,
    toTextValue(wkt === '' ? undefined : wkt),
  ];
}

/** Creates an encoder for features with these attributes. */
export function createFeatureEncoder(
  attributes: readonly Attribute[],
): (feature: Feature, geometry: Geometry | null) => Buffer {
  const columns = attributes.flatMap((attribute, index) =>
    isValue(attribute) ? [{ index, type: attribute.type }] : [],
  );
  const writer = new FlatWriter();
  return ({ values }, geometry) => {
    const properties: Buffer[] = [];
    for (const [number, { index, type }] of columns.entries()) {
      const value = values[index] ?? null;
      if (value !== null && !isGeometry(value)) properties.push(encodeProperty(number, value, type));
    }
    return writer.writeMessage([
      geometry === null ? undefined : { kind: 'table', value: toGeometryFields(geometry) },
      properties.length === 0 ? undefined : { kind: 'bytes', value: Buffer.concat(properties) },
    ]);
  };
}

function encodeProperty(column: number, value: NonNullable<Value>, type: ValueType): Buffer {
  const encodeFixed = (bytes: number, write: (buffer: Buffer) => void): Buffer => {
    const buffer = Buffer.alloc(2 + bytes);
    buffer.writeUInt16LE(column, 0);
    write(buffer);
    return buffer;
  };
  switch (type) {
    case 'boolean':
      return encodeFixed(1, (buffer) => buffer.writeUInt8(value === true ? 1 : 0, 2));
    case 'short':
      return encodeFixed(2, (buffer) => buffer.writeInt16LE(Number(value), 2));
    case 'integer':
      return encodeFixed(4, (buffer) => buffer.writeInt32LE(Number(value), 2));
    case 'long':
      return encodeFixed(8, (buffer) => buffer.writeBigInt64LE(BigInt(value as number | bigint), 2));
    case 'float':
      return encodeFixed(4, (buffer) => buffer.writeFloatLE(Number(value), 2));
    case 'double':
      return encodeFixed(8, (buffer) => buffer.writeDoubleLE(Number(value), 2));
    default: {
      const content = encodeContent(value, type);
      return encodeFixed(4 + content.length, (buffer) => {
        buffer.writeUInt32LE(content.length, 2);
        buffer.set(content, 6);
      });
    }
  }
}

function encodeContent(value: NonNullable<Value>, type: ValueType): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return Buffer.from(value instanceof Date ? formatMoment(value, type) : String(value));
}

function toGeometryFields(geometry: Geometry): FlatFields {
  const { type, dimension, ordinates, ends, members = [] } = geometry;
  const typeField: FlatValue = { kind: 'byte', value: geometryTypes.indexOf(type) };
  if (type === 'GeometryCollection' || type === 'MultiPolygon') {
    const parts = type === 'MultiPolygon' ? splitPolygons(geometry) : members;
    return withType([], typeField, { kind: 'tables', value: parts.map(toGeometryFields) });
  }
  const toAxisValue = (name: 'Z' | 'M'): FlatValue | undefined => {
    const at = dimension.indexOf(name);
    return at < 0 ? undefined : { kind: 'doubles', value: selectOrdinates(ordinates, dimension.length, [at]) };
  };
  const positions = dimension === 'XY' ? ordinates : selectOrdinates(ordinates, dimension.length, [0, 1]);
  // One ring needs no ends, but GDAL requires those of one line.
  const hasEnds = ends.length > 1 || type === 'MultiLineString';
  const fields: FlatFields = [
    hasEnds ? { kind: 'integers', value: ends } : undefined,
    { kind: 'doubles', value: positions },
    toAxisValue('Z'),
    toAxisValue('M'),
  ];
  return withType(fields, typeField, undefined);
}

function withType(fields: FlatFields, type: FlatValue, parts: FlatValue | undefined): FlatFields {
  const all = Array.from({ length: 6 }, (_, index) => fields[index]);
  return [...all, type, parts];
}

function splitPolygons({ dimension, ordinates, ends, parts }: Geometry): readonly Geometry[] {
  const size = dimension.length;
  return parts.map((part, index) => {
    const from = parts[index - 1] ?? 0;
    const start = ends[from - 1] ?? 0;
    const end = ends[part - 1] ?? start;
    return {
      type: 'Polygon',
      dimension,
      ordinates: ordinates.subarray(start * size, end * size),
      ends: ends.slice(from, part).map((each) => each - start),
      parts: [],
    };
  });
}

function selectOrdinates(ordinates: Float64Array, size: number, axes: readonly number[]): Float64Array {
  const count = ordinates.length / size;
  const taken = new Float64Array(count * axes.length);
  for (let position = 0; position < count; position += 1) {
    for (const [place, axis] of axes.entries())
      taken[position * axes.length + place] = ordinates[position * size + axis] ?? 0;
  }
  return taken;
}
