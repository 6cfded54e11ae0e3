/** Edits rows in the transaction of a session and keeps index and catalogue consistent. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Bounds } from '../../crs/bounds.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { quoteName } from '../../filter/sql/quote-sql.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import type { Feature, FeatureEdits, NewValues } from '../port/port.ts';
import { collectFound, createKeylessProblem } from '../support/found-features.ts';
import { type ColumnMatch, isGeometry, matchColumns, type TargetColumn, toRow } from '../support/match-columns.ts';
import { selectRows } from './select.ts';
import type { Table } from './table.ts';
import { readWritableParts, restoreTriggers, type WritableParts } from './writable-table.ts';
import { createValueEncoder, listTargetColumns, recordChange, storeRow } from './write-rows.ts';

/** A table with a primary key. */
type KeyedTable = Table & { readonly key: string };

export class RowEdits implements FeatureEdits {
  readonly #database: DatabaseSync;
  readonly #getTable: (name: string) => Table;
  readonly #signal: AbortSignal;

  constructor(database: DatabaseSync, getTable: (name: string) => Table, signal: AbortSignal) {
    this.#database = database;
    this.#getTable = getTable;
    this.#signal = signal;
  }

  async insert(name: string, features: readonly NewValues[]): Promise<readonly string[]> {
    const database = this.#database;
    const table = this.#getEditableTable(name);
    const isEmpty = database.prepare(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`).get() === undefined;
    return this.#withoutTriggers(table, async ({ index }) => {
      const ids: string[] = [];
      let bounds: Bounds | undefined;
      for (const feature of features) {
        const matches = await matchColumns(name, feature.attributes, listTargetColumns(table));
        const columns = matches.map(({ column }) => quoteName(column.name)).join(', ');
        const filled =
          matches.length === 0 ? 'DEFAULT VALUES' : `(${columns}) VALUES (${matches.map(() => '?').join(', ')})`;
        const insert = database.prepare(`INSERT INTO ${quoteName(name)} ${filled}`);
        insert.setReadBigInts(true);
        const row = toStoredRow(database, table, matches, feature.values);
        const { lastInsertRowid } = storeRow(name, `the feature ${ids.length + 1}`, () => insert.run(...row.values));
        if (index !== undefined) updateSpatialIndex(database, index, BigInt(lastInsertRowid), row.bounds);
        bounds = mergeBounds(bounds, row.bounds);
        ids.push(`${name}.${lastInsertRowid}`);
      }
      recordChange(database, table, { added: ids.length, bounds, wasEmpty: isEmpty });
      return ids;
    });
  }

  async update(name: string, changes: NewValues, filter: ResolvedFilter): Promise<readonly string[]> {
    const database = this.#database;
    const table = this.#getEditableTable(name);
    const matches = await matchColumns(name, changes.attributes, listTargetColumns(table));
    const row = toStoredRow(database, table, matches, changes.values);
    const keys = await this.#findKeys(table, filter);
    if (matches.length === 0 || keys.length === 0) return keys.map((key) => `${name}.${key}`);
    const setting = matches.map(({ column }) => `${quoteName(column.name)} = ?`).join(', ');
    const isMoved = matches.some(({ column }) => column.kind === 'geometry');
    return this.#withoutTriggers(table, ({ index }) => {
      const update = database.prepare(`UPDATE ${quoteName(name)} SET ${setting} WHERE ${quoteName(table.key)} = ?`);
      for (const key of keys) {
        storeRow(name, `the feature '${name}.${key}'`, () => update.run(...row.values, key));
        if (index !== undefined && isMoved) updateSpatialIndex(database, index, key, row.bounds);
      }
      recordChange(database, table, { added: 0, bounds: row.bounds, wasEmpty: false });
      return keys.map((key) => `${name}.${key}`);
    });
  }

  async remove(name: string, filter: ResolvedFilter): Promise<readonly string[]> {
    const database = this.#database;
    const table = this.#getEditableTable(name);
    const keys = await this.#findKeys(table, filter);
    return this.#withoutTriggers(table, ({ index }) => {
      const remove = database.prepare(`DELETE FROM ${quoteName(name)} WHERE ${quoteName(table.key)} = ?`);
      for (const key of keys) {
        remove.run(key);
        if (index !== undefined) updateSpatialIndex(database, index, key, undefined);
      }
      recordChange(database, table, { added: -keys.length, bounds: undefined, wasEmpty: false });
      return keys.map((key) => `${name}.${key}`);
    });
  }

  async find(name: string, filter: ResolvedFilter): Promise<readonly Feature[]> {
    return collectFound(name, selectRows(this.#database, this.#getEditableTable(name), { filter }, this.#signal));
  }

  #getEditableTable(name: string): KeyedTable {
    const table = this.#getTable(name);
    const { key } = table;
    if (key === undefined) throw createKeylessProblem(name);
    return { ...table, key };
  }

  async #findKeys(table: KeyedTable, filter: ResolvedFilter): Promise<readonly bigint[]> {
    const keys: bigint[] = [];
    for await (const batch of selectRows(this.#database, table, { filter, attributes: [] }, this.#signal))
      for (const { id } of batch) keys.push(BigInt(id.slice(table.name.length + 1)));
    return keys;
  }

  /** Triggers are removed during the change, because their functions are not available; their work is done here. */
  async #withoutTriggers<T>(table: KeyedTable, work: (parts: WritableParts) => T | Promise<T>): Promise<T> {
    const parts = readWritableParts(this.#database, table);
    for (const { name } of parts.triggers) this.#database.exec(`DROP TRIGGER ${quoteName(name)}`);
    const result = await work(parts);
    restoreTriggers(this.#database, parts.triggers);
    return result;
  }
}

interface StoredRow {
  readonly values: readonly SQLInputValue[];
  readonly bounds: Bounds | undefined;
}

function toStoredRow(
  database: DatabaseSync,
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

/** Updates or deletes the box of a row in the index. */
function updateSpatialIndex(database: DatabaseSync, index: string, key: bigint, bounds: Bounds | undefined): void {
  if (bounds === undefined) database.prepare(`DELETE FROM ${quoteName(index)} WHERE id = ?`).run(key);
  else
    database
      .prepare(`INSERT OR REPLACE INTO ${quoteName(index)} VALUES (?, ?, ?, ?, ?)`)
      .run(key, bounds.minX, bounds.maxX, bounds.minY, bounds.maxY);
}
