/**
 * Edits rows in the transaction of a session: they are selected by a filter, locked, and then addressed by their
 * keys.
 */
import type { PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { listFilterAttributes } from '../../../filter/model/list-attributes.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { RowAccess } from '../../../filter/predicate/predicate.ts';
import type { MatchRows } from '../../../filter/run/filter-runner.ts';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { Feature, FeatureEdits, NewValues } from '../../port/port.ts';
import { createFeatureAccess } from '../../support/filter-features.ts';
import { collectFound, createKeylessProblem } from '../../support/found-features.ts';
import { type ColumnMatch, matchColumns, toRow } from '../../support/match-columns.ts';
import type { PostgisSettings } from '../connection/parameters.ts';
import { asText, createFeatureReader } from '../read/read.ts';
import type { Row } from '../read/short-query.ts';
import type { CatalogColumn } from '../table/columns.ts';
import { listVisibleColumns } from '../table/describe.ts';
import { writeTableCondition } from '../table/sql-table.ts';
import { writeStatement } from '../table/statement.ts';
import { findTable, listKeyColumns, type Table } from '../table/table.ts';
import { assignedTypes, formatColumnValue } from './insert-batches.ts';
import { listWritableColumns, type WritableColumn } from './writable-columns.ts';
import { toWriteProblem } from './write-failure.ts';

/** Rows per statement or read. */
const ROWS_AT_ONCE = 1_000;

/** Starts matching rows of one statement against the part of the filter that SQL cannot express. */
type StartMatching = (filter: ResolvedFilter, access: RowAccess<LockedRow>) => Promise<MatchRows<LockedRow>>;

interface LockedRow {
  readonly key: Row;
  readonly feature: Feature;
}

export class RowEdits implements FeatureEdits {
  readonly #client: PoolClient;
  readonly #settings: PostgisSettings;
  readonly #startMatching: StartMatching;

  constructor(client: PoolClient, settings: PostgisSettings, startMatching: StartMatching) {
    this.#client = client;
    this.#settings = settings;
    this.#startMatching = startMatching;
  }

  async insert(name: string, features: readonly NewValues[]): Promise<readonly string[]> {
    const client = this.#client;
    const table = await this.#getEditableTable(name);
    const ids: string[] = [];
    for (const alike of groupByAttributes(features.map((feature) => removeNullKeys(table, feature)))) {
      const matches = await this.#matchTableColumns(table, alike[0] ?? { attributes: [], values: [] });
      const rows = alike.map((feature, index) => toRowTexts(table, matches, feature, String(ids.length + index + 1)));
      const lists = matches.map((_, at) => rows.map((row) => row[at] ?? null));
      const given = client.query<{ key: readonly string[] }>(writeInsert(table, matches), [rows.length, ...lists]);
      for (const { key } of (await withWriteFailure(name, given)).rows) ids.push(`${name}.${key.join('.')}`);
    }
    await withWriteFailure(name, client.query('SET CONSTRAINTS ALL IMMEDIATE'));
    return ids;
  }

  async update(name: string, changes: NewValues, filter: ResolvedFilter): Promise<readonly string[]> {
    const table = await this.#getEditableTable(name);
    const kept = removeNullKeys(table, changes);
    const matches = await this.#matchTableColumns(table, kept);
    const row = toRowTexts(table, matches, kept, 'the matching features');
    const setting = matches.map(
      ({ column }, at) => `${quoteName(column.name)} = ${writeAssignment(column.catalog, `$${at + 1}::text`)}`,
    );
    if (setting.length === 0)
      return this.#changeRows(table, filter, (keys) => `SELECT FROM ${table.relation} AS own, ${keys}`, []);
    const statement = `UPDATE ${table.relation} AS own SET ${setting.join(', ')} FROM`;
    return this.#changeRows(table, filter, (keys) => `${statement} ${keys}`, row);
  }

  async remove(name: string, filter: ResolvedFilter): Promise<readonly string[]> {
    const table = await this.#getEditableTable(name);
    return this.#changeRows(table, filter, (keys) => `DELETE FROM ${table.relation} AS own USING ${keys}`, []);
  }

  async find(name: string, filter: ResolvedFilter): Promise<readonly Feature[]> {
    const table = await this.#getEditableTable(name);
    return collectFound(name, toFeatures(this.#lockRows(table, filter, listVisibleColumns(table, this.#settings))));
  }

  async #getEditableTable(name: string): Promise<Table> {
    const table = await findTable(this.#client, this.#settings.schema, name);
    if (table === undefined) throw problem('vector-type-unknown', { name });
    if (listKeyColumns(table).length === 0) throw createKeylessProblem(name);
    return table;
  }

  async #matchTableColumns(table: Table, { attributes }: NewValues): Promise<readonly ColumnMatch<WritableColumn>[]> {
    const columns = await listWritableColumns(this.#client, this.#settings.schema, table, attributes);
    return matchColumns(table.name, attributes, columns);
  }

  /** Yields batches with the values of some columns; the rows stay locked. */
  async *#lockRows(
    table: Table,
    filter: ResolvedFilter,
    columns: readonly CatalogColumn[],
  ): AsyncGenerator<readonly LockedRow[]> {
    const condition = writeTableCondition(table, filter);
    const { remainder } = condition;
    const needed = new Set(remainder === undefined ? [] : listFilterAttributes(remainder));
    const shown = listVisibleColumns(table, this.#settings);
    const parts = {
      columns: shown.filter((column) => columns.includes(column) || needed.has(column.name)),
      condition,
      query: {},
      isOrdered: false,
      isFenced: false,
      isCounted: false,
    };
    const statement = writeStatement(table, parts);
    const toFeature = createFeatureReader(table, this.#settings, parts, statement);
    const names = shown.map((column) => column.name);
    const match = remainder === undefined ? undefined : await this.#startMatching(remainder, createLockedAccess(names));
    const cursor = this.#client.query(
      new Cursor<Row>(`${statement.text} FOR UPDATE`, [...statement.values], { rowMode: 'array', types: asText }),
    );
    for (let isOver = false; !isOver; ) {
      const rows = await cursor.read(ROWS_AT_ONCE);
      isOver = rows.length < ROWS_AT_ONCE;
      const read = rows.map((row) => ({ key: row.slice(0, statement.keys), feature: toFeature(row, 0) }));
      yield match === undefined ? read : await match(read);
    }
  }

  /** Runs a statement for the matching rows in portions and returns their ids. */
  async #changeRows(
    table: Table,
    filter: ResolvedFilter,
    buildStatement: (fromKeys: string) => string,
    values: readonly (string | null)[],
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    const found: Row[] = [];
    for await (const batch of this.#lockRows(table, filter, [])) {
      for (const { key, feature } of batch) {
        found.push(key);
        ids.push(feature.id);
      }
    }
    const keys = listKeyColumns(table);
    for (let at = 0; at < found.length; at += ROWS_AT_ONCE) {
      const some = found.slice(at, at + ROWS_AT_ONCE);
      const arrays = keys.map((_, index) => some.map((key) => key[index] ?? null));
      const given = keys.map((key, index) => `$${values.length + index + 1}::text[]::${writeTypeName(key)}[]`);
      const names = keys.map((_, index) => `k${index}`);
      const isRow = keys.map(({ name }, index) => `own.${quoteName(name)} = k${index}`).join(' AND ');
      const fromKeys = `unnest(${given.join(', ')}) AS wanted(${names.join(', ')}) WHERE ${isRow}`;
      await withWriteFailure(table.name, this.#client.query(buildStatement(fromKeys), [...values, ...arrays]));
    }
    await withWriteFailure(table.name, this.#client.query('SET CONSTRAINTS ALL IMMEDIATE'));
    return ids;
  }
}

async function* toFeatures(batches: AsyncIterable<readonly LockedRow[]>): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches) yield batch.map(({ feature }) => feature);
}

function toRowTexts(
  table: Table,
  matches: readonly ColumnMatch<WritableColumn>[],
  { values }: NewValues,
  id: string,
): Row {
  return toRow(table.name, matches, { id, values }).map((value, at) => formatColumnValue(value, matches[at]?.column));
}

function createLockedAccess(names: readonly string[]): RowAccess<LockedRow> {
  const { value, identifier } = createFeatureAccess(names);
  return { value: ({ feature }, name) => value(feature, name), identifier: ({ feature }) => identifier(feature) };
}

/** Groups consecutive features with the same attributes, which share a statement. */
function groupByAttributes(features: readonly NewValues[]): readonly (readonly NewValues[])[] {
  const runs: NewValues[][] = [];
  let known: string | undefined;
  for (const feature of features) {
    const attributes = JSON.stringify(feature.attributes);
    const run = runs.at(-1);
    if (run !== undefined && run.length < ROWS_AT_ONCE && attributes === known) run.push(feature);
    else runs.push([feature]);
    known = attributes;
  }
  return runs;
}

/** The database generates a missing key; an update leaves it unchanged. */
function removeNullKeys(table: Table, { attributes, values }: NewValues): NewValues {
  const keys = new Set(listKeyColumns(table).map(({ name }) => name));
  const isGiven = (index: number) => !keys.has(attributes[index]?.name ?? '') || (values[index] ?? null) !== null;
  return {
    attributes: attributes.filter((_, index) => isGiven(index)),
    values: values.filter((_, index) => isGiven(index)),
  };
}

/**
 * Inserts as many rows as the first parameter says, with a list of texts per column; returns their keys in the same
 * order.
 */
function writeInsert(table: Table, matches: readonly ColumnMatch<WritableColumn>[]): string {
  const columns = matches.map(({ column }) => quoteName(column.name));
  const values = matches.map(({ column }, at) => writeAssignment(column.catalog, `v${at}`));
  const lists = ['generate_series(1, $1::int)', ...matches.map((_, at) => `unnest($${at + 2}::text[])`)];
  const names = ['place', ...matches.map((_, at) => `v${at}`)];
  const keys = listKeyColumns(table).map((key) => `${quoteName(key.name)}::text`);
  return `INSERT INTO ${table.relation} ${columns.length === 0 ? '' : `(${columns.join(', ')})`}
    SELECT ${values.join(', ')} FROM ROWS FROM (${lists.join(', ')}) AS given(${names.join(', ')}) ORDER BY place
    RETURNING ARRAY[${keys.join(', ')}] AS key`;
}

/** Assigns texts without a cast, so that texts that are too long are rejected instead of truncated. */
function writeAssignment(column: CatalogColumn, text: string): string {
  return assignedTypes.has(column.typeName) ? text : `${text}::${writeTypeName(column)}`;
}

function writeTypeName({ typeSchema, typeName }: CatalogColumn): string {
  return qualifyName(typeSchema, typeName);
}

function withWriteFailure<T>(table: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw toWriteProblem(error, table, 'a feature');
  });
}
