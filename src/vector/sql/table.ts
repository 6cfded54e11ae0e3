/** A table as the shared parts of SQL drivers see it: each column brings its own SQL. */
import type { SqlColumn, SqlParameter } from '../../filter/sql/sql.ts';
import type { Geometry, GeometryType } from '../../geometry/geometry.ts';
import type { Value, ValueType } from '../port/port.ts';
import type { RawValue } from './session.ts';

export interface TableColumn {
  readonly name: string;
  readonly isRequired: boolean;
  /** Its position in the primary key, starting at 1; undefined if it is not part of it. */
  readonly keyPosition?: number;
  /** Set if the database computes the value. */
  readonly isGenerated?: true;
  readonly content: ValueContent | GeometryContent;
  /** The column in conditions. */
  readonly filtered: SqlColumn;
  /** The expression that returns the value. */
  readonly selected: string;
  readonly readValue: (raw: NonNullable<RawValue>) => Value | Geometry;
  readonly order: ColumnOrder;
  /** For columns of the key: an order that is unique for rows and uses the index of the key. */
  readonly keyOrder: ColumnOrder;
  /** Whether conditions can compare a part of an identifier with it. */
  readonly isIdentifying: boolean;
  /** Writes the expression that stores a bound value. */
  readonly writeAssigned: (srid: number) => string;
}

interface ValueContent {
  readonly kind: 'value';
  readonly type: ValueType;
  readonly maxLength?: number;
}

export interface GeometryContent {
  readonly kind: 'geometry';
  readonly type: GeometryType;
  /** The number of the reference system in the database; undefined if the column declares none. */
  readonly srid: number | undefined;
}

/** How rows are sorted by a column, in the order of its values: nulls first, texts by code points. */
export interface ColumnOrder {
  readonly sql: string;
  /** The form of a value in page keys; null for a value that counts as null. */
  readonly formatKey: (raw: NonNullable<RawValue>) => string | null;
  /** The expression with a placeholder that compares with such a form; undefined if the text is not one. */
  readonly bindKey: (text: string) => { readonly sql: string; readonly value: SqlParameter } | undefined;
}

export interface Table {
  readonly name: string;
  /** The SQL after FROM. */
  readonly relation: string;
  readonly columns: readonly TableColumn[];
  /** The row count in the statistics of the database; undefined without them. */
  readonly estimatedRows?: number;
  /** Why the rows cannot be changed; undefined if they can. */
  readonly objection?: string;
}

/** Returns the key columns in key order. */
export function listKeyColumns(table: Table): readonly TableColumn[] {
  return table.columns
    .filter((column) => column.keyPosition !== undefined)
    .sort((a, b) => (a.keyPosition ?? 0) - (b.keyPosition ?? 0));
}

/** The key identifies features and is not an attribute, unless the store exposes it. */
export function listVisibleColumns(table: Table, exposesPrimaryKeys: boolean): readonly TableColumn[] {
  return exposesPrimaryKeys ? table.columns : table.columns.filter((column) => column.keyPosition === undefined);
}

export function isGeometryColumn(column: TableColumn): column is TableColumn & { readonly content: GeometryContent } {
  return column.content.kind === 'geometry';
}
