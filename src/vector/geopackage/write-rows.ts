/** Writes features into a GeoPackage table and keeps index and catalogue consistent. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Bounds } from '../../crs/bounds.ts';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature, IncomingFeatures, Value } from '../port/port.ts';
import { UnfitValueError } from '../support/convert-value.ts';
import { type ColumnMatch, isGeometry, matchColumns, type TargetColumn, toRow } from '../support/match-columns.ts';
import { toStoredValue } from './columns.ts';
import { encodeGeometryBlob } from './geometry-blob.ts';
import { type GeometryColumn, hasTable, type Table } from './table.ts';
import { readWritableParts, restoreTriggers } from './writable-table.ts';

/** The primary result code of SQLite for constraint violations. */
const SQLITE_CONSTRAINT = 19;

/** By extended result code of SQLite. */
const constraints: Readonly<Record<number, string>> = {
  275: 'its values violate a constraint of the table',
  1299: 'a required column has no value',
  1555: 'its key already exists',
  2067: 'a value of a unique column already exists',
  2579: 'its key already exists',
};

interface WriteTotals {
  count: number;
  bounds: Bounds | undefined;
}

export async function writeRows(
  database: DatabaseSync,
  table: Table,
  features: IncomingFeatures,
  { mode, pause }: { readonly mode: 'append' | 'overwrite'; readonly pause: () => Promise<void> },
): Promise<void> {
  const { index, triggers } = readWritableParts(database, table);
  const matches = await matchColumns(table.name, features.attributes, listTargetColumns(table));
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${quoteName(name)}`);
  if (mode === 'overwrite') await deleteAllRows(database, table, index, pause);
  const wasEmpty = database.prepare(`SELECT 1 FROM ${quoteName(table.name)} LIMIT 1`).get() === undefined;
  const store = createRowWriter(database, table, matches, index);
  const written: WriteTotals = { count: 0, bounds: undefined };
  for await (const batch of features.batches) {
    for (const feature of batch) {
      written.bounds = mergeBounds(written.bounds, store(feature));
      written.count += 1;
    }
    await pause();
  }
  restoreTriggers(database, triggers);
  if (mode === 'overwrite') resetCount(database, table);
  recordChange(database, table, { added: written.count, bounds: written.bounds, wasEmpty });
}

export function listTargetColumns(table: Table): readonly TargetColumn[] {
  return table.columns.flatMap((column): readonly TargetColumn[] => {
    if (column.name === table.geometry?.name) return [createGeometryTarget(table.geometry)];
    return column.kind === 'value' ? [{ name: column.name, kind: 'value', type: column.type }] : [];
  });
}

function createGeometryTarget({ name, type, crs, z, m }: GeometryColumn): TargetColumn {
  const dimension = z === 2 || m === 2 ? undefined : dimensions[`XY${z === 1 ? 'Z' : ''}${m === 1 ? 'M' : ''}`];
  return { name, kind: 'geometry', type, crs, ...(dimension === undefined ? {} : { dimension }) };
}

const dimensions: Readonly<Record<string, Dimension>> = { XY: 'XY', XYZ: 'XYZ', XYM: 'XYM', XYZM: 'XYZM' };

/**
 * Rows deleted before other requests get a turn: a single statement would block the server for a second per gigabyte.
 */
const DELETED_ROWS = 2_000;

async function deleteAllRows(
  database: DatabaseSync,
  table: Table,
  index: string | undefined,
  pause: () => Promise<void>,
): Promise<void> {
  const name = quoteName(table.name);
  if (table.key !== undefined) {
    const key = quoteName(table.key);
    const remove = database.prepare(
      `DELETE FROM ${name} WHERE ${key} IN (SELECT ${key} FROM ${name} LIMIT ${DELETED_ROWS})`,
    );
    while (remove.run().changes === DELETED_ROWS) await pause();
  }
  database.exec(`DELETE FROM ${name}`);
  if (index === undefined) return;
  // Deleting its rows one by one would take as long as filling it.
  database.exec(
    `DROP TABLE ${quoteName(index)}; CREATE VIRTUAL TABLE ${quoteName(index)} USING rtree(id, minx, maxx, miny, maxy)`,
  );
}

/** Stores one feature and returns its bounds. */
function createRowWriter(
  database: DatabaseSync,
  table: Table,
  matches: readonly ColumnMatch<TargetColumn>[],
  index: string | undefined,
): (feature: Feature) => Bounds | undefined {
  const names = matches.map(({ column }) => quoteName(column.name)).join(', ');
  const rows = matches.length === 0 ? 'DEFAULT VALUES' : `(${names}) VALUES (${matches.map(() => '?').join(', ')})`;
  const insert = database.prepare(`INSERT INTO ${quoteName(table.name)} ${rows}`);
  const insertBox =
    index === undefined
      ? undefined
      : database.prepare(`INSERT OR REPLACE INTO ${quoteName(index)} VALUES (?, ?, ?, ?, ?)`);
  const store = createValueEncoder(database, table);

  return (feature) => {
    const row = toRow(table.name, matches, feature);
    const at = matches.findIndex(({ column }) => column.kind === 'geometry');
    const geometry = row[at];
    const bounds = geometry !== undefined && isGeometry(geometry) ? computeGeometryBounds(geometry) : undefined;
    return storeRow(table.name, `the feature '${feature.id}'`, () => {
      const values = matches.map(({ column }, place) => store(row[place] ?? null, column));
      const { lastInsertRowid } = insert.run(...values);
      if (bounds !== undefined) insertBox?.run(lastInsertRowid, bounds.minX, bounds.maxX, bounds.minY, bounds.maxY);
      return bounds;
    });
  };
}

/** Encodes values for the columns of a table. */
export function createValueEncoder(
  database: DatabaseSync,
  table: Table,
): (value: Value | Geometry, column: TargetColumn) => SQLInputValue {
  const srsId = readSrsId(database, table);
  return (value, { kind, type }) =>
    isGeometry(value) ? encodeGeometryBlob(value, srsId) : kind === 'value' ? toStoredValue(type, value) : null;
}

/** Stores a row and attributes constraint violations to its feature. */
export function storeRow<T>(table: string, feature: string, store: () => T): T {
  try {
    return store();
  } catch (error) {
    const reason = error instanceof UnfitValueError ? error.message : findConstraintReason(error);
    throw reason === undefined ? error : problem('feature-refused', { name: table, feature, reason });
  }
}

function findConstraintReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  if ((error.errcode & 0xff) !== SQLITE_CONSTRAINT) return undefined;
  return constraints[error.errcode] ?? 'a constraint of the table does not allow it';
}

function readSrsId(database: DatabaseSync, table: Table): number {
  if (table.geometry === undefined) return 0;
  const row = database
    .prepare('SELECT srs_id FROM gpkg_geometry_columns WHERE table_name = ? COLLATE NOCASE')
    .get(table.name);
  return Number(row?.['srs_id'] ?? 0);
}

interface Change {
  /** The change in the number of rows, which can be negative. */
  readonly added: number;
  /** The bounds of the inserted features. */
  readonly bounds: Bounds | undefined;
  readonly wasEmpty: boolean;
}

/** Unknown bounds in the catalogue stay unknown, because existing rows can be anywhere. Bounds never shrink. */
export function recordChange(database: DatabaseSync, table: Table, { added, bounds, wasEmpty }: Change): void {
  const known = wasEmpty ? bounds : table.bounds && mergeBounds(table.bounds, bounds);
  database
    .prepare(
      `UPDATE gpkg_contents SET last_change = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), min_x = ?, min_y = ?, max_x = ?,
       max_y = ? WHERE table_name = ?`,
    )
    .run(known?.minX ?? null, known?.minY ?? null, known?.maxX ?? null, known?.maxY ?? null, table.name);
  if (!hasTable(database, 'gpkg_ogr_contents')) return;
  database
    .prepare('UPDATE gpkg_ogr_contents SET feature_count = feature_count + ? WHERE table_name = ? COLLATE NOCASE')
    .run(added, table.name);
}

/** The counted rows are deleted. */
function resetCount(database: DatabaseSync, table: Table): void {
  if (!hasTable(database, 'gpkg_ogr_contents')) return;
  database
    .prepare('UPDATE gpkg_ogr_contents SET feature_count = 0 WHERE table_name = ? COLLATE NOCASE')
    .run(table.name);
}
