/** Edits rows in the transaction of a session and keeps index and catalogue consistent. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature, FeatureEdits, NewValues } from '../port/port.ts';
import { type ColumnMatch, isGeometry, matchColumns, type TargetColumn, toRow } from '../support/match-columns.ts';
import { selectRows } from './select.ts';
import type { Table } from './table.ts';
import { readWritableParts, restoreTriggers, type WritableParts } from './writable-table.ts';
import { createValueEncoder, listTargetColumns, recordChange, storeRow } from './write-rows.ts';

/** The features to inspect before a change are held in memory. */
const MAX_FOUND = 10_000;

/** A table with a primary key. */
type KeyedTable = Table & { readonly key: string };

export function editRows(database: DatabaseSync, getTable: (name: string) => Table, signal: AbortSignal): FeatureEdits {
  function getEditableTable(name: string): KeyedTable {
    const table = getTable(name);
    const { key } = table;
    if (key === undefined) throw problem('features-not-writable', { name, reason: 'the table has no primary key' });
    return { ...table, key };
  }

  async function findKeys(table: KeyedTable, filter: ResolvedFilter): Promise<readonly bigint[]> {
    const keys: bigint[] = [];
    for await (const batch of selectRows(database, table, { filter, attributes: [] }, signal))
      for (const { id } of batch) keys.push(BigInt(id.slice(table.name.length + 1)));
    return keys;
  }

  /** Triggers are removed during the change, because their functions are not available; their work is done here. */
  async function withoutTriggers<T>(table: KeyedTable, work: (parts: WritableParts) => T | Promise<T>): Promise<T> {
    const parts = readWritableParts(database, table);
    for (const { name } of parts.triggers) database.exec(`DROP TRIGGER ${quoteName(name)}`);
    const result = await work(parts);
    restoreTriggers(database, parts.triggers);
    return result;
  }

  function toStoredRow(
    table: KeyedTable,
    matches: readonly ColumnMatch<TargetColumn>[],
    values: NewValues['values'],
  ): StoredRow {
    const row = toRow(table.name, matches, { id: 'new', values });
    const geometry = row.find(isGeometry);
    const store = createValueEncoder(database, table);
    return {
      values: matches.map(({ column }, place) => store(row[place] ?? null, column)),
      bounds: geometry === undefined ? undefined : computeGeometryBounds(geometry),
    };
  }

  return {
    async insert(name, features) {
      const table = getEditableTable(name);
      const isEmpty = database.prepare(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`).get() === undefined;
      return withoutTriggers(table, async ({ index }) => {
        const ids: string[] = [];
        let bounds: Bounds | undefined;
        for (const feature of features) {
          const matches = await matchColumns(name, feature.attributes, listTargetColumns(table));
          const columns = matches.map(({ column }) => quoteName(column.name)).join(', ');
          const filled =
            matches.length === 0 ? 'DEFAULT VALUES' : `(${columns}) VALUES (${matches.map(() => '?').join(', ')})`;
          const insert = database.prepare(`INSERT INTO ${quoteName(name)} ${filled}`);
          insert.setReadBigInts(true);
          const row = toStoredRow(table, matches, feature.values);
          const { lastInsertRowid } = storeRow(name, `the feature ${ids.length + 1}`, () => insert.run(...row.values));
          if (index !== undefined) updateSpatialIndex(database, index, BigInt(lastInsertRowid), row.bounds);
          bounds = mergeBounds(bounds, row.bounds);
          ids.push(`${name}.${lastInsertRowid}`);
        }
        recordChange(database, table, { added: ids.length, bounds, wasEmpty: isEmpty });
        return ids;
      });
    },
    async update(name, changes, filter) {
      const table = getEditableTable(name);
      const matches = await matchColumns(name, changes.attributes, listTargetColumns(table));
      const row = toStoredRow(table, matches, changes.values);
      const keys = await findKeys(table, filter);
      if (matches.length === 0 || keys.length === 0) return keys.map((key) => `${name}.${key}`);
      const setting = matches.map(({ column }) => `${quoteName(column.name)} = ?`).join(', ');
      const isMoved = matches.some(({ column }) => column.kind === 'geometry');
      return withoutTriggers(table, ({ index }) => {
        const update = database.prepare(`UPDATE ${quoteName(name)} SET ${setting} WHERE ${quoteName(table.key)} = ?`);
        for (const key of keys) {
          storeRow(name, `the feature '${name}.${key}'`, () => update.run(...row.values, key));
          if (index !== undefined && isMoved) updateSpatialIndex(database, index, key, row.bounds);
        }
        recordChange(database, table, { added: 0, bounds: row.bounds, wasEmpty: false });
        return keys.map((key) => `${name}.${key}`);
      });
    },
    async remove(name, filter) {
      const table = getEditableTable(name);
      const keys = await findKeys(table, filter);
      return withoutTriggers(table, ({ index }) => {
        const remove = database.prepare(`DELETE FROM ${quoteName(name)} WHERE ${quoteName(table.key)} = ?`);
        for (const key of keys) {
          remove.run(key);
          if (index !== undefined) updateSpatialIndex(database, index, key, undefined);
        }
        recordChange(database, table, { added: -keys.length, bounds: undefined, wasEmpty: false });
        return keys.map((key) => `${name}.${key}`);
      });
    },
    async find(name, filter) {
      const found: Feature[] = [];
      for await (const batch of selectRows(database, getEditableTable(name), { filter }, signal)) {
        for (const feature of batch) found.push(feature);
        if (found.length > MAX_FOUND)
          throw problem('features-not-writable', { name, reason: `more than ${MAX_FOUND} features match the filter` });
      }
      return found;
    },
  };
}

interface StoredRow {
  readonly values: readonly SQLInputValue[];
  readonly bounds: Bounds | undefined;
}

/** Updates or deletes the box of a row in the index. */
function updateSpatialIndex(database: DatabaseSync, index: string, key: bigint, bounds: Bounds | undefined): void {
  if (bounds === undefined) database.prepare(`DELETE FROM ${quoteName(index)} WHERE id = ?`).run(key);
  else
    database
      .prepare(`INSERT OR REPLACE INTO ${quoteName(index)} VALUES (?, ?, ?, ?, ?)`)
      .run(key, bounds.minX, bounds.maxX, bounds.minY, bounds.maxY);
}
