/** Access to the rows that a predicate tests. */
import type { Geometry } from '../../geometry/geometry.ts';

/** Moments are dates, milliseconds or ISO 8601 text; decimals and numbers that exceed a double are text. */
export type RowValue = string | number | bigint | boolean | Date | Uint8Array | Geometry | null | undefined;

/** Reads the values of a row. */
export interface RowAccess<Row> {
  value(row: Row, attribute: string): RowValue;
  identifier(row: Row): string | undefined;
}

export type Predicate<Row> = (row: Row) => boolean;

/** Returns undefined if the result is unknown, because a value is null. */
export type Decision<Row> = (row: Row) => boolean | undefined;
