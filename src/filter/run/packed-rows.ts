/** The row values that a filter uses, packed for transfer to another thread: geometries as a few long arrays. */
import { type Dimension, type Geometry, geometryTypes } from '../../geometry/geometry.ts';
import type { RowAccess, RowValue } from '../predicate/predicate.ts';

export interface PackedRows {
  readonly count: number;
  readonly columns: readonly PackedColumn[];
  readonly identifiers: readonly (string | undefined)[] | undefined;
}

type PackedColumn =
  | { readonly kind: 'values'; readonly values: readonly RowValue[] }
  | {
      readonly kind: 'geometries';
      readonly ordinates: Float64Array;
      /**
       * One geometry after the other, a collection before its members: its type, dimension, counts of ordinates,
       * ends, parts and members, then its ends and parts. A single 0 for a row without a geometry.
       */
      readonly heads: Uint32Array;
    };

/** The names that the evaluating thread needs. */
export interface PackedNames {
  readonly values: readonly string[];
  readonly geometries: readonly string[];
  readonly hasIdentifiers: boolean;
}

const dimensions: readonly Dimension[] = ['XY', 'XYZ', 'XYM', 'XYZM'];

export function packRows<Row>(rows: readonly Row[], names: PackedNames, access: RowAccess<Row>): PackedRows {
  return {
    count: rows.length,
    columns: [
      ...names.values.map((name): PackedColumn => {
        return { kind: 'values', values: rows.map((row) => toPlainValue(access.value(row, name))) };
      }),
      ...names.geometries.map((name) => packGeometries(rows.map((row) => access.value(row, name)))),
    ],
    identifiers: names.hasIdentifiers ? rows.map((row) => access.identifier(row)) : undefined,
  };
}

const noBytes = new Uint8Array();

/** Filters test bytes only for null. A geometry in place of another value counts as null. */
function toPlainValue(value: RowValue): RowValue {
  return isGeometry(value) ? null : value instanceof Uint8Array ? noBytes : value;
}

function isGeometry(value: RowValue): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}

function packGeometries(values: readonly RowValue[]): PackedColumn {
  const heads: number[] = [];
  const parts: Float64Array[] = [];
  let length = 0;
  const add = (geometry: Geometry): void => {
    const { type, dimension, ordinates, ends, parts: polygons, members = [] } = geometry;
    const kind = geometryTypes.indexOf(type);
    heads.push(kind, dimensions.indexOf(dimension), ordinates.length, ends.length, polygons.length, members.length);
    for (const end of ends) heads.push(end);
    for (const end of polygons) heads.push(end);
    parts.push(ordinates);
    length += ordinates.length;
    for (const member of members) add(member);
  };
  for (const value of values) {
    if (isGeometry(value)) add(value);
    else heads.push(0);
  }
  const ordinates = new Float64Array(length);
  let at = 0;
  for (const part of parts) {
    ordinates.set(part, at);
    at += part.length;
  }
  return { kind: 'geometries', ordinates, heads: Uint32Array.from(heads) };
}

/** Returns the buffers to transfer instead of copying. */
export function listBuffers({ columns }: PackedRows): readonly ArrayBuffer[] {
  return columns.flatMap((column) =>
    column.kind === 'geometries' ? [column.ordinates.buffer as ArrayBuffer, column.heads.buffer as ArrayBuffer] : [],
  );
}

/** Rows are addressed by their index. */
export function createPackedAccess(names: PackedNames, rows: () => PackedRows): RowAccess<number> {
  const places = new Map([...names.values, ...names.geometries].map((name, place) => [name, place]));
  const unpacked = new WeakMap<PackedColumn, readonly (Geometry | null)[]>();
  const getGeometries = (column: Extract<PackedColumn, { kind: 'geometries' }>): readonly (Geometry | null)[] => {
    const known = unpacked.get(column) ?? unpackGeometries(column);
    unpacked.set(column, known);
    return known;
  };
  return {
    value(row, name) {
      const column = rows().columns[places.get(name) ?? -1];
      if (column === undefined) return undefined;
      return column.kind === 'values' ? column.values[row] : getGeometries(column)[row];
    },
    identifier: (row) => rows().identifiers?.[row],
  };
}

function unpackGeometries({
  ordinates,
  heads,
}: Extract<PackedColumn, { kind: 'geometries' }>): readonly (Geometry | null)[] {
  const found: (Geometry | null)[] = [];
  let head = 0;
  let at = 0;
  const readNext = (): number => {
    head += 1;
    return heads[head - 1] ?? 0;
  };
  const readList = (length: number): readonly number[] => Array.from({ length }, readNext);
  const read = (): Geometry | null => {
    const type = geometryTypes[readNext()];
    if (type === undefined || type === 'Geometry') return null;
    const dimension = dimensions[readNext()] ?? 'XY';
    const [length, ends, parts, members] = [readNext(), readNext(), readNext(), readNext()];
    const geometry = {
      type,
      dimension,
      ordinates: ordinates.subarray(at, at + length),
      ends: readList(ends),
      parts: readList(parts),
    };
    at += length;
    if (type !== 'GeometryCollection') return geometry;
    return { ...geometry, members: Array.from({ length: members }, read).filter((member) => member !== null) };
  };
  while (head < heads.length) found.push(read());
  return found;
}
