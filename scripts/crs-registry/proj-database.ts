/**
 * Reads the database of the PROJ library, which contains the EPSG dataset and the Esri list as tables. It comes from
 * the package `proj-wasm`, which is used for nothing else, so that the registry is reproducible.
 */
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

export type Row = Readonly<Record<string, string | number | null>>;

export interface ProjDatabase {
  rows(sql: string): readonly Row[];
}

export function openProjDatabase(): ProjDatabase {
  const path = fileURLToPath(new URL('./proj.db', import.meta.resolve('proj-wasm')));
  const database = new DatabaseSync(path, { readOnly: true });
  return {
    rows: (sql) => database.prepare(sql).all() as readonly Row[],
  };
}

export function text(row: Row | undefined, column: string): string {
  const value = row?.[column];
  return value === null || value === undefined ? '' : String(value);
}

export function number(row: Row | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

/** An authority and its code, such as EPSG:4326. */
export function codeIn(row: Row | undefined, prefix = ''): string {
  return `${text(row, `${prefix}auth_name`)}:${text(row, `${prefix}code`)}`;
}

export function indexed(
  rows: readonly Row[],
  keyOf: (row: Row) => string = (row) => codeIn(row),
): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}
