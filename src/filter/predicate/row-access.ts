/** How a predicate gets at the rows it decides on. */
import type { Geometry } from '../../geometry/geometry.ts';

/** Moments come as dates, as milliseconds or as ISO 8601; decimals and numbers that are too long for memory as text. */
export type RowValue = string | number | bigint | boolean | Date | Uint8Array | Geometry | null | undefined;

/** How the values of a row are got at. */
export interface RowAccess<Row> {
  value(row: Row, attribute: string): RowValue;
  identifier(row: Row): string | undefined;
}

export type Predicate<Row> = (row: Row) => boolean;
